package memlease

import (
	"context"
	"fmt"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Start implements election.Store.
func (s *Store) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.each(ctx, len(holds), func(i int, now instant) election.HoldAnswer {
		if err := check.Hold(&holds[i]); err != nil {
			return election.HoldAnswer{Err: err}
		}
		return s.start(&holds[i], now)
	})
}

// Renew implements election.Store.
func (s *Store) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.each(ctx, len(holds), func(i int, now instant) election.HoldAnswer {
		if err := check.Hold(&holds[i]); err != nil {
			return election.HoldAnswer{Err: err}
		}
		return s.renew(&holds[i], now)
	})
}

// each answers n items at one instant.
func (s *Store) each(ctx context.Context, n int, answer func(int, instant) election.HoldAnswer) []election.HoldAnswer {
	answers := make([]election.HoldAnswer, n)
	if err := refused(ctx); err != nil {
		for i := range answers {
			answers[i].Err = err
		}
		return answers
	}
	now := s.open()
	defer s.mu.Unlock()
	for i := range answers {
		answers[i] = answer(i, now)
	}
	return answers
}

func (s *Store) start(h *election.Hold, now instant) election.HoldAnswer {
	r, _ := s.find(h.Key, now)
	switch {
	case !r.mine(h.Owner, h.Token):
		return lost(r, now)
	case r.expires <= now.ms:
		return standing(election.Lapsed, r, now)
	}
	if r.state != election.StateRunning {
		r.state, r.before = election.StateRunning, r.decided
		r.decided = max(r.decided, r.tick)
	}
	s.extend(h, r, now)
	a := standing(election.Good, r, now)
	a.Decided = check.Time(r.before)
	return a
}

func (s *Store) renew(h *election.Hold, now instant) election.HoldAnswer {
	r, found := s.find(h.Key, now)
	switch mine := r.mine(h.Owner, h.Token); {
	case mine && r.expires <= now.ms, !found && h.Retention.Milliseconds() == 0:
		// A record without retention vanishes with its lease: nothing was lost.
		return standing(election.Lapsed, r, now)
	case mine:
		s.extend(h, r, now)
		return standing(election.Good, r, now)
	case !r.forgot(h.Token, now.ms):
		return lost(r, now)
	case h.Token > now.us+check.MaxAhead.Microseconds():
		err := fmt.Errorf("%w: token more than %s ahead of the store's clock", election.ErrBadClaim, check.MaxAhead)
		return election.HoldAnswer{Err: err, Now: now.at}
	}
	s.reinstate(h, r, now)
	return standing(election.Reinstated, r, now)
}

// forgot reports whether the record lacks a lease with this token because it
// lost data: nobody holds it now, and it never gave out a higher token. A
// released lease left its own token behind, a revoked one a higher token.
func (r *record) forgot(token, now int64) bool {
	if r.live(now) {
		return false
	}
	return r.token < token || (r.token == token && r.state == election.StateQuarantine)
}

// reinstate takes the word of a holder whose record was lost.
func (s *Store) reinstate(h *election.Hold, r *record, now instant) {
	r.owner, r.token, r.state, r.holder = h.Owner, h.Token, election.StateRunning, h.Holder
	r.tick, r.before, r.attempt = check.Millis(h.Tick), r.decided, max(r.attempt, 1)
	r.decided = max(r.decided, r.tick)
	r.expires = 0
	s.extend(h, r, now)
}

func (s *Store) extend(h *election.Hold, r *record, now instant) {
	r.expires = max(r.expires, now.ms+h.TTL.Milliseconds())
	r.keep = h.Retention.Milliseconds()
	s.save(h.Key, r, now, r.left(now.ms)+r.delay+r.keep)
}

func standing(what election.Standing, r *record, now instant) election.HoldAnswer {
	return election.HoldAnswer{Standing: what, Remaining: millis(r.left(now.ms)), Token: r.token, Now: now.at}
}

func lost(r *record, now instant) election.HoldAnswer {
	a := election.HoldAnswer{Standing: election.Lost, Token: r.token, Now: now.at}
	if r.owner != "" {
		a.By = r.holder
	}
	return a
}
