-- read returns whole records, for people: 20 strings an item, the first of them
-- the kind of answer. It writes nothing.
local names = { 'st', 'meta', 'tok', 'exp', 'tick', 'dec', 'lc', 'att', 'crash', 'late', 'epoch', 'def',
  'ring', 'gc', 'gu', 'gr', 'gb', 'rb', 'rr' }
for i, key in ipairs(KEYS) do
  local v, err = fetch(key, unpack(names))
  if v then
    local there = v[3] or v[6] or v[14]
    put(there and 'R' or 'Z')
    for f = 1, #names do
      put(v[f] or '')
    end
  else
    fail('N', '-', err)
    for f = 1, #names do
      put('')
    end
  end
end
return out
