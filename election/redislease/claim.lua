-- Terms: ttl, lock delay, retention, holder. Items: owner, term * 8 + mode * 2
-- + queue, tick, epoch, floor token, floor tick, definition. Two strings an item.

local REQUEST, FORFEIT = 1, 2
local LETTERS = { held = 'H', heldrun = 'R', revoked = 'D', quarantine = 'Q' }

local function read(key)
  bad = false
  local v, err = fetch(key, 'own', 'tok', 'exp', 'st', 'tick', 'dec', 'pdec', 'att', 'crash', 'epoch',
    'meta', 'ring', 'gc', 'gu', 'prev', 'ref')
  if not v then
    return nil, err
  end
  local r = {
    own = v[1] or '', tok = num(v[2]), exp = num(v[3]), st = v[4] or '', tick = num(v[5]), dec = num(v[6]),
    pdec = num(v[7]), att = num(v[8]), crash = num(v[9]), epoch = num(v[10]), meta = v[11] or '',
    ring = v[12] or '', shutfor = shutfor(v[13], v[14]), prev = v[15] or '', ref = v[16] or '',
  }
  if bad then
    return nil, 'the record is corrupt'
  end
  r.live = r.own ~= '' and r.exp > now
  r.abandoned = r.own ~= '' and r.st == 'running' and r.exp <= now
  r.shut = v[13] == '1' and r.shutfor >= 0
  r.left = math.max(r.exp - now, 0)
  return r
end

local function item(base, terms)
  local code = tonumber(ARGV[base + 2])
  local term = code and terms[math.floor(code / 8)]
  if not term then
    return nil
  end
  local kind = code % 8
  return {
    owner = ARGV[base + 1], mode = math.floor(kind / 2), queue = kind % 2 == 1, tick = tonumber(ARGV[base + 3]),
    epoch = tonumber(ARGV[base + 4]), ftok = tonumber(ARGV[base + 5]), ftick = tonumber(ARGV[base + 6]),
    def = ARGV[base + 7], ttl = term.ttl, delay = term.delay, keep = term.keep, holder = term.holder,
    good = term.good,
  }
end

local function fault(c)
  if #c.owner ~= 32 then
    return 'owner is not 32 digits'
  elseif not c.good then
    return 'ttl, lock delay, retention or holder is out of range'
  elseif c.mode == REQUEST and c.tick ~= 0 then
    return 'a request has no tick'
  elseif c.mode ~= REQUEST and not whole(c.tick, MINTICK, ENDTICK - 1) then
    return 'tick is not between 2000 and 2255'
  elseif not (c.mode <= FORFEIT and whole(c.epoch, 0, MAX) and #c.def <= 64) then
    return 'mode, epoch or definition is out of range'
  elseif not (whole(c.ftok, 0, us + DAY * 1000) and whole(c.ftick, 0, now + DAY)) then
    return "floor more than a day ahead of the store's clock"
  end
end

-- weigh names what becomes of claim c on record r; the first rule that matches.
local function weigh(r, c)
  local scheduled = c.mode ~= REQUEST
  if r.tok < c.ftok or r.dec < c.ftick then
    return 'lostdata'
  elseif c.mode ~= FORFEIT and r.live and r.own == c.owner and r.tick == c.tick then
    return 'replay'
  elseif c.epoch < r.epoch then
    return 'superseded'
  elseif scheduled and c.tick <= r.dec then
    r.said = r.ref ~= '' and string.match(r.ref, c.owner .. '(%u' .. format('%013.0f', c.tick) .. '%d+)')
    return r.said and 'repeat' or 'spent'
  elseif scheduled and c.tick > now then
    return 'early'
  elseif scheduled and r.live and r.tick == c.tick then
    return 'held'
  elseif c.mode == FORFEIT then
    return 'miss'
  elseif scheduled and r.shut then
    return 'close'
  elseif r.live and r.st == 'claimed' then
    return 'held'
  elseif r.live then
    return scheduled and not c.queue and 'skip' or 'heldrun'
  elseif r.abandoned and now < r.exp + c.delay then
    return 'abandoned'
  elseif now < r.exp and (r.st == 'revoked' or r.st == 'quarantine') then
    return r.st
  end
  return 'grant'
end

local function quarantine(key, r, c)
  r.tok, r.dec = math.max(r.tok, c.ftok), math.max(r.dec, c.ftick)
  r.exp = math.max(r.exp, now + c.ttl + c.delay)
  r.left = r.exp - now
  return save(key, r, r.left + c.delay + c.keep, 'own', '', 'tok', int(r.tok), 'dec', int(r.dec),
    'st', 'quarantine', 'exp', int(r.exp), 'ld', int(c.delay), 'ret', int(c.keep))
end

local function replay(key, r, c)
  r.exp = math.max(r.exp, now + c.ttl)
  r.left = r.exp - now
  return save(key, r, r.left + c.delay + c.keep, 'exp', int(r.exp))
end

-- refuse keeps, for the last eight ticks decided without a run, who asked: 32
-- digits, the answer, the tick, and the last tick decided before, 13 digits each.
local function refuse(key, r, c, letter)
  local this = c.owner .. letter .. format('%013.0f%013.0f', c.tick, r.dec)
  return save(key, r, r.left + c.delay + c.keep, 'dec', int(c.tick), 'ref', string.sub(this .. r.ref, 1, 8 * #this))
end

-- grant gives the lease to c. The ledger is left alone: that is start's to write.
local function grant(key, r, c)
  local tok = math.max(r.tok + 1, us, c.ftok + 1)
  r.prev = ''
  if r.abandoned then
    r.prev = int(r.tok) .. ' ' .. int(r.tick) .. ' ' .. int(r.att) .. ' ' .. r.meta
    r.ring, r.crash = push(r.ring, r.tok, 'a'), r.crash + 1
  end
  r.tok, r.exp, r.left, r.tick, r.att, r.meta = tok, now + c.ttl, c.ttl, c.tick, 1, c.holder
  local write = { key, r, c.ttl + c.delay + c.keep,
    'own', c.owner, 'tok', int(tok), 'exp', int(r.exp), 'st', 'claimed', 'tick', int(c.tick), 'att', '1',
    'meta', c.holder, 'epoch', int(math.max(r.epoch, c.epoch)), 'def', c.def, 'ld', int(c.delay),
    'ret', int(c.keep), 'prev', r.prev }
  if r.prev ~= '' then
    for _, s in ipairs({ 'ring', r.ring, 'crash', int(r.crash) }) do
      write[#write + 1] = s
    end
  end
  return save(unpack(write))
end

-- act does what verdict asks for: the answer's letter, its remaining time, its
-- ledger and its attempt; then, if a write failed, the kind of failure and its words.
local function act(verdict, key, r, c)
  local dec, rest, kind, words = r.dec, 0, nil, nil
  if verdict == 'lostdata' then
    kind, words = quarantine(key, r, c)
    return 'Q', r.left, dec, 0, kind, words
  elseif verdict == 'replay' then
    kind, words = replay(key, r, c)
    return 'G', r.left, r.st == 'running' and r.pdec or dec, r.att, kind, words
  elseif verdict == 'repeat' then
    local letter = string.sub(r.said, 1, 1)
    return letter, letter == 'K' and r.left or 0, num(string.sub(r.said, 15, 27)), 0
  elseif verdict == 'miss' or verdict == 'close' or verdict == 'skip' then
    local letter = verdict == 'miss' and 'M' or verdict == 'close' and 'C' or 'K'
    kind, words = refuse(key, r, c, letter)
    return letter, letter == 'K' and r.left or 0, dec, 0, kind, words
  elseif verdict == 'grant' then
    kind, words = grant(key, r, c)
    return 'G', r.left, dec, r.att, kind, words
  elseif verdict == 'superseded' or verdict == 'spent' then
    return verdict == 'spent' and 'S' or 'U', 0, dec, 0
  elseif verdict == 'early' then
    return 'E', c.tick - now, dec, 0
  elseif verdict == 'abandoned' then
    return 'D', r.exp + c.delay - now, dec, 0
  end
  return LETTERS[verdict], r.left, dec, 0
end

local function claim(key, c, echo)
  local r, err = read(key)
  if not r then
    return fail('N', echo, err)
  end
  local letter, rest, dec, att, kind, words = act(weigh(r, c), key, r, c)
  if kind then
    return fail(kind, echo, words)
  end
  put(letter .. ' ' .. echo .. ' ' .. int(r.tok) .. ' ' .. int(rest) .. ' ' .. int(r.tick) .. ' ' .. int(dec) ..
    ' ' .. int(att) .. ' ' .. r.meta)
  return letter == 'G' and r.prev or ''
end

local terms = {}
for i = 1, tonumber(ARGV[1]) do
  local b = 4 * i - 3
  local t = { ttl = tonumber(ARGV[b + 1]), delay = tonumber(ARGV[b + 2]), keep = tonumber(ARGV[b + 3]), holder = ARGV[b + 4] }
  t.good = whole(t.ttl, 100, DAY) and whole(t.delay, 0, DAY) and whole(t.keep, 0, 3660 * DAY) and #t.holder <= 200
  terms[i] = t
end
local base = 1 + 4 * #terms
for i, key in ipairs(KEYS) do
  local c = item(base, terms)
  local echo = string.sub(ARGV[base + 1] or '', 1, 8)
  local wrong = not c and 'incomplete' or fault(c)
  if wrong then
    fail('B', echo, wrong)
    put('')
  else
    put(claim(key, c, echo) or '')
  end
  base = base + 7
end
return out
