package breaker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/solocron/solocron/election"
)

// ErrOpen means that a claim was not sent, since the store has not been
// answering. It comes with election.ErrNotApplied.
var ErrOpen = errors.New("circuit breaker open: the lease store does not answer")

// Config is how a breaker behaves. The zero Config is a good one.
type Config struct {
	Silent int           // so many calls in a row without any answer open it; 0: 5
	Pause  time.Duration // from then on, and after each try in vain, until one claim may try; 0: 1s

	// Changed is told of every change of state, in order; it must be quick and not
	// call the store. Nil: nobody is told.
	Changed func(from, to State)
}

func (c Config) withDefaults() Config {
	if c.Silent <= 0 {
		c.Silent = 5
	}
	if c.Pause <= 0 {
		c.Pause = time.Second
	}
	if c.Changed == nil {
		c.Changed = func(State, State) {}
	}
	return c
}

// Store is an election.Store with a circuit breaker in front of it. It is safe for
// concurrent use.
type Store struct {
	next election.Store
	cfg  Config

	mu      sync.Mutex
	circuit circuit
}

var _ election.Store = (*Store)(nil)

// New returns next behind a breaker.
func New(next election.Store, cfg Config) *Store {
	return &Store{next: next, cfg: cfg.withDefaults()}
}

// State returns where the breaker stands.
func (s *Store) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.circuit.state
}

// Claim asks for leases unless the breaker is open: then no claim is sent, and
// each fails at once with an error that matches ErrOpen and election.ErrNotApplied.
func (s *Store) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	pass, probe := s.admit()
	if !pass {
		return refuse(len(claims))
	}
	answers := s.next.Claim(ctx, claims)
	found := nothing
	for i := range answers {
		a := &answers[i]
		found = max(found, weigh(ctx, a.Answer != election.Unknown || !a.Now.IsZero(), a.Err))
	}
	s.learn(found, probe)
	return answers
}

// Start is never held up: the claim it is about has been granted and lasts for
// seconds only.
func (s *Store) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.hold(ctx, s.next.Start(ctx, holds))
}

// Renew is never held up: a lease in hand is renewed with every try it has.
func (s *Store) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.hold(ctx, s.next.Renew(ctx, holds))
}

// Release is never held up: it records how a run went, and lets others in.
func (s *Store) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	return s.hold(ctx, s.next.Release(ctx, ends))
}

// hold learns from answers to a holder and returns them.
func (s *Store) hold(ctx context.Context, answers []election.HoldAnswer) []election.HoldAnswer {
	found := nothing
	for i := range answers {
		a := &answers[i]
		found = max(found, weigh(ctx, a.Standing != election.Uncertain || !a.Now.IsZero(), a.Err))
	}
	s.learn(found, false)
	return answers
}

// weigh says what one item tells of the store. A caller that went away, or asked
// for nonsense, got no answer either, but that says nothing.
func weigh(ctx context.Context, answered bool, err error) finding {
	switch {
	case answered:
		return answer
	case errors.Is(err, election.ErrBadClaim), errors.Is(ctx.Err(), context.Canceled):
		return nothing
	}
	return silence
}

// refuse answers n claims that are not sent.
func refuse(n int) []election.ClaimAnswer {
	err := fmt.Errorf("%w: %w", election.ErrNotApplied, ErrOpen)
	answers := make([]election.ClaimAnswer, n)
	for i := range answers {
		answers[i].Err = err
	}
	return answers
}

func (s *Store) admit() (pass, probe bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next, pass, probe := s.circuit.admit(time.Now())
	s.change(next)
	return pass, probe
}

func (s *Store) learn(f finding, probe bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change(s.circuit.learn(f, probe, time.Now(), s.cfg))
}

// change makes next the circuit. The caller holds s.mu, so that changes are told
// in order.
func (s *Store) change(next circuit) {
	from := s.circuit.state
	if s.circuit = next; next.state != from {
		s.cfg.Changed(from, next.state)
	}
}
