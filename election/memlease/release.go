package memlease

import (
	"context"
	"fmt"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Release implements election.Store.
func (s *Store) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	return s.each(ctx, len(ends), func(i int, now instant) election.HoldAnswer {
		if err := check.End(&ends[i]); err != nil {
			return election.HoldAnswer{Err: err}
		}
		return s.release(&ends[i], now)
	})
}

func (s *Store) release(e *election.End, now instant) election.HoldAnswer {
	r, found := s.find(e.Key, now)
	if outcome, ok := r.outcome(e.Token); ok {
		return election.HoldAnswer{Standing: election.AlreadyReleased, Outcome: outcome, Token: r.token, Now: now.at}
	}
	if !r.mine(e.Owner, e.Token) {
		if found {
			r.late++
		}
		return lost(r, now)
	}
	if e.Outcome == election.OutcomeUndone && r.state != election.StateClaimed {
		err := fmt.Errorf("%w: a run that has started cannot be undone", election.ErrBadClaim)
		return election.HoldAnswer{Err: err, Now: now.at}
	}
	s.finish(e, r, now)
	return election.HoldAnswer{Standing: election.Good, Token: r.token, Now: now.at}
}

// finish ends the lease and keeps its outcome; without retention and with an
// open gate there is nothing to keep.
func (s *Store) finish(e *election.End, r *record, now instant) {
	if e.Retention.Milliseconds() == 0 && !r.gate.closed {
		delete(s.records, e.Key)
		return
	}
	r.owner, r.expires = "", 0
	r.state = election.StateDone
	switch e.Outcome {
	case election.OutcomeUndone:
		r.state = election.StateFree
	case election.OutcomeSucceeded:
		r.done = max(r.done, r.tick)
	}
	r.push(e.Token, e.Outcome)
	r.keep = e.Retention.Milliseconds()
	s.save(e.Key, r, now, r.keep)
}
