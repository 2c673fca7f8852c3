-- What every script shares. KEYS are records of one shard, one for each item; a
-- key may stand there twice. Redis judges expiry by its own clock, read once for
-- the whole batch. The reply is a flat array of strings: seconds and microseconds
-- of that clock, then those of each item. An item that fails answers alone, as
-- "!<kind> <echo> <words>": B bad arguments, N certainly not applied, X unknown.
--
-- A record is a hash. What every step needs is packed into its field h, as one
-- field is read and written for a fraction of what a dozen cost. Its parts stand
-- at fixed places, divided by a space, and numbers are right-aligned in spaces,
-- so that a part is cut out by place, copied as it came, and equal numbers are
-- equal strings. (Zeros would not do: some Lua reads 010 as eight. Nor may such
-- strings be compared with <, which asks the server's locale.) Places:
--
--     1 layout          79 before        140 token (16)
--     3 owner (32)      93 epoch (16)    157 tick of the holder, now or last
--    36 state          110 lock delay    171 last tick decided
--    38 expires        119 gate: 0, 1    185 length of the definition (2)
--    52 retention (12) 121 refused       188 length of the holder's name (3)
--    65 vanishes       135 attempt (4)   192 that name, then the definition
--
-- Moments are 13 digits of ms; vanishes is when the key expires, 0 never; before
-- is the last tick decided before the holder's start; refused is the last tick
-- decided without a run. States: - free, C claimed, R running, I running by
-- reinstatement, D done, V revoked, Q quarantine. In C, R and I there is an owner.
--
-- Redis hashes every byte of every string that passes through Lua, so what is
-- seldom needed stays out of h, in fields of its own: past and ring (see
-- ring.lua), prev, ref, crash, late; gu, gr, gb (gate: until, reason, by); rb and
-- rr (revoked: by, reason). With 1 in gate, ticks before gu are closed, all of them
-- if it is 0; a gate that was opened is one whose gu has passed.

local KEYS, ARGV, call, sub, format = KEYS, ARGV, redis.pcall, string.sub, string.format

-- EMPTY is the packed part of no record: 191 bytes, nobody's.
local EMPTY = '1 -------------------------------- -             0            0             0             0                0        0 0             0    0                0             0             0  0   0 '

clock = clock or redis.call('TIME')
local us = clock[1] * 1000000 + clock[2]
local now = (us - us % 1000) / 1000

local out, head = clock, 2 -- the reply, and how much of it stands before the items

local function fail(kind, echo, words)
  return '!' .. kind .. ' ' .. echo .. ' ' .. words
end

-- open reads the packed part of a record, and one more field if it is named; nil
-- and the reason if it cannot.
local function open(key, field)
  local h = call('HGET', key, 'h')
  if not h then
    return EMPTY, ''
  elseif #h >= 191 and sub(h, 1, 2) == '1 ' then
    return h, field and call('HGET', key, field) or ''
  end
  return nil, type(h) == 'table' and h.err or 'the record has an unknown layout'
end

-- shut is the moment before which every tick is closed; huge if all are. It is
-- for records with a 1 in gate.
local function shut(key)
  local till = call('HGET', key, 'gu') + 0
  return till > 0 and till or math.huge
end

-- vanish says when a record must expire that has to live for so many ms, and
-- for a week after the last tick that its gate closes, as slow replicas may come
-- with that: as it is written, then the number if that is a change. A record with
-- a long retention is kept for up to a quarter longer, so that most steps need
-- not move its expiry.
local function vanish(key, h, life, keep, till)
  local want = now + (life > 1 and life or 1)
  if sub(h, 119, 119) == '1' then
    till = till or shut(key)
    if till == math.huge then
      return '            0', 0
    end
    want = math.max(want, till + 604800000)
  end
  local slack = keep >= 60000 and (keep - keep % 8) / 8 or 0
  local is = sub(h, 65, 77)
  local at = is + 0
  if at >= want and at <= want + 2 * slack then
    return is
  end
  want = want + slack
  return format('%13d', want), want
end

-- save writes fields, then moves the expiry if it must: to a moment, to never
-- with 0, not at all with nil. HSET is the one write of data: if it fails,
-- nothing happened.
local written = false
local function save(key, expiry, ...)
  local w = call('HSET', key, ...)
  if w ~= 0 and type(w) == 'table' then
    return 'N', w.err
  end
  written = true
  if not expiry then
    return
  elseif expiry == 0 then
    w = call('PERSIST', key)
  else
    w = call('PEXPIREAT', key, format('%d', expiry))
  end
  if type(w) == 'table' then
    return 'X', w.err
  end
end
