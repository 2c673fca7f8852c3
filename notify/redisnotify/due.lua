-- KEYS: due. ARGV: now in ms, limit. Answers jobs, those that wait longest first.
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
