-- A plain lock is a request for a record that keeps nothing: no retention, no
-- floors. Nearly always nobody has it, and the record is not there. Such claims
-- are granted here, before anything else is read or made: to make the functions
-- below costs as much as this does. HSETNX looks and writes at once. The first
-- item that is not such a claim goes the long way, and all behind it, so that
-- items of one key keep their order. The record is the one that grant (see
-- seldom.lua) would make of EMPTY, byte by byte.
if #ARGV == #KEYS + 1 and string.sub(ARGV[1], 17, 28) == '           0' then
  local call, sub, format, sent = redis.pcall, string.sub, string.format, ARGV[1]
  clock = redis.call('TIME')
  local us = clock[1] * 1000000 + clock[2]
  local now = (us - us % 1000) / 1000
  local token, dies = format('%16d', us), now + sub(sent, 29, 40)
  local lease = ' C ' .. format('%13d', now + sub(sent, 1, 8)) .. '            0 ' .. format('%13d', dies) .. '             0 '
  local rest = ' ' .. sub(sent, 9, 16) .. ' 0             0    1 ' .. token .. '             0             0 '
  local holder, expiry, told = ' ' .. sub(sent, 41), format('%d', dies), ' ' .. token .. '             0 '
  for i = 1, #KEYS do
    local key, item = KEYS[i], ARGV[i + 1]
    if sub(item, 33, 33) ~= 'R' or sub(item, 66, 94) ~= '               0            0' then
      break
    end
    if call('HSETNX', key, 'h', '1 ' .. sub(item, 1, 32) .. lease .. sub(item, 50, 65) .. rest .. sub(item, 95, 96) ..
      holder .. sub(item, 97)) ~= 1 then
      break
    end
    redis.call('PEXPIREAT', key, expiry) -- should it fail, so does all, and nobody knows what was done
    done, clock[i + 2] = i, 'N ' .. sub(item, 1, 8) .. told
  end
  if done == #KEYS then
    return table.concat(clock, '\n')
  end
end
