-- The outcomes of the last 32 leases, newest first: 16 digits of the token and
-- a letter each. The newest few stand in the field past, behind the 13 digits of
-- the last tick completed, so that a release seldom has to touch the rest, which
-- is in the field ring.

-- push puts an outcome in front of those of past. If they are more than eight
-- it returns none of them, and all as the field ring has to hold them.
local function push(key, past, token, letter)
  local those = token .. letter .. sub(past, 14)
  if #those <= 136 then
    return those
  end
  return '', sub(those .. (call('HGET', key, 'ring') or ''), 1, 544)
end
