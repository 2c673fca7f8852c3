-- renew extends a lease. A holder whose record was lost is taken at its word,
-- unless anybody has been granted a newer token since: a released lease left its
-- own token behind, a revoked one a higher token.
return each(function(key, h, r)
  local kind, words
  if r.mine and r.exp <= now or not r.found and h.keep == 0 then
    return answer('P', h, r, 0)
  elseif r.mine then
    kind, words = extend(key, h, r)
    if kind then
      return kind, words
    end
    return answer('G', h, r, 0)
  end
  local live = r.own ~= '' and r.exp > now
  local forgot = not live and (r.tok < h.token or r.tok == h.token and r.st == 'quarantine')
  if not forgot then
    return answer('L', h, r, 0)
  elseif h.token > us + DAY * 1000 then
    return 'B', "token more than a day ahead of the store's clock"
  end
  r.own, r.tok, r.exp = h.owner, h.token, 0
  kind, words = extend(key, h, r, 'own', h.owner, 'tok', int(h.token), 'st', 'running', 'tick', int(h.tick),
    'meta', h.holder, 'att', int(math.max(r.att, 1)), 'pdec', int(r.dec), 'dec', int(math.max(r.dec, h.tick)))
  if kind then
    return kind, words
  end
  answer('I', h, r, 0)
end)
