-- letters lists dead letters, the last to end first. KEYS: dead letters by their
-- end, dead letters. ARGV: how many at most.
local found = {}
for _, run in ipairs(redis.call('ZREVRANGE', KEYS[1], '0', string.format('%d', ARGV[1] - 1))) do
  local text = redis.call('HGET', KEYS[2], run)
  if text then
    found[#found + 1] = text
  end
end
return found
