-- settle forgets the requests and the stops with the ids in ARGV after the first.
for i = 2, #ARGV do
  forget(ARGV[i])
  if call('HDEL', STOPS, ARGV[i]) == 1 then
    call('ZREM', WISHED, ARGV[i])
  end
end
live()
return 1
