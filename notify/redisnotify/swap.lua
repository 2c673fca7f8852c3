-- KEYS: due, items, tries, then the queues of channels, then a state for each change.
-- ARGV: life of a state and of the outbox in ms, room in the outbox, queues; then for
-- each change job, version, the next version, data, due or '', made, messages, and for
-- each message the number of its queue, its ID, its field and its data.
-- Answers how many messages were dropped, then 1 or 0 for each change.
local due, items, tries = KEYS[1], KEYS[2], KEYS[3]
local life, outlife, room, queues = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local used = redis.call('HLEN', items)
local answer, dropped, put, at = {0}, 0, {}, 5
for n = 4 + queues, #KEYS do
  local key = KEYS[n]
  local job, version, nextVersion, data, when, made, messages =
    ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5], tonumber(ARGV[at + 6])
  at = at + 7
  if (redis.call('HGET', key, 'v') or '0') == version then
    redis.call('HSET', key, 'v', nextVersion, 'd', data)
    redis.call('PEXPIRE', key, life)
    if when == '' then
      redis.call('ZREM', due, job)
    else
      redis.call('ZADD', due, when, job)
    end
    for m = 0, messages - 1 do
      local queue, id, field, text = tonumber(ARGV[at + 4 * m]), ARGV[at + 4 * m + 1], ARGV[at + 4 * m + 2], ARGV[at + 4 * m + 3]
      if used >= room then
        dropped = dropped + 1
      else
        used = used + redis.call('HSET', items, field, made .. ':' .. text)
        redis.call('ZADD', KEYS[3 + queue], made, id)
        put[KEYS[3 + queue]] = true
      end
    end
    answer[#answer + 1] = 1
  else
    answer[#answer + 1] = 0
  end
  at = at + 4 * messages
end
redis.call('PEXPIRE', due, life)
for queue in pairs(put) do
  redis.call('PEXPIRE', queue, outlife)
  redis.call('PEXPIRE', items, outlife)
  redis.call('PEXPIRE', tries, outlife)
end
answer[1] = dropped
return answer
