-- What the scripts of the queue share. KEYS: requests by id; ids of those that
-- nobody has begun, by the ms when they come due; ids of those begun, by when;
-- the tokens that have begun them; ids of those that are gone, by when they are
-- forgotten; stops by run; runs of stops, by when they were wished.
-- A request is text: version 1, NotBefore in ms (13), then what is only copied.
-- ARGV[1] is the life of a key in ms.
local KEYS, ARGV, call, sub, format = KEYS, ARGV, redis.call, string.sub, string.format
local ASKS, DUE, BEGUN, TOKENS, GONE, STOPS, WISHED = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]

local clock = call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local MEMORY, KNOWN = 24 * 3600 * 1000, 200000

local function ms(n)
  return format('%.0f', n)
end

-- live gives all keys their life again.
local function live()
  for _, key in ipairs(KEYS) do
    call('PEXPIRE', key, ARGV[1])
  end
end

-- forget removes a request, but for its id.
local function forget(id)
  if call('HDEL', ASKS, id) == 1 then
    call('ZREM', DUE, id)
    call('ZREM', BEGUN, id)
    call('HDEL', TOKENS, id)
    call('ZADD', GONE, ms(now + MEMORY), id)
  end
end
