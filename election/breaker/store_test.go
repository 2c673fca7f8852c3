package breaker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/breaker"
	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/memlease"
)

var errAway = fmt.Errorf("%w: connection refused", election.ErrNotApplied)

// store answers as it is told to, and counts how often it is asked.
type store struct {
	err    error         // of every item; nil: it answers
	takes  time.Duration // for a claim
	claims int
	others int
}

func (s *store) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	s.claims++
	answers := make([]election.ClaimAnswer, len(claims))
	err := s.err
	if s.takes > 0 {
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	for i := range answers {
		if answers[i].Err = err; err == nil {
			answers[i].Answer, answers[i].Now = election.Spent, time.Now()
		}
	}
	return answers
}

func (s *store) hold(n int) []election.HoldAnswer {
	s.others++
	answers := make([]election.HoldAnswer, n)
	for i := range answers {
		if answers[i].Err = s.err; s.err == nil {
			answers[i].Standing, answers[i].Now = election.Good, time.Now()
		}
	}
	return answers
}

func (s *store) Start(_ context.Context, h []election.Hold) []election.HoldAnswer {
	return s.hold(len(h))
}

func (s *store) Renew(_ context.Context, h []election.Hold) []election.HoldAnswer {
	return s.hold(len(h))
}

func (s *store) Release(_ context.Context, e []election.End) []election.HoldAnswer {
	return s.hold(len(e))
}

func claim(ctx context.Context, s election.Store) error {
	return s.Claim(ctx, make([]election.Claim, 2))[1].Err
}

// opened returns a breaker that is open, in front of a store that is away.
func opened(t *testing.T, cfg breaker.Config) (*store, *breaker.Store) {
	t.Helper()
	next := &store{err: errAway}
	s := breaker.New(next, cfg)
	for range 5 {
		if err := claim(t.Context(), s); errors.Is(err, breaker.ErrOpen) {
			t.Fatal("open after fewer than five calls")
		}
	}
	if got := s.State(); got != breaker.Open {
		t.Fatalf("after five calls without an answer: got %v, want open", got)
	}
	return next, s
}

func TestAnOpenBreakerHoldsUpClaimsAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method string
		call   func(context.Context, election.Store) error
		held   bool
	}{
		{"Claim", claim, true},
		{"Start", func(ctx context.Context, s election.Store) error {
			return s.Start(ctx, make([]election.Hold, 1))[0].Err
		}, false},
		{"Renew", func(ctx context.Context, s election.Store) error {
			return s.Renew(ctx, make([]election.Hold, 1))[0].Err
		}, false},
		{"Release", func(ctx context.Context, s election.Store) error {
			return s.Release(ctx, make([]election.End, 1))[0].Err
		}, false},
	} {
		t.Run(c.method, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				next, s := opened(t, breaker.Config{})
				before := next.claims + next.others
				err := c.call(t.Context(), s)
				if sent := next.claims+next.others > before; sent == c.held {
					t.Errorf("sent: got %t, want %t", sent, !c.held)
				}
				if got := errors.Is(err, breaker.ErrOpen); got != c.held {
					t.Errorf("got error %v, want ErrOpen %t", err, c.held)
				}
				if !errors.Is(err, election.ErrNotApplied) {
					t.Errorf("got error %v, want one that says that nothing was done", err)
				}
			})
		})
	}
}

func TestAnAnswerToAnybodyClosesIt(t *testing.T) {
	t.Parallel()
	for name, hear := range map[string]func(context.Context, *breaker.Store){
		"a start":   func(ctx context.Context, s *breaker.Store) { s.Start(ctx, make([]election.Hold, 1)) },
		"a renewal": func(ctx context.Context, s *breaker.Store) { s.Renew(ctx, make([]election.Hold, 1)) },
		"a release": func(ctx context.Context, s *breaker.Store) { s.Release(ctx, make([]election.End, 1)) },
	} {
		synctest.Test(t, func(t *testing.T) {
			next, s := opened(t, breaker.Config{})
			next.err = nil
			hear(t.Context(), s)
			if err := claim(t.Context(), s); err != nil || s.State() != breaker.Closed {
				t.Errorf("after %s was answered: got %v, %v, want a claim that is answered", name, s.State(), err)
			}
		})
	}
}

func TestOneClaimAfterThePauseTriesAndTheRestFailAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var path []breaker.State
		next, s := opened(t, breaker.Config{Pause: 2 * time.Second, Changed: func(_, to breaker.State) { path = append(path, to) }})
		sent := next.claims
		for range 19 {
			time.Sleep(100 * time.Millisecond)
			if err := claim(t.Context(), s); !errors.Is(err, breaker.ErrOpen) {
				t.Fatalf("within the pause: got %v, want ErrOpen", err)
			}
		}
		time.Sleep(100 * time.Millisecond)
		if err := claim(t.Context(), s); errors.Is(err, breaker.ErrOpen) || next.claims != sent+1 {
			t.Errorf("after the pause: got %v and %d claims sent, want one that tries", err, next.claims-sent)
		}
		if s.State() != breaker.Open {
			t.Errorf("after a try in vain: got %v, want open", s.State())
		}

		time.Sleep(2 * time.Second)
		next.err, next.takes = nil, time.Second
		tried := make(chan error)
		go func() { tried <- claim(context.WithoutCancel(t.Context()), s) }()
		synctest.Wait()
		if err := claim(t.Context(), s); !errors.Is(err, breaker.ErrOpen) || s.State() != breaker.HalfOpen {
			t.Errorf("beside the one that tries: got %v, %v, want half-open and ErrOpen", s.State(), err)
		}
		if err := <-tried; err != nil || s.State() != breaker.Closed {
			t.Errorf("when it is answered: got %v, %v, want closed", s.State(), err)
		}
		want := []breaker.State{breaker.Open, breaker.HalfOpen, breaker.Open, breaker.HalfOpen, breaker.Closed}
		if !slices.Equal(path, want) {
			t.Errorf("told: got %v, want %v", path, want)
		}
	})
}

func TestWhatSaysNothingOfTheStoreDoesNotOpenIt(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		err error
	}{
		"bad claims":                 {t.Context(), fmt.Errorf("%w: ttl", election.ErrBadClaim)},
		"callers that have gone":     {gone, context.Canceled},
		"calls without items at all": {t.Context(), nil},
	} {
		next := &store{err: c.err}
		s := breaker.New(next, breaker.Config{})
		for range 20 {
			if c.err == nil {
				s.Claim(c.ctx, nil)
			} else {
				_ = claim(c.ctx, s)
			}
		}
		if s.State() != breaker.Closed || next.claims != 20 {
			t.Errorf("%s: got %v after %d calls, want closed after 20", name, s.State(), next.claims)
		}
	}
}

func TestACallerThatGoesAwayWhileItTriesLetsAnotherTry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next, s := opened(t, breaker.Config{})
		time.Sleep(time.Second)
		next.err, next.takes = nil, time.Minute
		ctx, cancel := context.WithCancel(t.Context())
		tried := make(chan error)
		go func() { tried <- claim(ctx, s) }()
		synctest.Wait()
		cancel()
		if err := <-tried; !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want the caller's reason", err)
		}
		next.takes = 0
		if err := claim(t.Context(), s); err != nil || s.State() != breaker.Closed {
			t.Errorf("the next one: got %v, %v, want an answer", s.State(), err)
		}
	})
}

func TestATimeoutIsSilenceAndOneAnswerStartsTheCountAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := &store{takes: time.Minute}
		s := breaker.New(next, breaker.Config{})
		late := func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_ = claim(ctx, s)
		}
		for range 4 {
			late()
		}
		next.takes = 0
		_ = claim(t.Context(), s)
		next.takes = time.Minute
		for range 4 {
			late()
		}
		if s.State() != breaker.Closed {
			t.Errorf("after four, one answer, and four: got %v, want closed", s.State())
		}
		late()
		if s.State() != breaker.Open {
			t.Errorf("after five time-outs: got %v, want open", s.State())
		}
	})
}

// guarded is a store in memory of which only what people ask passes the breaker by.
type guarded struct {
	*breaker.Store
	election.Overseer
}

// TestAStoreBehindABreakerKeepsTheContract runs the suite every store passes.
func TestAStoreBehindABreakerKeepsTheContract(t *testing.T) {
	t.Parallel()
	leasetest.Run(t, leasetest.Bubble, func(*testing.T) leasetest.Subject {
		s := new(memlease.Store)
		return leasetest.Subject{
			Store: guarded{breaker.New(s, breaker.Config{}), s},
			Wipe:  func() error { s.Forget(); return nil },
		}
	})
}
