-- gate closes a key for ticks or opens it. ARGV: closed 0 or 1, until in ms or
-- 0, reason, by. One string. A closed gate keeps its record alive.
local key, till = KEYS[1], tonumber(ARGV[2])

local function set()
  bad = false
  local v, err = fetch(key, 'tok', 'exp', 'ld', 'ret', 'dec', 'gc')
  if not v then
    return 'N', err
  end
  local rest = math.max(num(v[2]) - now, 0) + num(v[3]) + num(v[4])
  if bad then
    return 'N', 'the record is corrupt'
  elseif ARGV[1] == '1' then
    return save(key, { shutfor = shutfor('1', ARGV[2]) }, rest, 'gc', '1', 'gu', ARGV[2], 'gr', ARGV[3], 'gb', ARGV[4])
  elseif v[1] or v[5] or v[6] then
    return save(key, { shutfor = -1 }, rest, 'gc', '0', 'gu', '0', 'gr', '', 'gb', '')
  end
end

local kind, words = set()
if kind then
  fail(kind, '-', words)
else
  put('R')
end
return out
