-- enrol says that a replica has a configuration, and returns the place of that.
-- KEYS: the configurations, each with its generation and number; the replicas, each
-- with when it enrolled last and with what. ARGV: life of a key in ms, for how long an
-- enrolment counts, replica, revision, number, above. The reply: generation, the
-- highest of all, then the revisions that others have.
local ORDER, PRESENT, LIFE = KEYS[1], KEYS[2], ARGV[1]
local within, replica, revision, number, above = ARGV[2] + 0, ARGV[3], ARGV[4], ARGV[5] + 0, ARGV[6] + 0
local call, format, match = redis.call, string.format, string.match
local clock = call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local MOST = 64 -- configurations that are remembered

call('HSET', PRESENT, replica, format('%.0f ', now) .. revision)
local live, others = {}, {}
local present = call('HGETALL', PRESENT)
for i = 1, #present, 2 do
  local at, has = match(present[i + 1], '^(%d+) (.+)$')
  if not at or now - at > 100 * within then
    call('HDEL', PRESENT, present[i])
  elseif now - at <= within and present[i] ~= replica and not live[has] then
    live[has] = true
    others[#others + 1] = has
  end
end

local top, mine, best, highest, known, oldest = 0, nil, 0, 0, 0, nil
local order = call('HGETALL', ORDER)
for i = 1, #order, 2 do
  local has, text = order[i], order[i + 1]
  local g, n = match(text, '^(%d+) (%d+)$')
  g, n, known = g + 0, n + 0, known + 1
  if g > top then top = g end
  if has == revision then
    mine = g
  elseif live[has] then
    if g > best then best = g end
    if n > highest then highest = n end
  elseif not oldest or g < oldest.g then
    oldest = { g = g, has = has }
  end
end

local newest = number > highest or number == highest and (not mine or mine > best)
local g = mine or 1
if newest and (not mine or mine < top or mine <= above) then
  g = math.max(top + 1, now, above + 1)
  top = g
  call('HSET', ORDER, revision, format('%.0f %.0f', g, number))
  if not mine and known >= MOST and oldest then
    call('HDEL', ORDER, oldest.has)
  end
end
call('PEXPIRE', ORDER, LIFE)
call('PEXPIRE', PRESENT, LIFE)
table.sort(others)
local out = { format('%.0f', g), format('%.0f', top) }
for _, has in ipairs(others) do
  out[#out + 1] = has
end
return out
