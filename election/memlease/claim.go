package memlease

import (
	"context"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/internal/ledger"
)

// Claim implements election.Store.
func (s *Store) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := s.claims.get(len(claims))
	if err := refused(ctx); err != nil {
		for i := range answers {
			answers[i].Err = err
		}
		return answers
	}
	now := s.open()
	defer s.mu.Unlock()
	decide := s.weigh
	if decide == nil {
		decide = ledger.Weigh
	}
	var c ledger.Ask // one for all: it is large
	for i := range claims {
		if err := check.Claim(&claims[i]); err != nil {
			answers[i].Err = err
			continue
		}
		c = ledger.NewAsk(&claims[i], now)
		r, _ := s.find(c.Key, now)
		s.write(c.Key, r, ledger.Claim(&r.Record, &c, decide(&r.Record, &c), &answers[i]), now)
	}
	return answers
}
