-- checkpoint keeps data under a token of 19 digits; 0 if a higher one has been
-- there. KEYS: the checkpoint. ARGV: life of the key in ms, token, data. A token
-- is compared in two parts: as one number it could lose its last digits.
local was, token = redis.call('HGET', KEYS[1], 't') or '', ARGV[2]
local function part(text, from, to)
  return tonumber(string.sub(text, from, to)) or 0
end
local high, low = part(was, 1, 10) - part(token, 1, 10), part(was, 11, 19) - part(token, 11, 19)
if high > 0 or high == 0 and low > 0 then
  return 0
end
redis.call('HSET', KEYS[1], 't', token, 'd', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
