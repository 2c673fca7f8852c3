-- ack takes a dead letter off the list and marks its row; 0 if it is not there.
-- KEYS: dead letters by their end, dead letters, the lists g, x, n of the job.
-- ARGV: run.
local run = ARGV[1]
if call('HDEL', KEYS[2], run) == 0 then
  return 0
end
call('ZREM', KEYS[1], run)
local text, list, place = seek(3, run)
if text then
  call('LSET', list, format('%d', place), sub(text, 1, 2) .. 'k' .. sub(text, 4))
end
return 1
