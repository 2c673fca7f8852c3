-- stop keeps the wish ARGV[4] to end the run ARGV[3], of at most ARGV[2] wishes;
-- the first for a run stands. 0: there are too many.
if call('HEXISTS', STOPS, ARGV[3]) == 0 then
  if call('HLEN', STOPS) >= ARGV[2] + 0 then
    return 0
  end
  call('HSET', STOPS, ARGV[3], ARGV[4])
  call('ZADD', WISHED, ms(now), ARGV[3])
end
live()
return 1
