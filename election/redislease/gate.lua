-- gate closes a key for ticks or opens it. ARGV: closed 0 or 1, until in ms or 0,
-- reason, by. One string. A closed gate keeps its record alive.
local key, closed = KEYS[1], ARGV[1]

local function set(h)
  if h == EMPTY and closed == '0' then
    return
  end
  local keep, left = sub(h, 52, 63) + 0, math.max(sub(h, 38, 50) - now, 0)
  h = sub(h, 1, 118) .. closed .. sub(h, 120)
  local gone, expiry = vanish(key, h, left + sub(h, 110, 117) + keep, keep, ARGV[2] + 0)
  h = sub(h, 1, 64) .. gone .. sub(h, 78)
  return save(key, expiry, 'h', h, 'gu', ARGV[2], 'gr', ARGV[3], 'gb', ARGV[4])
end

local h, words = open(key)
local wrong = 'N'
if h then
  wrong, words = set(h)
end
out[head + 1] = wrong and fail(wrong, '-', words) or 'R'
return out
