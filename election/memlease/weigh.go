package memlease

import (
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// ask is a claim in the units of a record, with the instant it is judged at.
type ask struct {
	*election.Claim
	now        instant
	tick       int64
	floorTick  int64
	ttl        int64
	delay      int64
	keep       int64
	scheduled  bool // the claim is about a tick
	takesLease bool // the claim wants the lease
}

func newAsk(c *election.Claim, now instant) ask {
	return ask{
		Claim:      c,
		now:        now,
		tick:       check.Millis(c.Tick),
		floorTick:  check.Millis(c.Floor.Tick),
		ttl:        c.TTL.Milliseconds(),
		delay:      c.LockDelay.Milliseconds(),
		keep:       c.Retention.Milliseconds(),
		scheduled:  c.Mode != election.ForRequest,
		takesLease: c.Mode != election.Forfeit,
	}
}

// step is what a claim comes to.
type step uint8

const (
	stepFault      step = iota // the floor lies too far ahead to be believed
	stepLostData               // the record knows less than the caller
	stepReplay                 // the caller's own grant, asked for again
	stepSuperseded             // a newer definition is in force
	stepRepeat                 // the caller's own refusal, asked for again
	stepSpent
	stepEarly
	stepHeldClaim // somebody has claimed and not started
	stepHeldRun   // somebody runs
	stepMiss
	stepClose
	stepSkip
	stepDelay
	stepQuarantine
	stepGrant
)

// weigh decides what becomes of claim c on record r: the first rule that
// matches. It changes nothing.
func weigh(r *record, c *ask) step {
	now := c.now.ms
	ahead := check.MaxAhead.Milliseconds()
	switch {
	case c.Floor.Token > c.now.us+1000*ahead || c.floorTick > now+ahead:
		return stepFault
	case r.token < c.Floor.Token || r.decided < c.floorTick:
		return stepLostData
	case c.takesLease && r.owner == c.Owner && r.live(now) && r.tick == c.tick:
		return stepReplay
	case c.Epoch < r.epoch:
		return stepSuperseded
	case c.scheduled && c.tick <= r.decided:
		if _, said := r.refusal(c.Owner, c.tick); said {
			return stepRepeat
		}
		return stepSpent
	case c.scheduled && c.tick > now:
		return stepEarly
	case c.scheduled && r.live(now) && r.tick == c.tick:
		return stepHeldClaim
	case c.scheduled && r.gate.closes(c.tick):
		return stepClose // before a miss: it was closed on purpose, whoever came in time or not
	case c.Mode == election.Forfeit:
		return stepMiss
	}
	return weighLease(r, c)
}

// weighLease decides for a claim that only the lease can still refuse.
func weighLease(r *record, c *ask) step {
	now := c.now.ms
	switch {
	case r.live(now) && r.state == election.StateClaimed:
		return stepHeldClaim
	case r.live(now) && c.scheduled && c.Overlap == election.SkipOverlap:
		return stepSkip
	case r.live(now):
		return stepHeldRun
	case r.abandoned(now) && now < r.expires+c.delay:
		return stepDelay
	case r.state == election.StateRevoked && now < r.expires:
		return stepDelay
	case r.state == election.StateQuarantine && now < r.expires:
		return stepQuarantine
	}
	return stepGrant
}
