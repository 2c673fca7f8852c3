-- start marks the tick of a granted claim as started: from here on it is spent.
return hold(function(key)
  if not mine then
    return lost()
  elseif expires <= now then
    return answer('P', '0', '0')
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
