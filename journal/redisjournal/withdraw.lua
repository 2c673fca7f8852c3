-- withdraw removes the request ARGV[2] if nobody has begun it, and returns its
-- text; nothing otherwise.
local text = call('HGET', ASKS, ARGV[2])
if not text or call('HEXISTS', TOKENS, ARGV[2]) == 1 then
  return false
end
forget(ARGV[2])
live()
return text
