package memlease

import (
	"context"
	"fmt"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Start implements election.Store.
func (s *Store) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.each(ctx, len(holds), func(i int, now instant, a *election.HoldAnswer) {
		if a.Err = check.Hold(&holds[i]); a.Err == nil {
			s.start(&holds[i], now, a)
		}
	})
}

// Renew implements election.Store.
func (s *Store) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.each(ctx, len(holds), func(i int, now instant, a *election.HoldAnswer) {
		if a.Err = check.Hold(&holds[i]); a.Err == nil {
			s.renew(&holds[i], now, a)
		}
	})
}

// each fills the answers to n items at one instant.
func (s *Store) each(ctx context.Context, n int, answer func(int, instant, *election.HoldAnswer)) []election.HoldAnswer {
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
		answer(i, now, &answers[i])
	}
	return answers
}

func (s *Store) start(h *election.Hold, now instant, a *election.HoldAnswer) {
	r, _ := s.find(h.Key, now)
	switch {
	case !r.mine(h.Owner, h.Token):
		r.stands(election.Lost, now, a)
		return
	case r.expires <= now.ms:
		r.stands(election.Lapsed, now, a)
		return
	}
	if r.state != election.StateRunning {
		r.state, r.before = election.StateRunning, r.decided
		r.decided = max(r.decided, r.tick)
		if !r.gate.closes(r.decided + 1) { // the ledger alone keeps out what it has closed
			r.gate = gate{}
		}
	}
	s.extend(h, r, now)
	r.stands(election.Good, now, a)
	a.Decided = check.Time(r.before)
}

func (s *Store) renew(h *election.Hold, now instant, a *election.HoldAnswer) {
	r, found := s.find(h.Key, now)
	switch mine := r.mine(h.Owner, h.Token); {
	case mine && r.expires <= now.ms, !found && h.Retention.Milliseconds() == 0:
		// A record without retention vanishes with its lease: nothing was lost.
		r.stands(election.Lapsed, now, a)
	case mine:
		s.extend(h, r, now)
		r.stands(election.Good, now, a)
	case !r.forgot(h.Token, now.ms):
		r.stands(election.Lost, now, a)
	case h.Token > now.us+check.MaxAhead.Microseconds():
		a.Err = fmt.Errorf("%w: token more than %s ahead of the store's clock", election.ErrBadClaim, check.MaxAhead)
		a.Now = now.at
	default:
		s.reinstate(h, r, now)
		r.stands(election.Reinstated, now, a)
	}
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

// stands fills a: what r says to one who holds its lease, or thinks so.
func (r *record) stands(what election.Standing, now instant, a *election.HoldAnswer) {
	a.Standing, a.Token, a.Now = what, r.token, now.at
	switch what {
	case election.Lost:
		if r.owner != "" {
			a.By = r.holder
		}
	case election.Good, election.Reinstated, election.Lapsed:
		a.Remaining = millis(r.left(now.ms))
	}
}
