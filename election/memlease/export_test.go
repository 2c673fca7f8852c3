package memlease

import (
	"context"
	"slices"
	"unsafe"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/ledger"
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
	without := func(spoil func(*ledger.Record, *ledger.Ask)) func() Mutant {
		return func() Mutant {
			return &Store{weigh: func(r *ledger.Record, c *ledger.Ask) ledger.Step {
				seen, asked, claim := *r, *c, *c.Claim
				asked.Claim = &claim
				spoil(&seen, &asked)
				return ledger.Weigh(&seen, &asked)
			}}
		}
	}
	withGate := func(spoil func(old ledger.Gate, now int64, r *draft)) func() Mutant {
		return func() Mutant { return &badGate{Store: new(Store), spoil: spoil} }
	}
	withStart := func(spoil func(r *draft, h *election.Hold)) func() Mutant {
		return func() Mutant { return &badStart{Store: new(Store), spoil: spoil} }
	}
	return map[string]func() Mutant{
		"raised token": withStart(func(r *draft, h *election.Hold) { h.Token = min(h.Token, r.Token) }),
		"raise by the owner alone": withStart(func(r *draft, h *election.Hold) {
			if h.Token > r.Token {
				r.Token = h.Token
			}
		}),
		"lower token at start": withStart(func(r *draft, h *election.Hold) { h.Token = max(h.Token, r.Token) }),
		"raise within a day": withStart(func(r *draft, h *election.Hold) {
			if r.Owner == h.Owner {
				r.Token = max(r.Token, h.Token)
			}
		}),
		"what it is given": func() Mutant { return rude{new(Store)} },
		"ledger":           without(func(r *ledger.Record, _ *ledger.Ask) { r.Decided = max(0, r.Decided-1) }),
		"whole ledger":     without(func(r *ledger.Record, c *ledger.Ask) { r.Decided, c.FloorTick = 0, 0 }),
		"lock delay":       without(func(_ *ledger.Record, c *ledger.Ask) { c.DelayMS = 0 }),
		"token floor":      without(func(_ *ledger.Record, c *ledger.Ask) { c.Floor.Token = 0 }),
		"tick floor":       without(func(_ *ledger.Record, c *ledger.Ask) { c.FloorTick = 0 }),
		"epoch":            without(func(r *ledger.Record, _ *ledger.Ask) { r.Epoch = 0 }),
		"gate":             without(func(r *ledger.Record, _ *ledger.Ask) { r.Gate = ledger.Gate{} }),
		"gate's until": without(func(r *ledger.Record, _ *ledger.Ask) {
			if r.Gate.Until > 0 {
				r.Gate.Until = ledger.Forever
			}
		}),
		"gate by the tick": without(func(r *ledger.Record, c *ledger.Ask) {
			if r.Gate.Until > c.Now.MS {
				r.Gate.Until = ledger.Forever
			} else {
				r.Gate.Until = 0
			}
		}),
		"forfeit at a gate": without(func(r *ledger.Record, c *ledger.Ask) {
			if c.Mode == election.Forfeit {
				r.Gate = ledger.Gate{}
			}
		}),
		"what an opened gate has closed": withGate(func(old ledger.Gate, now int64, r *draft) {
			if r.Gate.Until <= now && old.Until > now {
				r.Gate = ledger.Gate{}
			}
		}),
		"what a changed gate has closed": withGate(func(old ledger.Gate, now int64, r *draft) {
			if r.Gate.Until == now && old.Until > now && r.Gate.Reason != "" {
				r.Gate.Until--
			}
		}),
		"a gate that opened by itself": withGate(func(_ ledger.Gate, now int64, r *draft) {
			if r.Gate.Until > 0 && r.Gate.Until < now {
				r.Gate.Until = now
			}
		}),
		"an opened gate on an idle key": withGate(func(_ ledger.Gate, now int64, r *draft) {
			if r.Gate.Until <= now {
				r.kept.gone = now + 1
			}
		}),
		"replay": without(func(_ *ledger.Record, c *ledger.Ask) { c.TakesLease = false }),
		"repeat": without(func(r *ledger.Record, _ *ledger.Ask) { r.Refused = nil }),
		"early":  without(func(_ *ledger.Record, c *ledger.Ask) { c.Now.MS = max(c.Now.MS, c.TickMS) }),
		"expiry": without(func(r *ledger.Record, _ *ledger.Ask) { r.Expires++ }),
		"revocation": without(func(r *ledger.Record, _ *ledger.Ask) {
			if r.State == election.StateRevoked {
				r.State = election.StateFree
			}
		}),
		"quarantine": without(func(r *ledger.Record, _ *ledger.Ask) {
			if r.State == election.StateQuarantine {
				r.State = election.StateFree
			}
		}),
		"overlap": without(func(_ *ledger.Record, c *ledger.Ask) { c.Overlap = election.QueueOverlap }),
		"queue":   without(func(_ *ledger.Record, c *ledger.Ask) { c.Overlap = election.SkipOverlap }),
		"claimed": without(func(r *ledger.Record, _ *ledger.Ask) {
			if r.State == election.StateClaimed {
				r.State = election.StateRunning
			}
		}),
		"lease": without(func(r *ledger.Record, _ *ledger.Ask) { r.Owner = "" }),
	}
}

// badGate sets another gate than it should.
type badGate struct {
	*Store
	spoil func(old ledger.Gate, now int64, r *draft)
}

func (s *badGate) SetGate(ctx context.Context, key string, g election.Gate) error {
	now := s.open()
	before, _ := s.find(key, now)
	old := before.Gate
	s.mu.Unlock()
	if err := s.Store.SetGate(ctx, key, g); err != nil {
		return err
	}
	now = s.open()
	defer s.mu.Unlock()
	if r, found := s.find(key, now); found {
		s.spoil(old, now.MS, r)
		r.close()
	}
	return nil
}

// badStart changes what a start is about, or the record that it is about.
type badStart struct {
	*Store
	spoil func(r *draft, h *election.Hold)
}

func (s *badStart) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	holds = slices.Clone(holds)
	now := s.open()
	for i := range holds {
		if r, found := s.find(holds[i].Key, now); found {
			s.spoil(r, &holds[i])
			r.close()
		}
	}
	s.mu.Unlock()
	return s.Store.Start(ctx, holds)
}

// rude writes into what it is given.
type rude struct{ *Store }

func (s rude) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := s.Store.Claim(ctx, claims)
	clear(claims)
	return answers
}

// RecordSize and RareSize are what is made for a key, in bytes: at its first
// claim, and when there is first something unusual to say about it.
const (
	RecordSize = unsafe.Sizeof(record{})
	RareSize   = unsafe.Sizeof(rare{})
)

// Kept is what is left of r in a store that had old, and whether it has rare parts.
func Kept(old, r ledger.Record) (kept ledger.Record, unusual bool) {
	d := draft{Record: old, kept: new(record)}
	d.close()
	d.Record = r
	d.close()
	var again draft
	again.open(d.kept)
	return again.Record, d.kept.rare != nil
}

// Room is for how many records room was made before there was one.
func (s *Store) Room() int { return s.room }
