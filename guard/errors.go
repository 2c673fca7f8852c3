package guard

import "errors"

// ErrDied is the end of a guard that has not told how its program ended.
var ErrDied = errors.New("the guard died")

// ErrTooLate is the refusal of a guard to start a program whose deadline has come.
var ErrTooLate = errors.New("the deadline came before the start")
