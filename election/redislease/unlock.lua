-- The end of a plain lock (see lock.lua) that its holder has: the record goes.
-- What is not that goes the long way, with all behind it.
if #ARGV == #KEYS + 1 and string.sub(ARGV[1], 17, 28) == '           0' then
  local call, sub = redis.pcall, string.sub
  clock = redis.call('TIME')
  for i = 1, #KEYS do
    local h, item = call('HGET', KEYS[i], 'h'), ARGV[i + 1]
    if type(h) ~= 'string' or sub(h, 1, 36) ~= '1 ' .. sub(item, 1, 32) .. ' C' or sub(h, 119, 119) ~= '0' then
      break
    end
    local token = sub(item, 33, 48)
    if sub(h, 140, 155) ~= token or call('DEL', KEYS[i]) ~= 1 then
      break
    end
    done, clock[i + 2] = i, 'G ' .. sub(item, 1, 8) .. ' 0 0 ' .. token .. ' - '
  end
  if done == #KEYS then
    return table.concat(clock, '\n')
  end
end
