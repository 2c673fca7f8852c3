package memlease

import (
	"context"

	"github.com/solocron/solocron/election"
)

// Mutant is a store that lacks a rule.
type Mutant interface {
	election.Store
	election.Overseer
	Forget()
}

// Mutants returns stores that each lack one rule, by the name of the rule: for
// proving that the contract notices.
func Mutants() map[string]func() Mutant {
	without := func(spoil func(*record, *ask)) func() Mutant {
		return func() Mutant {
			return &Store{weigh: func(r *record, c *ask) step {
				seen, asked, claim := *r, *c, *c.Claim
				asked.Claim = &claim
				spoil(&seen, &asked)
				return weigh(&seen, &asked)
			}}
		}
	}
	withGate := func(spoil func(old gate, now int64, r *record)) func() Mutant {
		return func() Mutant { return &badGate{Store: new(Store), spoil: spoil} }
	}
	return map[string]func() Mutant{
		"what it is given": func() Mutant { return rude{new(Store)} },
		"ledger":           without(func(r *record, _ *ask) { r.decided = max(0, r.decided-1) }),
		"whole ledger":     without(func(r *record, c *ask) { r.decided, c.floorTick = 0, 0 }),
		"lock delay":       without(func(_ *record, c *ask) { c.delay = 0 }),
		"token floor":      without(func(_ *record, c *ask) { c.Floor.Token = 0 }),
		"tick floor":       without(func(_ *record, c *ask) { c.floorTick = 0 }),
		"epoch":            without(func(r *record, _ *ask) { r.epoch = 0 }),
		"gate":             without(func(r *record, _ *ask) { r.gate = gate{} }),
		"gate's until": without(func(r *record, _ *ask) {
			if r.gate.until > 0 {
				r.gate.until = forever
			}
		}),
		"gate by the tick": without(func(r *record, c *ask) {
			if r.gate.until > c.now.ms {
				r.gate.until = forever
			} else {
				r.gate.until = 0
			}
		}),
		"forfeit at a gate": without(func(r *record, c *ask) {
			if c.Mode == election.Forfeit {
				r.gate = gate{}
			}
		}),
		"what an opened gate has closed": withGate(func(old gate, now int64, r *record) {
			if r.gate.until <= now && old.until > now {
				r.gate = gate{}
			}
		}),
		"what a changed gate has closed": withGate(func(old gate, now int64, r *record) {
			if r.gate.until == now && old.until > now && r.gate.reason != "" {
				r.gate.until--
			}
		}),
		"a gate that opened by itself": withGate(func(_ gate, now int64, r *record) {
			if r.gate.until > 0 && r.gate.until < now {
				r.gate.until = now
			}
		}),
		"an opened gate on an idle key": withGate(func(_ gate, now int64, r *record) {
			if r.gate.until <= now {
				r.gone = now + 1
			}
		}),
		"replay": without(func(_ *record, c *ask) { c.takesLease = false }),
		"repeat": without(func(r *record, _ *ask) { r.refused = nil }),
		"early":  without(func(_ *record, c *ask) { c.now.ms = max(c.now.ms, c.tick) }),
		"expiry": without(func(r *record, _ *ask) { r.expires++ }),
		"revocation": without(func(r *record, _ *ask) {
			if r.state == election.StateRevoked {
				r.state = election.StateFree
			}
		}),
		"quarantine": without(func(r *record, _ *ask) {
			if r.state == election.StateQuarantine {
				r.state = election.StateFree
			}
		}),
		"overlap": without(func(_ *record, c *ask) { c.Overlap = election.QueueOverlap }),
		"queue":   without(func(_ *record, c *ask) { c.Overlap = election.SkipOverlap }),
		"claimed": without(func(r *record, _ *ask) {
			if r.state == election.StateClaimed {
				r.state = election.StateRunning
			}
		}),
		"lease": without(func(r *record, _ *ask) { r.owner = "" }),
	}
}

// badGate sets another gate than it should.
type badGate struct {
	*Store
	spoil func(old gate, now int64, r *record)
}

func (s *badGate) SetGate(ctx context.Context, key string, g election.Gate) error {
	now := s.open()
	r, _ := s.find(key, now)
	old := r.gate
	s.mu.Unlock()
	if err := s.Store.SetGate(ctx, key, g); err != nil {
		return err
	}
	now = s.open()
	defer s.mu.Unlock()
	r, _ = s.find(key, now)
	s.spoil(old, now.ms, r)
	return nil
}

// rude writes into what it is given.
type rude struct{ *Store }

func (s rude) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := s.Store.Claim(ctx, claims)
	clear(claims)
	return answers
}
