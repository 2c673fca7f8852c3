-- beat marks a replica as live, or as draining, forgets those that have been
-- silent, and lists those that live. KEYS: ids by when they were last heard of,
-- what they say of themselves by id, ids of those that drain by when they were
-- last heard of. ARGV: the replica's id, the silence in ms, what it says, 1 if it
-- drains. Redis' clock counts.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local live, infos, drain, silence = KEYS[1], KEYS[2], KEYS[3], tonumber(ARGV[2])
local here, there = live, drain
if ARGV[4] == '1' then
  here, there = drain, live
end
redis.call('ZADD', here, string.format('%.0f', now), ARGV[1])
redis.call('ZREM', there, ARGV[1])
redis.call('HSET', infos, ARGV[1], ARGV[3])
local gone, life = string.format('(%.0f', now - silence), string.format('%.0f', 4 * silence)
for _, key in ipairs({live, drain}) do
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', gone)) do
    redis.call('HDEL', infos, id)
  end
  redis.call('ZREMRANGEBYSCORE', key, '-inf', gone)
  redis.call('PEXPIRE', key, life)
end
redis.call('PEXPIRE', infos, life)
return redis.call('ZRANGE', live, '0', '9999')
