-- What start and renew share. Places in an item: 1 owner (32), 33 token (16), 49
-- tick (13), 62 term (3). One string answers an item: letter, echo, remaining
-- time, last tick decided before, token of the record, -, and who has the lease
-- if it is another's.

local item, h, with, expires, mine, held

local function answer(letter, ms, before)
  return letter .. ' ' .. sub(item, 1, 8) .. ' ' .. ms .. ' ' .. before .. ' ' .. sub(h, 140, 155) .. ' - '
end

local function lost()
  return answer('L', '0', '0') .. (held and sub(h, 192, 191 + sub(h, 188, 190)) or '')
end

-- extend saves h with a lease that never gets shorter, and with state, last tick
-- decided and the one before it as given; it answers with letter and told.
local function extend(key, state, decided, before, letter, told)
  local ms, ends = with.ttl, with.endsText
  if expires > with.ends then
    ms, ends = format('%d', expires - now), sub(h, 38, 50)
  end
  local gone, expiry = vanish(key, h, ms + sub(h, 110, 117) + with.keepMs, with.keepMs)
  local wrong, words = save(key, expiry, 'h', sub(h, 1, 35) .. state .. ' ' .. ends .. ' ' .. with.keep .. ' ' ..
    gone .. ' ' .. before .. sub(h, 92, 170) .. decided .. sub(h, 184))
  if wrong then
    return fail(wrong, sub(item, 1, 8), words)
  end
  return answer(letter, ms, told)
end

-- hold answers every item with decide(key).
local function hold(decide)
  return each(function(key, asked)
    local r, words = open(key)
    if not r then
      return fail('N', sub(asked, 1, 8), words)
    end
    item, h, with, expires = asked, r, term(sub(asked, 62, 64)), sub(r, 38, 50) + 0
    held = sub(h, 3, 3) ~= '-'
    mine = sub(h, 140, 155) == sub(item, 33, 48) and sub(h, 3, 34) == sub(item, 1, 32)
    return decide(key)
  end)
end
