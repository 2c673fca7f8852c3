package telemetry

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/solocron/solocron/election"
)

// WrapStore returns s with its calls measured: the latency of each call, every
// item by its answer, and how far the store's clock is from this machine's.
func (m *Metrics) WrapStore(s election.Store) election.Store {
	return &measuredStore{next: s, m: m.store}
}

// ClockOffset is the store's clock minus this machine's, as last measured; 0 if it
// has not been.
func (m *Metrics) ClockOffset() time.Duration { return time.Duration(m.store.ahead.Load()) }

// measuredStore is a Store that counts what passes through it.
type measuredStore struct {
	next election.Store
	m    *storeMetrics
}

func (s *measuredStore) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	asked := time.Now()
	answers := s.next.Claim(ctx, claims)
	s.m.called(opClaim, asked)
	var mute error
	for i := range answers {
		s.m.answered(opClaim, claimWord(answers[i]))
		mute = cmp.Or(mute, silent(answers[i].Answer == election.Unknown, answers[i].Err))
	}
	s.m.heard(len(answers), mute)
	if len(answers) > 0 {
		s.m.clock(asked, answers[0].Now)
	}
	return answers
}

func (s *measuredStore) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.hold(opStart, func() []election.HoldAnswer { return s.next.Start(ctx, holds) })
}

func (s *measuredStore) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	answers := s.hold(opRenew, func() []election.HoldAnswer { return s.next.Renew(ctx, holds) })
	for i := range answers {
		if st := answers[i].Standing; st != election.Good && st != election.Reinstated {
			s.m.renewals.Inc()
		}
	}
	return answers
}

func (s *measuredStore) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	answers := s.hold(opRelease, func() []election.HoldAnswer { return s.next.Release(ctx, ends) })
	for i := range answers {
		if st := answers[i].Standing; st != election.Good && st != election.AlreadyReleased {
			s.m.releases.Inc()
		}
	}
	return answers
}

// hold measures one call whose answers are standings.
func (s *measuredStore) hold(o op, call func() []election.HoldAnswer) []election.HoldAnswer {
	asked := time.Now()
	answers := call()
	s.m.called(o, asked)
	var mute error
	for i := range answers {
		s.m.answered(o, holdWord(answers[i]))
		mute = cmp.Or(mute, silent(answers[i].Standing == election.Uncertain, answers[i].Err))
	}
	s.m.heard(len(answers), mute)
	if len(answers) > 0 {
		s.m.clock(asked, answers[0].Now)
	}
	return answers
}

// claimWord says what a claim was answered.
func claimWord(a election.ClaimAnswer) word {
	if a.Answer == election.Unknown {
		return silence(a.Err)
	}
	if int(a.Answer) < len(claimWords) {
		return claimWords[a.Answer]
	}
	return wordUnknown
}

// holdWord says how a holder was found to stand.
func holdWord(a election.HoldAnswer) word {
	if a.Standing == election.Uncertain {
		return silence(a.Err)
	}
	if int(a.Standing) < len(holdWords) {
		return holdWords[a.Standing]
	}
	return wordUnknown
}

// silence tells apart why there is no answer: the store certainly did not
// act, the caller is at fault, or nobody knows.
func silence(err error) word {
	switch {
	case errors.Is(err, election.ErrNotApplied):
		return wordNotApplied
	case errors.Is(err, election.ErrBadClaim):
		return wordRefused
	}
	return wordUnknown
}
