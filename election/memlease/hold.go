package memlease

import (
	"context"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/internal/ledger"
)

// Start implements election.Store.
func (s *Store) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.each(ctx, len(holds), func(i int, now ledger.Instant, a *election.HoldAnswer) {
		h := &holds[i]
		if a.Err = check.Hold(h); a.Err == nil {
			r, _ := s.find(h.Key, now)
			s.write(h.Key, r, ledger.Start(&r.Record, h, now, a), now)
		}
	})
}

// Renew implements election.Store.
func (s *Store) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.each(ctx, len(holds), func(i int, now ledger.Instant, a *election.HoldAnswer) {
		h := &holds[i]
		if a.Err = check.Hold(h); a.Err == nil {
			r, found := s.find(h.Key, now)
			s.write(h.Key, r, ledger.Renew(&r.Record, found, h, now, a), now)
		}
	})
}

// Release implements election.Store.
func (s *Store) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	return s.each(ctx, len(ends), func(i int, now ledger.Instant, a *election.HoldAnswer) {
		e := &ends[i]
		if a.Err = check.End(e); a.Err == nil {
			r, found := s.find(e.Key, now)
			s.write(e.Key, r, ledger.Release(&r.Record, found, e, now, a), now)
		}
	})
}

// each fills the answers to n items at one instant.
func (s *Store) each(ctx context.Context, n int, answer func(int, ledger.Instant, *election.HoldAnswer)) []election.HoldAnswer {
	answers := s.holds.get(n)
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
