-- adopt says since when definitions are in force. KEYS: definitions, marks (see
-- record.lua). ARGV: life of a key in ms; then for each item its job, definition,
-- hash, and generation. The reply has for each: since, epoch, watermark, and 1 if a
-- newer definition is in force. A definition is kept as since, epoch, itself, and in a
-- line of its own the hash.
local DEFS, MARKS, LIFE = KEYS[1], KEYS[2], ARGV[1]
local call, format, match, max = redis.call, string.format, string.match, math.max
local clock = call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local out = {}
for i = 2, #ARGV, 4 do
  local job, def, hash, generation = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3] + 0
  local since, epoch, known = match(call('HGET', DEFS, job) or '', '^(%d+) (%d+) (.*)$')
  local before, known_hash = match(known or '', '^([^\n]*)\n?(.*)$')
  since, epoch = (since or now) + 0, (epoch or 0) + 0
  local marks = call('HGET', MARKS, job) or '0 0 0 0'
  local told, rest = match(marks, '^(%d+)( .*)$')
  told, rest = (told or 0) + 0, rest or ' 0 0 0'
  local takes, superseded = not known or before ~= def, 0
  if known and hash ~= '' and known_hash ~= '' then
    takes = known_hash ~= hash and generation > epoch
    superseded = known_hash ~= hash and generation < epoch and 1 or 0
  elseif hash ~= '' then
    takes = true
  end
  if takes then
    if not known or before ~= def then
      since = now
      if told < now then
        told = now
        call('HSET', MARKS, job, format('%.0f', told) .. rest)
      end
    end
    epoch = hash ~= '' and max(epoch, generation) or epoch + 1
    call('HSET', DEFS, job, format('%.0f %.0f ', since, epoch) .. def .. '\n' .. hash)
  end
  out[#out + 1] = format('%.0f', since)
  out[#out + 1] = format('%.0f', epoch)
  out[#out + 1] = format('%.0f', told)
  out[#out + 1] = format('%d', superseded)
end
call('PEXPIRE', DEFS, LIFE)
call('PEXPIRE', MARKS, LIFE)
return out
