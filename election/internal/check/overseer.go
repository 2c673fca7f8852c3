package check

import (
	"time"

	"github.com/solocron/solocron/election"
)

// GateKeep is how long a record remembers which ticks its gate has closed, from
// when the last of them came due. It is the usual retention of a record: for as
// long a slow replica, or one that was down, may come with such a tick. A key
// that nobody has claimed yet has no retention of its own.
const GateKeep = 7 * 24 * time.Hour

// Revocation reports what is wrong with r, wrapping election.ErrBadClaim.
func Revocation(r *election.Revocation) error {
	switch {
	case r.Token < 0 || r.Token > MaxInt:
		return bad("token %d is not between 0 and 2^53", r.Token)
	case r.LockDelay < 0 || r.LockDelay > MaxDelay:
		return bad("lock delay %s is not between 0 and %s", r.LockDelay, MaxDelay)
	case r.Retention < 0 || r.Retention > MaxKeep:
		return bad("retention %s is not between 0 and ten years", r.Retention)
	}
	return note(r.Key, r.By, r.Reason)
}

// Gate reports what is wrong with closing or opening key, wrapping election.ErrBadClaim.
func Gate(key string, g *election.Gate) error {
	if until := Millis(g.Until); !g.Until.IsZero() && (until < MinTick || until >= EndTick) {
		return bad("gate closed until %s, which is not between 2000 and 2255", g.Until)
	}
	return note(key, g.By, g.Reason)
}

// Key reports whether key has an allowed length, wrapping election.ErrBadClaim.
func Key(key string) error { return note(key, "", "") }

func note(key, by, reason string) error {
	switch {
	case key == "" || len(key) > MaxKey:
		return bad("key of %d bytes, 1 to %d are allowed", len(key), MaxKey)
	case len(by) > MaxHolder:
		return bad("name of %d bytes, at most %d", len(by), MaxHolder)
	case len(reason) > MaxNote:
		return bad("reason of %d bytes, at most %d", len(reason), MaxNote)
	}
	return nil
}
