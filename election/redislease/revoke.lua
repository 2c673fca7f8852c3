-- revoke takes a lease away. ARGV: the token the caller saw or 0, lock delay,
-- retention (12 digits), by, reason. One string.
local key, seen, pause, keep = KEYS[1], ARGV[1] + 0, ARGV[2] + 0, ARGV[3] + 0

local function revoke(h)
  local owner, expires, tok = sub(h, 3, 3), sub(h, 38, 50) + 0, sub(h, 140, 155) + 0
  if seen ~= 0 and seen ~= tok then
    return 'C', 'the token is ' .. format('%d', tok)
  end
  if expires > now and owner ~= '-' then
    expires = expires + pause
  else
    expires = math.max(expires, now + pause)
  end
  local gone, expiry = vanish(key, h, expires - now + keep, keep)
  local r = sub(EMPTY, 1, 34) .. ' V ' .. format('%13d', expires) .. ' ' .. ARGV[3] .. ' ' .. gone .. sub(h, 78, 139) ..
    format('%16d', math.max(tok + 1, us)) .. sub(h, 156)
  return save(key, expiry, 'h', r, 'rb', ARGV[4], 'rr', ARGV[5])
end

local h, words = open(key)
local wrong = 'N'
if h then
  wrong, words = revoke(h)
end
out[head + 1] = wrong and fail(wrong, '-', words) or 'R'
return out
