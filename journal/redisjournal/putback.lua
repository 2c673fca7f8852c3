-- putback makes requests due again in ARGV[2] ms, if nobody or the token has
-- begun them. ARGV, after those: id and token of each.
local due = ms(now + ARGV[2])
for i = 3, #ARGV, 2 do
  local id, token = ARGV[i], ARGV[i + 1]
  local text, has = call('HGET', ASKS, id), call('HGET', TOKENS, id)
  if text and (not has or has == token) then
    call('HSET', ASKS, id, sub(text, 1, 1) .. format('%013.0f', due + 0) .. sub(text, 15))
    call('HDEL', TOKENS, id)
    call('ZREM', BEGUN, id)
    call('ZADD', DUE, due, id)
  end
end
live()
return 1
