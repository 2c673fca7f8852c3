package ledger

import (
	"fmt"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// mine reports whether owner holds r under exactly this token.
func (r *Record) mine(owner election.Owner, token int64) bool {
	return r.Owner != "" && r.Owner == owner && r.Token == token
}

// startable reports whether h may start on r. Its token may be higher than the
// one granted here: several stores have to agree on one.
func (r *Record) startable(h *election.Hold) bool {
	return r.Owner != "" && r.Owner == h.Owner && r.Token <= h.Token
}

// Start marks the tick of h as started on r, and fills a.
func Start(r *Record, h *election.Hold, now Instant, a *election.HoldAnswer) Change {
	switch {
	case !r.startable(h):
		r.stands(election.Lost, now, a)
		return Change{}
	case r.Expires <= now.MS:
		r.stands(election.Lapsed, now, a)
		return Change{}
	case h.Token > r.Token && tooFarAhead(h.Token, now, a):
		return Change{}
	}
	if h.Token > r.Token {
		r.Token, r.Prev = h.Token, nil // what was found abandoned has been told with the lower one
	}
	if r.State != election.StateRunning {
		r.State, r.Before = election.StateRunning, r.Decided
		r.Decided = max(r.Decided, r.Tick)
		if !r.Gate.closes(r.Decided + 1) { // the ledger alone keeps out what it has closed
			r.Gate = Gate{}
		}
	}
	change := r.extend(h, now)
	r.stands(election.Good, now, a)
	a.Decided = check.Time(r.Before)
	return change
}

// Renew extends the lease of h on r, and fills a. Found says whether the store
// had a record.
func Renew(r *Record, found bool, h *election.Hold, now Instant, a *election.HoldAnswer) Change {
	switch mine := r.mine(h.Owner, h.Token); {
	case mine && r.Expires <= now.MS, !found && h.Retention.Milliseconds() == 0:
		// A record without retention vanishes with its lease: nothing was lost.
		r.stands(election.Lapsed, now, a)
	case mine:
		change := r.extend(h, now)
		r.stands(election.Good, now, a)
		return change
	case !r.forgot(h.Token, now.MS):
		r.stands(election.Lost, now, a)
	case tooFarAhead(h.Token, now, a):
	default:
		change := r.reinstate(h, now)
		r.stands(election.Reinstated, now, a)
		return change
	}
	return Change{}
}

// tooFarAhead refuses a token that would freeze the key for everybody else.
func tooFarAhead(token int64, now Instant, a *election.HoldAnswer) bool {
	if token <= now.US+check.MaxAhead.Microseconds() {
		return false
	}
	a.Err = fmt.Errorf("%w: token more than %s ahead of the store's clock", election.ErrBadClaim, check.MaxAhead)
	a.Now = now.At
	return true
}

// forgot reports whether the record lacks a lease with this token because it
// lost data: nobody holds it now, and it never gave out a higher token. A
// released lease left its own token behind, a revoked one a higher token.
func (r *Record) forgot(token, now int64) bool {
	if r.Live(now) {
		return false
	}
	return r.Token < token || (r.Token == token && r.State == election.StateQuarantine)
}

// reinstate takes the word of a holder whose record was lost.
func (r *Record) reinstate(h *election.Hold, now Instant) Change {
	r.Owner, r.Token, r.State, r.Holder = h.Owner, h.Token, election.StateRunning, h.Holder
	r.Tick, r.Before, r.Attempt = check.Millis(h.Tick), r.Decided, max(r.Attempt, 1)
	r.Decided = max(r.Decided, r.Tick)
	r.Expires = 0
	return r.extend(h, now)
}

func (r *Record) extend(h *election.Hold, now Instant) Change {
	r.Expires = max(r.Expires, now.MS+h.TTL.Milliseconds())
	r.Keep = h.Retention.Milliseconds()
	return r.timed(r.Left(now.MS) + r.Delay + r.Keep)
}

// stands fills a: what r says to one who holds its lease, or thinks so.
func (r *Record) stands(what election.Standing, now Instant, a *election.HoldAnswer) {
	a.Standing, a.Token, a.Now = what, r.Token, now.At
	switch what {
	case election.Lost:
		if r.Owner != "" {
			a.By = r.Holder
		}
	case election.Good, election.Reinstated, election.Lapsed:
		a.Remaining = millis(r.Left(now.MS))
	}
}
