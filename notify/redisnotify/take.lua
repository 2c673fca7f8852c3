-- KEYS: the queue of a channel, items, tries, its rate. ARGV: now, until when they are
-- held, most, deliveries in a window, the window and its length, all in ms, what
-- fields of the channel begin with, and the life of the outbox in ms. Answers how many deliveries are charged for, then
-- ID, data and try of each message.
local queue, items, tries, rate = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local ids = redis.call('ZRANGEBYSCORE', queue, '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
local spent = redis.call('HMGET', rate, 'w', 'n')
local used = 0
if spent[1] == ARGV[5] then
  used = tonumber(spent[2])
end
local deliveries = math.min(#ids, tonumber(ARGV[4]) - used)
if deliveries <= 0 then
  return {0}
end
redis.call('HSET', rate, 'w', ARGV[5], 'n', used + deliveries)
redis.call('PEXPIRE', rate, ARGV[6])
local answer = {deliveries}
for _, id in ipairs(ids) do
  local field = ARGV[7] .. id
  local text = redis.call('HGET', items, field)
  if text then
    redis.call('ZADD', queue, ARGV[2], id)
    answer[#answer + 1] = id
    answer[#answer + 1] = text
    answer[#answer + 1] = redis.call('HINCRBY', tries, field, 1)
  else
    redis.call('ZREM', queue, id)
  end
end
redis.call('PEXPIRE', tries, ARGV[8])
return answer
