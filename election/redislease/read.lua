-- read returns whole records, for people: eleven strings an item, the first of
-- them the kind of answer, the second the packed part. It writes nothing.
local n = head
local function say(s)
  n = n + 1
  out[n] = s or ''
end
for _, key in ipairs(KEYS) do
  local h, words = open(key)
  say(not h and fail('N', '-', words) or h == EMPTY and 'Z' or 'R')
  say(h)
  local v = h and call('HMGET', key, 'past', 'ring', 'crash', 'late', 'gu', 'gr', 'gb', 'rb', 'rr') or {}
  for i = 1, 9 do
    say(v[i])
  end
end
return out
