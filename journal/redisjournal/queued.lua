-- queued lists the texts of at most ARGV[2] requests that nobody has begun.
local out = {}
for _, id in ipairs(call('ZRANGE', DUE, '0', format('%d', ARGV[2] - 1))) do
  out[#out + 1] = call('HGET', ASKS, id) or nil
end
return out
