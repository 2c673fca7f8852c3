-- gate closes a key for ticks or opens it. ARGV: closed 0 or 1, until in ms or 0,
-- reason, by. One string.
local key, closed = KEYS[1], ARGV[1] == '1'

-- turn returns the moment before which ticks are closed from now on, given the
-- one until now, and whether that is a change. What came due while it was closed
-- stays closed.
local function turn(old)
  local till = ARGV[2] + 0
  if not closed then
    return math.min(old, now), old > now
  elseif till == 0 then
    return math.huge, true
  end
  return math.max(till, math.min(old, now)), true
end

local function set(h)
  local till, changed = turn(sub(h, 119, 119) == '1' and shut(key) or 0)
  if not changed then
    return
  end
  local keep, left = sub(h, 52, 63) + 0, math.max(sub(h, 38, 50) - now, 0)
  h = sub(h, 1, 118) .. '1' .. sub(h, 120)
  local gone, expiry = vanish(key, h, left + sub(h, 110, 117) + keep, keep, till)
  h = sub(h, 1, 64) .. gone .. sub(h, 78)
  local gu = till == math.huge and '0' or format('%d', till)
  return save(key, expiry, 'h', h, 'gu', gu, 'gr', ARGV[3], 'gb', ARGV[4])
end

local h, words = open(key)
local wrong = 'N'
if h then
  wrong, words = set(h)
end
out[head + 1] = wrong and fail(wrong, '-', words) or 'R'
return out
