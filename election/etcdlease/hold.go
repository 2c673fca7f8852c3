package etcdlease

import (
	"context"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/internal/ledger"
)

// Start implements election.Store.
func (s *Store) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.each(ctx, len(holds),
		func(i int) (string, error) { return holds[i].Key, check.Hold(&holds[i]) },
		func(t *turn, i int, now ledger.Instant, a *election.HoldAnswer) ledger.Change {
			return ledger.Start(&t.rec, &holds[i], now, a)
		})
}

// Renew implements election.Store.
func (s *Store) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.each(ctx, len(holds),
		func(i int) (string, error) { return holds[i].Key, check.Hold(&holds[i]) },
		func(t *turn, i int, now ledger.Instant, a *election.HoldAnswer) ledger.Change {
			return ledger.Renew(&t.rec, t.found, &holds[i], now, a)
		})
}

// Release implements election.Store.
func (s *Store) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	return s.each(ctx, len(ends),
		func(i int) (string, error) { return ends[i].Key, check.End(&ends[i]) },
		func(t *turn, i int, now ledger.Instant, a *election.HoldAnswer) ledger.Change {
			return ledger.Release(&t.rec, t.found, &ends[i], now, a)
		})
}

// each answers n items of holders: key names the job of one, or says what is wrong
// with it; step decides it.
func (s *Store) each(
	ctx context.Context, n int,
	key func(int) (string, error),
	step func(*turn, int, ledger.Instant, *election.HoldAnswer) ledger.Change,
) []election.HoldAnswer {
	answers := make([]election.HoldAnswer, n)
	if err := refused(ctx); err != nil {
		for i := range answers {
			answers[i].Err = err
		}
		return answers
	}
	turns := s.turns(n, func(i int) string {
		name, err := key(i)
		if answers[i].Err = err; err != nil {
			return ""
		}
		return name
	})
	c := call{store: s, decide: func(t *turn, now ledger.Instant) {
		for _, i := range t.items {
			answers[i] = election.HoldAnswer{}
			t.take(step(t, i, t.instant(now), &answers[i]))
		}
	}}
	c.run(ctx, turns)
	for _, t := range turns {
		if t.err == nil {
			continue
		}
		for _, i := range t.items {
			answers[i] = election.HoldAnswer{Err: t.err}
		}
	}
	return answers
}
