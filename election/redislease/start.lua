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
  return extend(key, 'R', tick + 0 > decided + 0 and tick or decided, decided, 'G', decided)
end)
