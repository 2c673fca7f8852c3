package memlease

import (
	"context"
	"fmt"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Release implements election.Store.
func (s *Store) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	return s.each(ctx, len(ends), func(i int, now instant, a *election.HoldAnswer) {
		if a.Err = check.End(&ends[i]); a.Err == nil {
			s.release(&ends[i], now, a)
		}
	})
}

func (s *Store) release(e *election.End, now instant, a *election.HoldAnswer) {
	r, found := s.find(e.Key, now)
	if outcome, ok := r.outcome(e.Token); ok {
		r.stands(election.AlreadyReleased, now, a)
		a.Outcome = outcome
		return
	}
	if !r.mine(e.Owner, e.Token) {
		if found {
			r.late++
		}
		r.stands(election.Lost, now, a)
		return
	}
	if e.Outcome == election.OutcomeUndone && r.state != election.StateClaimed {
		a.Err = fmt.Errorf("%w: a run that has started cannot be undone", election.ErrBadClaim)
		a.Now = now.at
		return
	}
	s.finish(e, r, now)
	r.stands(election.Good, now, a)
}

// finish ends the lease and keeps its outcome; without retention and without a
// gate there is nothing to keep.
func (s *Store) finish(e *election.End, r *record, now instant) {
	r.owner, r.expires = "", 0
	if e.Retention.Milliseconds() == 0 && r.gate.until == 0 {
		delete(s.records, e.Key)
		return
	}
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
