-- record keeps entries of one shard. KEYS: marks, open rows, dead letters by
-- their end, dead letters; then for each entry the lists g, x, n of its job.
-- ARGV: life of a key in ms, limit of open rows, limit of dead letters; then for
-- each entry: job, run, row, list (o: the run is open; g, x, n: it has ended),
-- effect on the streak (f, s, -), dead (d or -), prev, upto, rows kept, age kept.
-- An entry without a run moves the watermark only. The reply has for each entry
-- fresh (0 or 1) and streak, or ! and why it failed alone.
--
-- The marks of a job are four numbers: watermark, latest tick that has ended,
-- streak of failures, latest scheduled tick that history has dropped.

local MARKS, OPEN, DEAD, LETTERS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local LIFE, MAXOPEN, MAXDEAD = ARGV[1], ARGV[2] + 0, ARGV[3] + 0
local FIRST, WIDTH = 3, 10
local PLACE = { g = 0, x = 1, n = 2 }

-- What a verdict does to a streak of failures.
local EFFECT = {
  f = function(streak) return streak + 1 end,
  s = function() return 0 end,
  ['-'] = function(streak) return streak end,
}

local clock = call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function number(text, from, to)
  return tonumber(sub(text, from, to)) or 0
end

-- endOf is when a row ended, or its tick.
local function endOf(text)
  local ended = number(text, 5, 17)
  return ended > 0 and ended or number(text, 18, 30)
end

-- progress grows with the life of an open run.
local function progress(text)
  return 2 * number(text, 31, 35) + (sub(text, 4, 4) == 't' and 1 or 0)
end

-- inherit gives a row the tries of the one before it, which it may not know.
local function inherit(text, was)
  if not was or number(was, 39, 40) <= number(text, 39, 40) then
    return text
  end
  local old = HEAD + number(was, 36, 38)
  local id = HEAD + number(text, 36, 38)
  return sub(text, 1, 38) .. sub(was, 39, HEAD) .. sub(text, HEAD + 1, id)
    .. sub(was, old + 1, old + number(was, 41, 45)) .. sub(text, id + number(text, 41, 45) + 1)
end

-- drop removes text, the last row of a list, and returns the latest scheduled
-- tick dropped, given that so far.
local function drop(list, text, dropped)
  call('RPOP', list)
  if sub(text, 2, 2) == 's' then
    return math.max(dropped, number(text, 18, 30))
  end
  return dropped
end

-- trim drops rows beyond keep, and those that ended before cut, but never the
-- newest. A list whose length is not given has no more than it may keep.
local function trim(list, length, keep, cut, dropped)
  while true do
    local text = call('LINDEX', list, '-1')
    if not text or not (length and length > keep) and endOf(text) >= cut then
      return dropped
    end
    length = length or call('LLEN', list)
    if length <= 1 then
      return dropped
    end
    length = length - 1
    dropped = drop(list, text, dropped)
  end
end

-- bury lists a dead letter, and forgets the oldest of too many.
local function bury(run, text)
  call('ZADD', DEAD, format('%.0f', endOf(text)), run)
  call('HSET', LETTERS, run, text)
  local extra = call('ZCARD', DEAD) - MAXDEAD
  if extra > 0 then
    for _, old in ipairs(call('ZRANGE', DEAD, '0', format('%d', extra - 1))) do
      call('HDEL', LETTERS, old)
    end
    call('ZREMRANGEBYRANK', DEAD, '0', format('%d', extra - 1))
  end
  call('PEXPIRE', DEAD, LIFE)
  call('PEXPIRE', LETTERS, LIFE)
end

-- begin keeps the row of an open run, unless it is of an earlier attempt than
-- what is known, or older than what history has dropped.
local function begin(run, text, was, dropped)
  if was then
    if progress(was) <= progress(text) then
      call('HSET', OPEN, run, inherit(text, was))
    end
  elseif (sub(text, 2, 2) ~= 's' or number(text, 18, 30) > dropped) and call('HLEN', OPEN) < MAXOPEN then
    call('HSET', OPEN, run, text)
  end
end

-- file keeps the row of a run that has ended in the list key, and returns the
-- latest scheduled tick dropped for it. The entry is at a in ARGV.
local function file(run, text, key, lists, a, dropped)
  local cut, length = now - ARGV[a + 10], call('LPUSH', key, text)
  call('PEXPIRE', key, LIFE)
  for k = lists, lists + 2 do
    dropped = trim(KEYS[k], KEYS[k] == key and length, ARGV[a + 9] + 0, cut, dropped)
  end
  if ARGV[a + 6] == 'd' then
    bury(run, text)
  end
  return dropped
end

-- record keeps one entry and returns what is said to it.
local function record(n)
  local a, lists = FIRST + n * WIDTH, 5 + 3 * n
  local job, run, text, list = ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], ARGV[a + 4]
  local prev, upto = ARGV[a + 7] + 0, ARGV[a + 8] + 0
  local tick = number(text, 18, 30)
  local marks = call('HGET', MARKS, job) or ''
  local told, latest, streak, dropped = string.match(marks, '^(%d+) (%d+) (%d+) (%d+)$')
  told, latest, streak, dropped = (told or 0) + 0, (latest or 0) + 0, (streak or 0) + 0, (dropped or 0) + 0
  if prev > 0 and told >= prev and tick > told then
    told = tick
  end
  told = math.max(told, upto)

  local fresh = true
  if run ~= '' then
    local was = call('HGET', OPEN, run)
    fresh = was or tick > latest or not (seek(lists, run) or call('HEXISTS', LETTERS, run) == 1)
    if fresh and list == 'o' then
      begin(run, text, was, dropped)
    elseif fresh then
      text = inherit(text, was)
      dropped = file(run, text, KEYS[lists + PLACE[list]], lists, a, dropped)
      if was then
        call('HDEL', OPEN, run)
      end
      latest = math.max(latest, tick)
      streak = EFFECT[ARGV[a + 5]](streak)
    end
  end
  local moved = format('%.0f %.0f %.0f %.0f', told, latest, streak, dropped)
  if moved ~= marks then
    call('HSET', MARKS, job, moved)
  end
  if run == '' or list == 'o' then
    streak = 0
  end
  return (fresh and '1 ' or '0 ') .. format('%.0f', streak)
end

local out = {}
for n = 0, (#ARGV - FIRST) / WIDTH - 1 do
  local ok, said = pcall(record, n)
  if not ok then
    said = '!' .. tostring(type(said) == 'table' and said.err or said)
  end
  out[n + 1] = said
end
call('PEXPIRE', MARKS, LIFE)
call('PEXPIRE', OPEN, LIFE)
return out
