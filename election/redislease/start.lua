-- start marks the tick of a granted claim as started: from here on it is spent. A
-- token above the one that was granted takes its place.
return hold(function(key)
  local token = sub(item, 33, 48)
  if not mine and (sub(h, 3, 34) ~= sub(item, 1, 32) or token + 0 < sub(h, 140, 155) + 0) then
    return lost()
  elseif expires <= now then
    return answer('P', '0', '0')
  elseif not mine and token + 0 > us + 86400000000 then
    return fail('B', sub(item, 1, 8), "token more than a day ahead of the store's clock")
  elseif not mine then
    h = sub(h, 1, 139) .. token .. sub(h, 156)
  end
  local state, decided, before, tick = sub(h, 36, 36), sub(h, 171, 183), sub(h, 79, 91), sub(h, 157, 169)
  if state ~= 'C' then
    return extend(key, state, decided, before, 'G', before)
  end
  local latest = tick + 0 > decided + 0 and tick or decided
  if sub(h, 119, 119) == '1' and latest + 1 >= shut(key) then
    h = sub(h, 1, 118) .. '0' .. sub(h, 120) -- the ledger alone keeps out what the gate has closed
  end
  return extend(key, 'R', latest, decided, 'G', decided)
end)
