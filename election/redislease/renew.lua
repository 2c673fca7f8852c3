-- renew extends a lease. A holder whose record was lost is taken at its word,
-- unless anybody has been granted a newer token since: a released lease left its
-- own token behind, a revoked one a higher token.
return hold(function(key)
  local decided, tick, token = sub(h, 171, 183), sub(item, 49, 61), sub(item, 33, 48)
  if mine and expires <= now or h == EMPTY and with.keepMs == 0 then
    return answer('P', '0', '0')
  elseif mine then
    return extend(key, sub(h, 36, 36), decided, sub(h, 79, 91), 'G', '0')
  end
  local live, last = held and expires > now, sub(h, 140, 155)
  if live or last + 0 >= token + 0 and not (last == token and sub(h, 36, 36) == 'Q') then
    return lost()
  elseif token + 0 > us + 86400000000 then
    return fail('B', sub(item, 1, 8), "token more than a day ahead of the store's clock")
  end
  local attempt, definition = sub(h, 135, 138), 192 + sub(h, 188, 190)
  h, expires = '1 ' .. sub(item, 1, 32) .. sub(h, 35, 134) .. (attempt + 0 > 0 and attempt or '   1') .. ' ' .. token ..
    ' ' .. tick .. sub(h, 170, 187) .. with.holder .. sub(h, definition), 0
  return extend(key, 'I', tick + 0 > decided + 0 and tick or decided, decided, 'I', '0')
end)
