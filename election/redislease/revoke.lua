-- revoke takes a lease away. ARGV: the token the caller saw or 0, lock delay,
-- retention, by, reason. One string.
local key, seen, delay, keep = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local function revoke()
  bad = false
  local v, err = fetch(key, 'own', 'tok', 'exp', 'gc', 'gu')
  if not v then
    return 'N', err
  end
  local own, tok, exp, r = v[1] or '', num(v[2]), num(v[3]), { shutfor = shutfor(v[4], v[5]) }
  if bad then
    return 'N', 'the record is corrupt'
  elseif seen ~= 0 and seen ~= tok then
    return 'C', 'the token is ' .. int(tok)
  end
  if own ~= '' and exp > now then
    exp = exp + delay
  else
    exp = math.max(exp, now + delay)
  end
  local kind, words = save(key, r, exp - now + keep, 'own', '', 'tok', int(math.max(tok + 1, us)), 'st', 'revoked',
    'exp', int(exp), 'ret', int(keep), 'rb', ARGV[4], 'rr', ARGV[5])
  if kind then
    return kind, words
  end
  put('R')
end

local kind, words = revoke()
if kind then
  fail(kind, '-', words)
end
return out
