-- What is done before all else, and known to what follows: the items that were
-- answered by then, and the server's time with their answers, if it was asked for.
-- When they were all answered, the reply is one string, with line ends between what
-- would be strings in an array: that is cheaper, and no such answer has a line end.
local done, clock = 0, nil
