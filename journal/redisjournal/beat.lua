-- beat marks a replica as live, forgets those that have been silent, and lists
-- the rest. ARGV: the replica's id, the silence in ms. Redis' clock counts.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local key, silence = KEYS[1], tonumber(ARGV[2])
redis.call('ZADD', key, string.format('%.0f', now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('(%.0f', now - silence))
redis.call('PEXPIRE', key, string.format('%.0f', 4 * silence))
return redis.call('ZRANGE', key, '0', '9999')
