-- start marks the tick of a granted claim as started: from here on it is spent.
return each(function(key, h, r)
  if not r.mine then
    return answer('L', h, r, 0)
  elseif r.exp <= now then
    return answer('P', h, r, 0)
  end
  local kind, words
  if r.st == 'running' then
    kind, words = extend(key, h, r)
  else
    r.pdec = r.dec
    kind, words = extend(key, h, r, 'st', 'running', 'pdec', int(r.dec), 'dec', int(math.max(r.dec, r.tick)))
  end
  if kind then
    return kind, words
  end
  answer('G', h, r, r.pdec)
end)
