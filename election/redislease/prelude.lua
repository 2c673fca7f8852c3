-- What every script shares. KEYS are the records of one shard, one per item; a
-- key may stand there twice. ARGV begins with a table of terms, so that what
-- many items have in common is sent once; the items follow. The reply is one
-- flat array of strings: the server's time in ms, then the same number of
-- strings for each item. An item that fails answers alone, as
-- "!<kind> <echo> <words>": B bad arguments, N certainly not applied, X unknown.
-- Redis judges expiry by its own clock, read once for the whole batch.

local MAX = 9007199254740991 -- the last integer a Lua number keeps exactly
local DAY = 86400000
local MINTICK, ENDTICK = 946684800000, 8993721600000

local clock = redis.call('TIME')
local us = clock[1] * 1000000 + clock[2]
local now = math.floor(us / 1000)

local format = string.format
local function int(n)
  return format('%.0f', n)
end

local out = { int(now) }
local function put(s)
  out[#out + 1] = s
end

local function whole(n, low, high)
  return n and n >= low and n <= high and n % 1 == 0
end

-- num reads a number of a record. A value that is no whole number means that
-- something else wrote the record: bad is set, and nobody may act on it.
local bad = false
local tonumber = tonumber
local function num(v)
  if not v or v == '' then
    return 0
  end
  local n = tonumber(v)
  if n and n >= 0 and n <= MAX and n % 1 == 0 then
    return n
  end
  bad = true
  return 0
end

-- fetch reads fields of a record; nil and the reason if it cannot.
local function fetch(key, ...)
  local v = redis.pcall('HMGET', key, ...)
  if v.err then
    return nil, v.err
  end
  return v
end

-- save writes fields, then sets how long the record lives: for ms, and while
-- its gate is closed. HSET is the one write of data; if it fails, nothing happened.
local function save(key, r, ms, ...)
  local w = redis.pcall('HSET', key, ...)
  if type(w) == 'table' and w.err then
    return 'N', w.err
  end
  if r.shutfor == 0 then
    w = redis.pcall('PERSIST', key)
  else
    w = redis.pcall('PEXPIRE', key, int(math.max(ms, r.shutfor, 1)))
  end
  if type(w) == 'table' and w.err then
    return 'X', w.err
  end
end

-- shutfor is how long a closed gate keeps its record alive: 0 is for ever, less
-- is not at all.
local function shutfor(gc, gu)
  if gc ~= '1' then
    return -1
  end
  local till = num(gu)
  if till == 0 then
    return 0
  end
  return till > now and till - now or -1
end

-- push puts an outcome in front of a ring of 32 entries of 17 bytes.
local function past(tok)
  return string.format('%016.0f', tok)
end
local function push(ring, tok, outcome)
  return string.sub(past(tok) .. outcome .. ring, 1, 544)
end

local function fail(kind, echo, words)
  put('!' .. kind .. ' ' .. echo .. ' ' .. words)
end
