-- What is done before all else, and known to what follows: the items that were
-- answered by then, and the server's time with their answers, if it was asked for.
local done, clock = 0, nil
