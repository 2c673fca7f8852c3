-- claim gives the lease of a record to one claimant, or says why not. What
-- becomes of nearly every claim is here, the rest in seldom.lua. Places in an
-- item: 1 owner (32), 33 kind, 34 term (3), 37 tick (13), 50 epoch (16), 66
-- floor token (16), 82 floor tick (13), 95 length of the definition (2), 97 the
-- definition. Kinds: T tick, Q tick that queues behind an older run, R request,
-- F forfeit.

-- weigh names what becomes of the claim item, with this lock delay, on the
-- record h: the first rule that matches. It also returns the highest token that
-- is known.
local function weigh(key, item, h, delay)
  local kind, tickText, ftok, ftick = sub(item, 33, 33), sub(item, 37, 49), sub(item, 66, 81) + 0, sub(item, 82, 94) + 0
  local state, tok, dec = sub(h, 36, 36), sub(h, 140, 155) + 0, sub(h, 171, 183) + 0
  local scheduled, tick, expires, taken = kind ~= 'R', tickText + 0, 0, false
  if state ~= 'D' and state ~= '-' then -- in those it is 0, and to read a number is dear
    expires, taken = sub(h, 38, 50) + 0, state ~= 'V' and state ~= 'Q'
  end
  local live = taken and expires > now
  local same = live and tickText == sub(h, 157, 169)
  local verdict = 'grant'
  if ftok > us + 86400000000 or ftick > now + 86400000 then
    verdict = 'ahead'
  elseif tok < ftok or dec < ftick then
    verdict = 'lostdata'
  elseif same and kind ~= 'F' and sub(item, 1, 32) == sub(h, 3, 34) then
    verdict = 'replay'
  elseif sub(item, 50, 65) ~= sub(h, 93, 108) and sub(item, 50, 65) + 0 < sub(h, 93, 108) + 0 then
    verdict = 'superseded'
  elseif scheduled and tick <= dec then
    verdict = tick > sub(h, 121, 133) + 0 and 'spent' or 'refused'
  elseif scheduled and tick > now then
    verdict = 'early'
  elseif scheduled and same then
    verdict = 'held'
  elseif scheduled and sub(h, 119, 119) == '1' and tick < shut(key) then
    verdict = 'close' -- before a miss: it was closed on purpose, whoever came in time or not
  elseif kind == 'F' then
    verdict = 'miss'
  elseif live then
    verdict = state == 'C' and 'held' or kind == 'T' and 'skip' or 'heldrun'
  elseif taken and state ~= 'C' then
    verdict = now < expires + delay and 'abandoned' or 'takeover'
  elseif now < expires then
    verdict = state == 'V' and 'revoked' or 'quarantine'
  elseif state == 'C' then
    verdict = 'regrant' -- a claim that has expired is free, but may know of an abandoned run
  end
  return verdict, tok > ftok and tok or ftok
end

return each(function(key, item)
  local h, unread = open(key)
  if not h then
    return fail('N', sub(item, 1, 8), unread)
  end
  local with = term(sub(item, 34, 36))
  local verdict, least = weigh(key, item, h, with.delay)
  if verdict == 'spent' then
    return tell('S', item, '0', h)
  elseif verdict == 'held' then
    return tell('H', item, sub(h, 38, 50) - now, h)
  elseif verdict ~= 'grant' then
    return seldom(verdict, key, item, h, with, least)
  end
  local new, expiry, token = grant(key, item, h, with, least)
  local unsaved, words = save(key, expiry, 'h', new)
  if unsaved then
    return fail(unsaved, sub(item, 1, 8), words)
  end
  return 'N ' .. sub(item, 1, 8) .. ' ' .. token .. sub(h, 170, 184) -- in short: the claimant knows the rest
end)
