-- adopt says since when definitions are in force. KEYS: definitions, marks (see
-- record.lua). ARGV: life of a key in ms; then for each item its job and
-- definition. The reply has for each: since, epoch, watermark.
local DEFS, MARKS, LIFE = KEYS[1], KEYS[2], ARGV[1]
local call, format = redis.call, string.format
local clock = call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local out = {}
for i = 2, #ARGV, 2 do
  local job, def = ARGV[i], ARGV[i + 1]
  local since, epoch, known = string.match(call('HGET', DEFS, job) or '', '^(%d+) (%d+) (.*)$')
  local marks = call('HGET', MARKS, job) or '0 0 0 0'
  local told, rest = string.match(marks, '^(%d+)( .*)$')
  told, rest = (told or 0) + 0, rest or ' 0 0 0'
  if known ~= def then
    if told < now then
      told = now
      call('HSET', MARKS, job, format('%.0f', told) .. rest)
    end
    since = now
    epoch = (epoch or 0) + 1
    call('HSET', DEFS, job, format('%.0f %.0f ', since, epoch) .. def)
  end
  out[#out + 1] = format('%.0f', since + 0)
  out[#out + 1] = format('%.0f', epoch + 0)
  out[#out + 1] = format('%.0f', told)
end
call('PEXPIRE', DEFS, LIFE)
call('PEXPIRE', MARKS, LIFE)
return out
