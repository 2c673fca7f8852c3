-- find returns the row of a run: open, ended, or a dead letter that history has
-- dropped. KEYS: open rows, dead letters, the lists g, x, n of the job. ARGV: run.
return call('HGET', KEYS[1], ARGV[1]) or seek(3, ARGV[1]) or call('HGET', KEYS[2], ARGV[1])
