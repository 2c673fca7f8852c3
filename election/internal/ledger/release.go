package ledger

import (
	"fmt"

	"github.com/solocron/solocron/election"
)

// Release ends the lease of e on r, and fills a. Found says whether the store
// had a record.
func Release(r *Record, found bool, e *election.End, now Instant, a *election.HoldAnswer) Change {
	if outcome, ok := r.outcome(e.Token); ok {
		r.stands(election.AlreadyReleased, now, a)
		a.Outcome = outcome
		return Change{}
	}
	if !r.mine(e.Owner, e.Token) {
		defer r.stands(election.Lost, now, a)
		if !found {
			return Change{}
		}
		r.Late++
		return r.noted(SameLife)
	}
	if e.Outcome == election.OutcomeUndone && r.State != election.StateClaimed {
		a.Err = fmt.Errorf("%w: a run that has started cannot be undone", election.ErrBadClaim)
		a.Now = now.At
		return Change{}
	}
	change := finish(e, r)
	r.stands(election.Good, now, a)
	return change
}

// finish ends the lease and keeps its outcome; without retention and without a
// gate there is nothing to keep.
func finish(e *election.End, r *Record) Change {
	r.Owner, r.Expires = "", 0
	if e.Retention.Milliseconds() == 0 && r.Gate.Until == 0 {
		return Change{What: Dropped}
	}
	r.State = election.StateDone
	switch e.Outcome {
	case election.OutcomeUndone:
		r.State = election.StateFree
	case election.OutcomeSucceeded:
		r.Done = max(r.Done, r.Tick)
	}
	r.push(e.Token, e.Outcome)
	r.Keep = e.Retention.Milliseconds()
	return r.timed(r.Keep)
}
