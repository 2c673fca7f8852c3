-- KEYS: states. Answers version and data of each, empty if there is none.
local answer = {}
for i, key in ipairs(KEYS) do
  local kept = redis.call('HMGET', key, 'v', 'd')
  answer[2 * i - 1] = kept[1] or ''
  answer[2 * i] = kept[2] or ''
end
return answer
