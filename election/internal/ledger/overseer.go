package ledger

import (
	"fmt"
	"slices"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Revoke takes the lease of r away. The error matches election.ErrChanged if it
// is not the lease that v is about.
func Revoke(r *Record, v *election.Revocation, now Instant) (Change, error) {
	if v.Token != 0 && v.Token != r.Token {
		return Change{}, fmt.Errorf("revoking %q: %w", v.Key, election.ErrChanged)
	}
	delay := v.LockDelay.Milliseconds()
	if r.Live(now.MS) {
		r.Expires += delay
	} else {
		r.Expires = max(r.Expires, now.MS+delay)
	}
	r.Owner, r.State = "", election.StateRevoked
	r.Token = max(r.Token+1, now.US)
	r.Keep = v.Retention.Milliseconds()
	return r.timed(r.Left(now.MS) + r.Keep), nil
}

// SetGate opens or closes r for ticks.
func SetGate(r *Record, g *election.Gate, now Instant) Change {
	turned := r.Gate.turned(g, now.MS)
	if !g.Closed && turned == r.Gate {
		return Change{}
	}
	r.Gate = turned
	return r.noted(r.Left(now.MS) + r.Delay + r.Keep)
}

// Describe is r for people.
func Describe(r *Record, key string, now Instant) election.Record {
	return election.Record{
		Key: key, State: r.State, Holder: r.Holder, Token: r.Token, Remaining: millis(r.Left(now.MS)),
		Tick: check.Time(r.Tick), Decided: check.Time(r.Decided), Completed: check.Time(r.Done),
		Attempt: r.Attempt, Crashes: r.Crashes, Late: r.Late, Epoch: r.Epoch, Def: r.Def,
		Gate: r.Gate.describe(now.MS), Shut: r.Gate.shut(now.MS), Ring: slices.Clone(r.Ring), Now: now.At,
	}
}
