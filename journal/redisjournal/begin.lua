-- begin gives requests to tokens. ARGV, after the first: id and token of each. The
-- reply has for each: 0 gone, 1 begun, 2 another token has it.
local out = {}
for i = 2, #ARGV, 2 do
  local id, token = ARGV[i], ARGV[i + 1]
  local answer = 0
  if call('HEXISTS', ASKS, id) == 1 then
    local has = call('HGET', TOKENS, id)
    if not has then
      call('HSET', TOKENS, id, token)
      call('ZREM', DUE, id)
      call('ZADD', BEGUN, ms(now), id)
    end
    answer = (not has or has == token) and 1 or 2
  end
  out[#out + 1] = answer
end
live()
return out
