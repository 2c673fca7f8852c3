package election

import (
	"errors"
	"fmt"
	"time"
)

var (
	// ErrNotApplied means that the store certainly did not act on the request.
	ErrNotApplied = errors.New("not applied")
	// ErrUnreplicated means that the server acknowledged the request, but not
	// enough of its replicas did: it would be forgotten if one of the others took
	// the server's place. Nothing may be done on the strength of it.
	ErrUnreplicated = errors.New("acknowledged by the server, but not by enough replicas")
	// ErrBadClaim means that a claim's values are out of range; repeating it is useless.
	ErrBadClaim = errors.New("bad claim")
	// ErrChanged means that the lease to revoke is not the one the caller saw.
	ErrChanged = errors.New("the lease has changed hands")

	// ErrLeaseLost ends the context of a lease that the store says is another's,
	// expired or revoked.
	ErrLeaseLost = errors.New("lease lost")
	// ErrLeaseUncertain ends the context of a lease that could not be renewed in
	// time: it may still be held, but nobody can know.
	ErrLeaseUncertain = errors.New("lease uncertain")
	// ErrNested means that a lock was taken again by its own holder too many times.
	ErrNested = errors.New("lock nested too deeply")
	// ErrDone means that a Once has been done within its window. See DoneError.
	ErrDone = errors.New("done before")
	// ErrHeld means that somebody else holds the lease. See HeldError.
	ErrHeld = errors.New("lease held")
)

// HeldError says who holds a lease. It matches ErrHeld.
type HeldError struct {
	By        string
	Tick      time.Time     // the holder's tick; zero for a request
	Remaining time.Duration // unless it is renewed
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("lease held by %s for another %s", e.By, e.Remaining.Round(time.Millisecond))
}

// Is reports whether target is ErrHeld.
func (e *HeldError) Is(target error) bool { return target == ErrHeld }

// DoneError says who has done what a Once is for, and when that opens again. It
// matches ErrDone.
type DoneError struct {
	By    string        // the holder that did it
	Opens time.Duration // until it may be done again
}

func (e *DoneError) Error() string {
	return fmt.Sprintf("done before by %s, opens in %s", e.By, e.Opens.Round(time.Millisecond))
}

// Is reports whether target is ErrDone.
func (e *DoneError) Is(target error) bool { return target == ErrDone }
