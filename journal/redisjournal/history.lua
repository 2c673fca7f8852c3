-- What the scripts that know rows share. A row is text: 45 bytes that scripts
-- read, then what they copy. Places:
--
--    1 version: 1            5 ended, ms, 0: unknown (13)    36 length of the id (3)
--    2 scheduled: s or -    18 tick, ms, 0: unknown (13)     39 number of tries (2)
--    3 acknowledged: k or - 31 attempt (5)                   41 length of the tries (5)
--    4 state: r, t, e       46 the id, the tries, the rest
--
-- A job's history is three lists, newest first: g succeeded, x otherwise, n not run.
local KEYS, ARGV, call, sub, format = KEYS, ARGV, redis.call, string.sub, string.format

local HEAD = 45

-- carries tells whether text is the row of run.
local function carries(text, run)
  return sub(text, 1, 1) == '1' and sub(text, HEAD + 1, HEAD + #run) == run and tonumber(sub(text, 36, 38)) == #run
end

-- seek looks for a run in the three lists from KEYS[first] on, and returns its
-- row, the list and the place.
local function seek(first, run)
  for k = first, first + 2 do
    for place, text in ipairs(call('LRANGE', KEYS[k], '0', '-1')) do
      if carries(text, run) then
        return text, KEYS[k], place - 1
      end
    end
  end
end
