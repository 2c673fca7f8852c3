-- What all of claim.lua shares, and what seldom becomes of a claim.

-- tell is the usual answer to item: the letter, the echo, the time that the
-- letter is about, and what stands in r from the attempt to the holder's name.
local function tell(letter, item, ms, r)
  return letter .. ' ' .. sub(item, 1, 8) .. ' ' .. ms .. ' ' .. sub(r, 135, 191 + sub(r, 188, 190))
end

-- usText is the server's time in us, as tokens are written.
local usText = #clock[1] + #clock[2] == 16 and clock[1] .. clock[2] or format('%16d', us)

-- grant gives the lease with a token above least: the record, its expiry if that
-- changes, and the token. The ledger is left alone: that is start's to write.
local function grant(key, item, h, with, least)
  local token = us > least and usText or format('%16d', least + 1)
  local gone, expiry = vanish(key, h, with.life, with.keepMs)
  return '1 ' .. sub(item, 1, 32) .. ' C ' .. with.endsText .. ' ' .. with.keep .. ' ' .. gone .. sub(h, 78, 92) ..
    sub(item, 50, 65) .. ' ' .. with.delay .. sub(h, 118, 134) .. '   1 ' .. token .. ' ' .. sub(item, 37, 49) ..
    sub(h, 170, 184) .. sub(item, 95, 96) .. ' ' .. with.holder .. sub(item, 97), expiry, token
end

-- seldom does what verdict asks for and returns the answer. It makes its parts
-- only when it is called: to make a function costs a claim as much as a command.
local function seldom(verdict, key, item, h, with, least)
  local expires, tickText = sub(h, 38, 50) + 0, sub(item, 37, 49)
  local left = expires > now and expires - now or 0

  -- put replaces what stands at a place of s.
  local function put(s, place, new)
    return sub(s, 1, place - 1) .. new .. sub(s, place + #new)
  end

  -- saved returns answer, unless saving went wrong.
  local function saved(answer, wrong, words)
    return wrong and fail(wrong, sub(item, 1, 8), words) or answer
  end

  -- quarantine takes the caller's word for what the record has forgotten, and
  -- keeps everybody out until a lease it may have forgotten too has ended.
  local function quarantine()
    local token, tick = sub(item, 66, 81), sub(item, 82, 94)
    local closed = math.max(expires, with.ends + with.delay)
    local gone, expiry = vanish(key, h, closed - now + with.delay + with.keep, with.keepMs)
    local told = token + 0 > sub(h, 140, 155) + 0 and put(h, 140, token) or h
    local r = tick + 0 > sub(h, 171, 183) + 0 and put(told, 171, tick) or told
    r = sub(EMPTY, 1, 34) .. ' Q ' .. format('%13d', closed) .. ' ' .. with.keep .. ' ' .. gone .. sub(r, 78)
    return saved(tell('Q', item, closed - now, told), save(key, expiry, 'h', put(r, 110, with.delay)))
  end

  -- replay gives the first answer again to a claim whose answer was lost.
  local function replay()
    local ends = math.max(expires, with.ends)
    local gone, expiry = vanish(key, h, ends - now + with.delay + with.keep, with.keepMs)
    local prev = call('HGET', key, 'prev') or ''
    prev = sub(prev, 1, 16) == sub(h, 140, 155) and sub(prev, 17) or ''
    local told = sub(h, 36, 36) == 'C' and h or put(h, 171, sub(h, 79, 91))
    return saved(tell('G', item, ends - now, told) .. prev,
      save(key, expiry, 'h', put(put(h, 38, format('%13d', ends)), 65, gone)))
  end

  -- again answers the claimant that decided the tick without a run: the same as
  -- before. Of the last eight such refusals the field ref holds who asked: 32
  -- digits, the answer, the tick, and the last tick decided before, 13 digits each.
  local function again()
    local ref = call('HGET', key, 'ref') or ''
    local letter, before = string.match(ref, sub(item, 1, 32) .. '(%u)' .. tickText .. '(.............)')
    if letter then
      -- It writes what is there: WAIT after a command that writes nothing may be
      -- about older things, and the first writing may not have been replicated.
      return saved(tell(letter, item, letter == 'K' and left or 0, put(h, 171, before)), save(key, nil, 'h', h))
    end
    return tell('S', item, 0, h)
  end

  local function refuse(letter)
    local gone, expiry = vanish(key, h, left + with.delay + with.keep, with.keepMs)
    local this = sub(item, 1, 32) .. letter .. tickText .. sub(h, 171, 183)
    local ref = sub(this .. (call('HGET', key, 'ref') or ''), 1, 8 * #this)
    local r = put(put(put(h, 65, gone), 121, tickText), 171, tickText)
    return saved(tell(letter, item, letter == 'K' and left or 0, h), save(key, expiry, 'h', r, 'ref', ref))
  end

  -- takeover grants the lease of a run that was found without a holder. What is
  -- known of that run goes into the answer, and beside the new token into the record.
  local function takeover()
    local new, expiry, token = grant(key, item, h, with, least)
    local prev = ' ' .. sub(h, 140, 155) .. ' ' .. sub(h, 157, 169) .. ' ' .. sub(h, 135, 138) .. ' ' ..
      sub(h, 192, 191 + sub(h, 188, 190))
    local crash = format('%d', (call('HGET', key, 'crash') or 0) + 1)
    local past = call('HGET', key, 'past') or '            0'
    local those, ring = push(key, past, sub(h, 140, 155), 'a')
    past = sub(past, 1, 13) .. those
    local answer = tell('G', item, with.ttl, new) .. prev
    if ring then
      return saved(answer, save(key, expiry, 'h', new, 'crash', crash, 'prev', token .. prev, 'past', past, 'ring', ring))
    end
    return saved(answer, save(key, expiry, 'h', new, 'crash', crash, 'prev', token .. prev, 'past', past))
  end

  -- regrant grants what somebody claimed and neither started nor gave back. If that
  -- claim was told of an abandoned run, so is this one: the answer may have been lost.
  local function regrant()
    local prev = call('HGET', key, 'prev') or ''
    local new, expiry, token = grant(key, item, h, with, least)
    if sub(prev, 1, 16) ~= sub(h, 140, 155) then
      return saved(tell('G', item, with.ttl, new), save(key, expiry, 'h', new))
    end
    prev = sub(prev, 17)
    return saved(tell('G', item, with.ttl, new) .. prev, save(key, expiry, 'h', new, 'prev', token .. prev))
  end

  if verdict == 'ahead' then
    return fail('B', sub(item, 1, 8), "floor more than a day ahead of the store's clock")
  elseif verdict == 'refused' then
    return again()
  elseif verdict == 'miss' or verdict == 'close' or verdict == 'skip' then
    return refuse(verdict == 'miss' and 'M' or verdict == 'close' and 'C' or 'K')
  elseif verdict == 'replay' then
    return replay()
  elseif verdict == 'takeover' then
    return takeover()
  elseif verdict == 'regrant' then
    return regrant()
  elseif verdict == 'lostdata' then
    return quarantine()
  elseif verdict == 'heldrun' then
    return tell('R', item, left, h)
  elseif verdict == 'early' then
    return tell('E', item, tickText - now, h)
  elseif verdict == 'superseded' then
    return tell('U', item, 0, h)
  elseif verdict == 'abandoned' then
    return tell('D', item, expires + with.delay - now, h)
  end
  return tell(verdict == 'revoked' and 'D' or 'Q', item, left, h)
end
