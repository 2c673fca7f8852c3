package notify

import (
	"fmt"
	"time"
)

// RefusedError is an answer that would be the same another time: the receiver
// cannot use what it got.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return "refused: " + e.Err.Error() }

func (e *RefusedError) Unwrap() error { return e.Err }

// BusyError is a receiver that says when to come back.
type BusyError struct {
	Err   error
	After time.Duration
}

func (e *BusyError) Error() string { return fmt.Sprintf("%s; asked for a pause of %s", e.Err, e.After) }

func (e *BusyError) Unwrap() error { return e.Err }
