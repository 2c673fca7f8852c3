-- release ends leases and keeps how the runs went. Places in an item: 1 owner
-- (32), 33 token (16), 49 outcome letter, 50 term (3). One string answers an
-- item, as in hold.lua; its sixth word is the outcome that was kept before.

local function answer(letter, item, token, kept)
  return letter .. ' ' .. sub(item, 1, 8) .. ' 0 0 ' .. token .. ' ' .. kept .. ' '
end

-- outcome is how the lease with this token ended; nil if that is not known.
local function outcome(key, past, token)
  local all = sub(sub(past, 14) .. (call('HGET', key, 'ring') or ''), 1, 544)
  local _, at = string.find(all, token, 1, true)
  return at and sub(all, at + 1, at + 1)
end

-- tooLate answers somebody who does not hold the lease, and counts it.
local function tooLate(key, item, h)
  local wrong, words
  if h ~= EMPTY then
    wrong, words = save(key, nil, 'late', format('%d', (call('HGET', key, 'late') or 0) + 1))
  end
  if wrong then
    return fail(wrong, sub(item, 1, 8), words)
  end
  local held = sub(h, 3, 3) ~= '-'
  return answer('L', item, sub(h, 140, 155), '-') .. (held and sub(h, 192, 191 + sub(h, 188, 190)) or '')
end

-- finish ends the lease; without retention and without a gate there is nothing
-- to keep.
local function finish(key, h, past, token, letter, with)
  if with.keepMs == 0 and sub(h, 119, 119) == '0' then
    local w = call('DEL', key)
    if type(w) == 'table' then
      return 'N', w.err
    end
    written = true
    return
  end
  local those, ring = push(key, past, token, letter)
  local completed, tick = past == '' and '            0' or sub(past, 1, 13), sub(h, 157, 169)
  if letter == 's' and tick + 0 > completed + 0 then
    completed = tick
  end
  local gone, expiry = vanish(key, h, with.keepMs, with.keepMs)
  local r = sub(EMPTY, 1, 34) .. (letter == 'u' and ' - ' or ' D ') .. '            0 ' .. with.keep .. ' ' .. gone ..
    sub(h, 78)
  if ring then
    return save(key, expiry, 'h', r, 'past', completed .. those, 'ring', ring)
  end
  return save(key, expiry, 'h', r, 'past', completed .. those)
end

return each(function(key, item)
  local h, past = open(key, 'past')
  if not h then
    return fail('N', sub(item, 1, 8), past)
  end
  local token, letter, state = sub(item, 33, 48), sub(item, 49, 49), sub(h, 36, 36)
  local mine = sub(h, 140, 155) == token and sub(h, 3, 34) == sub(item, 1, 32)
  -- A lease in hand was not released before, unless it came back by a renewal.
  local kept = (not mine or state == 'I') and outcome(key, past, token)
  if kept then
    return answer('A', item, sub(h, 140, 155), kept)
  elseif not mine then
    return tooLate(key, item, h)
  elseif letter == 'u' and state ~= 'C' then
    return fail('B', sub(item, 1, 8), 'a run that has started cannot be undone')
  end
  local wrong, words = finish(key, h, past, token, letter, term(sub(item, 50, 52)))
  if wrong then
    return fail(wrong, sub(item, 1, 8), words)
  end
  return answer('G', item, token, '-')
end)
