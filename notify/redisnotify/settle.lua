-- KEYS: the queue of a channel, items, tries. ARGV: what fields of the channel begin
-- with, then for each message its ID and when it is tried again in ms, '' if never.
local queue, items, tries = KEYS[1], KEYS[2], KEYS[3]
for n = 2, #ARGV, 2 do
  local id, again = ARGV[n], ARGV[n + 1]
  if again == '' then
    redis.call('ZREM', queue, id)
    redis.call('HDEL', items, ARGV[1] .. id)
    redis.call('HDEL', tries, ARGV[1] .. id)
  else
    redis.call('ZADD', queue, 'XX', again, id)
  end
end
return 0
