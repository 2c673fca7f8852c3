-- poll lists what waits, at most ARGV[2] of each. The reply: ms of the clock, ms
-- until the next request comes due or 0, texts that are due, texts and tokens
-- that are begun, stops.
if call('EXISTS', DUE, BEGUN, WISHED) == 0 then
  return { ms(now), '0', {}, {}, {} }
end
local limit = ARGV[2]
local due, begun, stops, wait = {}, {}, {}, 0
for _, id in ipairs(call('ZRANGEBYSCORE', DUE, '-inf', ms(now), 'LIMIT', '0', limit)) do
  due[#due + 1] = call('HGET', ASKS, id) or nil
end
local after = call('ZRANGEBYSCORE', DUE, '(' .. ms(now), '+inf', 'WITHSCORES', 'LIMIT', '0', '1')
if after[2] then
  wait = after[2] - now
end
local last = format('%d', limit - 1)
for _, id in ipairs(call('ZRANGE', BEGUN, '0', last)) do
  local text, token = call('HGET', ASKS, id), call('HGET', TOKENS, id)
  if text and token then
    begun[#begun + 1] = text
    begun[#begun + 1] = token
  end
end
for _, run in ipairs(call('ZRANGE', WISHED, '0', last)) do
  stops[#stops + 1] = call('HGET', STOPS, run) or nil
end
return { ms(now), ms(wait), due, begun, stops }
