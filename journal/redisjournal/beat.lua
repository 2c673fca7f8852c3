-- beat marks a replica as live, forgets those that have been silent, and lists
-- the rest. KEYS: ids by when they were last heard of, what they say of
-- themselves by id. ARGV: the replica's id, the silence in ms, what it says.
-- Redis' clock counts.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local key, infos, silence = KEYS[1], KEYS[2], tonumber(ARGV[2])
redis.call('ZADD', key, string.format('%.0f', now), ARGV[1])
redis.call('HSET', infos, ARGV[1], ARGV[3])
local gone = string.format('(%.0f', now - silence)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', gone)) do
  redis.call('HDEL', infos, id)
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', gone)
redis.call('PEXPIRE', key, string.format('%.0f', 4 * silence))
redis.call('PEXPIRE', infos, string.format('%.0f', 4 * silence))
return redis.call('ZRANGE', key, '0', '9999')
