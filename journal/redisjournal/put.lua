-- put keeps requests. ARGV, after the first: how many may wait; then for each its
-- id and text. The reply has for each: 1 fresh, 0 known, 2 too many wait.
local limit = ARGV[2] + 0
call('ZREMRANGEBYSCORE', GONE, '-inf', ms(now))
call('ZREMRANGEBYRANK', GONE, '0', format('%d', -1 - KNOWN))
local out = {}
for i = 3, #ARGV, 2 do
  local id, text = ARGV[i], ARGV[i + 1]
  local answer = 0
  if call('HEXISTS', ASKS, id) == 0 and not call('ZSCORE', GONE, id) then
    answer = 2
    if call('HLEN', ASKS) < limit then
      answer = 1
      call('HSET', ASKS, id, text)
      call('ZADD', DUE, ms(math.max(now, sub(text, 2, 14) + 0)), id)
    end
  end
  out[#out + 1] = answer
end
live()
return out
