-- output adds to the output of one run. KEYS: state and head of the run (a
-- hash), the rest of its chunks (a stream whose IDs are offsets), the runs of the
-- job that have output (a list). ARGV: the run, token and session of the writer,
-- bytes it has printed, '1' if it is done, bytes to keep behind the head, the
-- size of the head, how many runs to keep, milliseconds to live; then, for each
-- chunk, its offset for the writer, its size as printed, and its data.
local state, tail, list = KEYS[1], KEYS[2], KEYS[3]
local run, token, session = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local printed, done, keep = tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6])
local headsize, runs, life = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9]

local function whole(n) return string.format('%.0f', n) end

local known = redis.call('HMGET', state, 'w', 's', 'b', 'e', 't', 'n')
if not known[1] then
  redis.call('DEL', state, tail)
  redis.call('RPUSH', list, run)
  while redis.call('LLEN', list) > runs do
    local old = redis.call('LPOP', list)
    if old ~= run then
      redis.call('DEL', string.sub(state, 1, -1 - #run) .. old, string.sub(tail, 1, -1 - #run) .. old)
    end
  end
  known = {ARGV[2], ARGV[3], '0', '0', '0', '0'}
end
local writer, last = tonumber(known[1]), tonumber(known[2])
local base, stop, total, held = tonumber(known[3]), tonumber(known[4]), tonumber(known[5]), tonumber(known[6])

-- A later writer goes on where all before it ended; an earlier one is refused.
if token < writer or (token == writer and session < last) then return 'overtaken' end
if token ~= writer or session ~= last then base = math.max(stop, total) end

-- What a writer sends again is here already: its offset is below stop.
for i = 10, #ARGV, 3 do
  local at, size, data = base + tonumber(ARGV[i]), tonumber(ARGV[i + 1]), ARGV[i + 2]
  if at >= stop then
    stop = at + size
    if stop <= headsize then
      redis.call('HSET', state, whole(at), data)
    else
      redis.call('XADD', tail, whole(at) .. '-1', 'd', data)
      held = held + #data + 32
    end
  end
end

while held > keep do
  local oldest = redis.call('XRANGE', tail, '-', '+', 'COUNT', '17')
  if #oldest == 0 then
    held = 0
    break
  end
  local gone = 0
  while gone < #oldest and held > keep do
    gone = gone + 1
    held = held - #oldest[gone][2][2] - 32
  end
  if gone == #oldest then
    redis.call('XTRIM', tail, 'MAXLEN', whole(redis.call('XLEN', tail) - gone))
  else
    redis.call('XTRIM', tail, 'MINID', oldest[gone + 1][1])
  end
end

total = math.max(total, base + printed)
redis.call('HSET', state, 'w', ARGV[2], 's', ARGV[3], 'b', whole(base), 'e', whole(stop),
  't', whole(total), 'n', whole(held), 'd', done)
redis.call('PEXPIRE', state, life)
redis.call('PEXPIRE', tail, life)
redis.call('PEXPIRE', list, life)
return 'kept'
