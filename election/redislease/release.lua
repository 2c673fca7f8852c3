-- release ends leases and keeps how the runs went. Items: owner, token, outcome
-- letter, retention. One string an item.

local function answer(letter, echo, tok, outcome, by)
  put(letter .. ' ' .. echo .. ' ' .. int(tok) .. ' 0 0 ' .. outcome .. ' ' .. by)
end

local function read(key)
  bad = false
  local v, err = fetch(key, 'own', 'tok', 'st', 'tick', 'lc', 'late', 'ring', 'meta', 'gc', 'gu', 'dec')
  if not v then
    return nil, err
  end
  local r = {
    own = v[1] or '', tok = num(v[2]), st = v[3] or '', tick = num(v[4]), lc = num(v[5]), late = num(v[6]),
    ring = v[7] or '', meta = v[8] or '', closed = v[9] == '1', shutfor = shutfor(v[9], v[10]),
    found = v[2] or v[9] or v[11],
  }
  if bad then
    return nil, 'the record is corrupt'
  end
  return r
end

-- tooLate counts a release by somebody who no longer holds the lease.
local function tooLate(key, e, r)
  if r.found then
    local w = redis.pcall('HSET', key, 'late', int(r.late + 1))
    if type(w) == 'table' and w.err then
      return 'N', w.err
    end
  end
  answer('L', e.echo, r.tok, '-', r.own ~= '' and r.meta or '')
end

-- finish ends the lease; without retention and with an open gate there is
-- nothing to keep.
local function finish(key, e, r)
  if e.keep == 0 and not r.closed then
    local w = redis.pcall('DEL', key)
    if type(w) == 'table' and w.err then
      return 'N', w.err
    end
    return
  end
  local st = e.outcome == 'u' and '' or 'done'
  local lc = e.outcome == 's' and math.max(r.lc, r.tick) or r.lc
  return save(key, r, e.keep, 'own', '', 'exp', '0', 'st', st, 'lc', int(lc), 'ret', int(e.keep),
    'ring', push(r.ring, e.token, e.outcome))
end

local function release(key, e)
  local r, err = read(key)
  if not r then
    return 'N', err
  end
  local _, at = string.find(r.ring, past(e.token), 1, true)
  if at then
    return answer('A', e.echo, r.tok, string.sub(r.ring, at + 1, at + 1), '')
  elseif r.own ~= e.owner or r.tok ~= e.token then
    return tooLate(key, e, r)
  elseif e.outcome == 'u' and r.st ~= 'claimed' then
    return 'B', 'a run that has started cannot be undone'
  end
  local kind, words = finish(key, e, r)
  if kind then
    return kind, words
  end
  answer('G', e.echo, r.tok, '-', '')
end

local base = 0
for i, key in ipairs(KEYS) do
  local e = {
    owner = ARGV[base + 1] or '', token = tonumber(ARGV[base + 2]), outcome = ARGV[base + 3],
    keep = tonumber(ARGV[base + 4]), echo = string.sub(ARGV[base + 1] or '', 1, 8),
  }
  local kind, words
  if #e.owner ~= 32 or not whole(e.token, 1, MAX) or not whole(e.keep, 0, 3660 * DAY)
    or not string.find(e.outcome, '^[sftcilu]$') then
    kind, words = 'B', 'owner, token, outcome or retention is out of range'
  else
    kind, words = release(key, e)
  end
  if kind then
    fail(kind, e.echo, words)
  end
  base = base + 4
end
return out
