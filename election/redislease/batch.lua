-- What the scripts for many items share. ARGV holds terms, which many items have
-- in common and which are sent once; then one string for each item. Places in a
-- term: 1 ttl (8), 9 lock delay (8), 17 retention (12), 29 the
-- sum of the three (12), 41 length of the holder's name (3), 45 the name.

-- term returns a term by its place. What goes into records is kept as it came
-- or formatted once: formatting a number costs as much as reading a field.
local terms = {}
local function term(place)
  local t = terms[place]
  if not t then
    local sent = ARGV[place + 0]
    local ttl, keep = sub(sent, 1, 8), sub(sent, 17, 28)
    local ends = now + ttl
    t = {
      ttl = ttl, delay = sub(sent, 9, 16), keep = keep, keepMs = keep + 0, life = sub(sent, 29, 40) + 0,
      ends = ends, endsText = format('%13d', ends), holder = sub(sent, 41),
    }
    terms[place] = t
  end
  return t
end

-- each answers every item with the string that answer(key, item) returns. Where
-- a record holds something else than a number, arithmetic raises an error: that
-- item fails alone, and the loop goes on behind it. To look at every number
-- beforehand would cost a tenth of all.
local function each(answer)
  local i, n = done, #KEYS -- the first ones have been answered, see first.lua
  local first = #ARGV - n
  local function run()
    while i < n do
      i, written = i + 1, false
      out[head + i] = answer(KEYS[i], ARGV[first + i])
    end
  end
  while i < n do
    local ok, words = pcall(run)
    if not ok then
      out[head + i] = fail(written and 'X' or 'N', sub(ARGV[first + i], 1, 8), 'the record is corrupt: ' .. tostring(words))
    end
  end
  return out
end
