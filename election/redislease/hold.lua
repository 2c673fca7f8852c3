-- What start and renew share. Terms: ttl, retention, holder. Items: owner,
-- token, tick, term. One string an item.

local function read(key)
  bad = false
  local v, err = fetch(key, 'own', 'tok', 'exp', 'st', 'tick', 'dec', 'pdec', 'att', 'meta', 'ld', 'gc', 'gu')
  if not v then
    return nil, err
  end
  local r = {
    found = v[2] or v[6] or v[11], own = v[1] or '', tok = num(v[2]), exp = num(v[3]), st = v[4] or '',
    tick = num(v[5]), dec = num(v[6]), pdec = num(v[7]), att = num(v[8]), meta = v[9] or '', ld = num(v[10]),
    shutfor = shutfor(v[11], v[12]),
  }
  if bad then
    return nil, 'the record is corrupt'
  end
  return r
end

local function answer(letter, h, r, dec)
  local by = letter == 'L' and r.own ~= '' and r.meta or ''
  local rest = letter == 'L' and 0 or math.max(r.exp - now, 0)
  put(letter .. ' ' .. h.echo .. ' ' .. int(r.tok) .. ' ' .. int(rest) .. ' ' .. int(dec) .. ' - ' .. by)
end

-- extend writes the fields given, and a lease that never gets shorter.
local function extend(key, h, r, ...)
  r.exp = math.max(r.exp, now + h.ttl)
  return save(key, r, r.exp - now + r.ld + h.keep, 'exp', int(r.exp), 'ret', int(h.keep), ...)
end

local function fault(h)
  if #h.owner ~= 32 or not whole(h.token, 1, MAX) then
    return 'owner or token is out of range'
  elseif not (whole(h.ttl, 100, DAY) and whole(h.keep, 0, 3660 * DAY) and #h.holder <= 200) then
    return 'ttl, retention or holder is out of range'
  elseif h.tick ~= 0 and not whole(h.tick, MINTICK, ENDTICK - 1) then
    return 'tick is not between 2000 and 2255'
  end
end

-- each answers every item with decide(key, hold, record).
local function each(decide)
  local terms = {}
  for i = 1, tonumber(ARGV[1]) do
    local b = 3 * i - 2
    terms[i] = { ttl = tonumber(ARGV[b + 1]), keep = tonumber(ARGV[b + 2]), holder = ARGV[b + 3] }
  end
  local base = 1 + 3 * #terms
  for i, key in ipairs(KEYS) do
    local term = terms[tonumber(ARGV[base + 4])] or { holder = '' }
    local h = {
      owner = ARGV[base + 1] or '', token = tonumber(ARGV[base + 2]), tick = tonumber(ARGV[base + 3]),
      ttl = term.ttl, keep = term.keep, holder = term.holder, echo = string.sub(ARGV[base + 1] or '', 1, 8),
    }
    local wrong = fault(h)
    local r, err
    if not wrong then
      r, err = read(key)
    end
    if wrong then
      fail('B', h.echo, wrong)
    elseif not r then
      fail('N', h.echo, err)
    else
      r.mine = r.own == h.owner and r.tok == h.token
      local kind, words = decide(key, h, r)
      if kind then
        fail(kind, h.echo, words)
      end
    end
    base = base + 4
  end
  return out
end
