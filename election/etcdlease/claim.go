package etcdlease

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/internal/ledger"
)

// Claim implements election.Store. The Now of its answers, and what is Early, is
// by the clock of this machine.
func (s *Store) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := make([]election.ClaimAnswer, len(claims))
	if err := refused(ctx); err != nil {
		for i := range answers {
			answers[i].Err = err
		}
		return answers
	}
	turns := s.turns(len(claims), func(i int) string {
		if answers[i].Err = check.Claim(&claims[i]); answers[i].Err != nil {
			return ""
		}
		return claims[i].Key
	})
	c := call{store: s, decide: func(t *turn, now ledger.Instant) {
		for _, i := range t.items {
			answers[i] = election.ClaimAnswer{}
			ask := ledger.NewAsk(&claims[i], t.instant(now))
			t.take(ledger.Claim(&t.rec, &ask, ledger.Weigh(&t.rec, &ask), &answers[i]))
		}
	}}
	c.run(ctx, turns)
	for _, t := range turns {
		if t.err == nil {
			continue
		}
		for _, i := range t.items {
			answers[i] = election.ClaimAnswer{Err: t.err}
		}
	}
	s.refine(ctx, turns, answers)
	return answers
}

// instant is now for the rules of this record: its token counts as a reading of
// the clock that tokens are made from. Else one replica whose clock is days ahead
// could make a token that all others would take for a fault.
func (t *turn) instant(now ledger.Instant) ledger.Instant {
	now.US = max(now.US, t.rec.Token)
	return now
}

// refine tells claimants that were refused how long they have to wait, in whole
// seconds, instead of at most how long.
func (s *Store) refine(ctx context.Context, turns []*turn, answers []election.ClaimAnswer) {
	wanted := make(watchlist)
	each := func(do func(clientv3.LeaseID, *election.ClaimAnswer)) {
		for _, t := range turns {
			if t.err != nil || t.retimed() {
				continue
			}
			for _, i := range t.items {
				do(t.waitsFor(answers[i].Answer), &answers[i])
			}
		}
	}
	each(func(id clientv3.LeaseID, _ *election.ClaimAnswer) { wanted.add(id) })
	left := wanted.ask(ctx, s)
	each(func(id clientv3.LeaseID, a *election.ClaimAnswer) {
		if d, ok := left[id]; ok {
			a.Remaining = min(a.Remaining, d)
		}
	})
}

// waitsFor is the etcd lease whose end a claimant with that answer waits for.
func (e *entry) waitsFor(a election.Answer) clientv3.LeaseID {
	switch a {
	case election.Held, election.Skipped:
		return e.lease.lease
	case election.Delayed, election.Quarantine:
		return e.closed.lease
	}
	return clientv3.NoLease
}
