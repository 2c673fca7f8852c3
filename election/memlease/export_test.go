package memlease

import "github.com/solocron/solocron/election"

// Mutants returns stores that each lack one rule, by the name of the rule: for
// proving that the contract notices.
func Mutants() map[string]func() *Store {
	without := func(spoil func(*record, *ask)) func() *Store {
		return func() *Store {
			return &Store{weigh: func(r *record, c *ask) step {
				seen, asked, claim := *r, *c, *c.Claim
				asked.Claim = &claim
				spoil(&seen, &asked)
				return weigh(&seen, &asked)
			}}
		}
	}
	return map[string]func() *Store{
		"ledger":       without(func(r *record, _ *ask) { r.decided = max(0, r.decided-1) }),
		"whole ledger": without(func(r *record, c *ask) { r.decided, c.floorTick = 0, 0 }),
		"lock delay":   without(func(_ *record, c *ask) { c.delay = 0 }),
		"token floor":  without(func(_ *record, c *ask) { c.Floor.Token = 0 }),
		"tick floor":   without(func(_ *record, c *ask) { c.floorTick = 0 }),
		"epoch":        without(func(r *record, _ *ask) { r.epoch = 0 }),
		"gate":         without(func(r *record, _ *ask) { r.gate.closed = false }),
		"replay":       without(func(_ *record, c *ask) { c.takesLease = false }),
		"repeat":       without(func(r *record, _ *ask) { r.refused = nil }),
		"early":        without(func(_ *record, c *ask) { c.now.ms = max(c.now.ms, c.tick) }),
		"expiry":       without(func(r *record, _ *ask) { r.expires++ }),
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
