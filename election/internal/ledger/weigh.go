package ledger

import (
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Ask is a claim in the units of a record, with the instant it is judged at.
type Ask struct {
	*election.Claim
	Now        Instant
	TickMS     int64
	FloorTick  int64
	TTLMS      int64
	DelayMS    int64
	KeepMS     int64
	Scheduled  bool // the claim is about a tick
	TakesLease bool // the claim wants the lease
}

// NewAsk puts c into the units of a record.
func NewAsk(c *election.Claim, now Instant) Ask {
	return Ask{
		Claim:      c,
		Now:        now,
		TickMS:     check.Millis(c.Tick),
		FloorTick:  check.Millis(c.Floor.Tick),
		TTLMS:      c.TTL.Milliseconds(),
		DelayMS:    c.LockDelay.Milliseconds(),
		KeepMS:     c.Retention.Milliseconds(),
		Scheduled:  c.Mode != election.ForRequest,
		TakesLease: c.Mode != election.Forfeit,
	}
}

// Step is what a claim comes to.
type Step uint8

// The steps, in the order in which they are tried.
const (
	StepFault      Step = iota // the floor lies too far ahead to be believed
	StepLostData               // the record knows less than the caller
	StepReplay                 // the caller's own grant, asked for again
	StepSuperseded             // a newer definition is in force
	StepRepeat                 // the caller's own refusal, asked for again
	StepSpent
	StepEarly
	StepHeldClaim // somebody has claimed and not started
	StepHeldRun   // somebody runs
	StepMiss
	StepClose
	StepSkip
	StepDelay
	StepQuarantine
	StepGrant
)

// Weigh decides what becomes of claim c on record r: the first rule that
// matches. It changes nothing.
func Weigh(r *Record, c *Ask) Step {
	now := c.Now.MS
	ahead := check.MaxAhead.Milliseconds()
	switch {
	case c.Floor.Token > c.Now.US+1000*ahead || c.FloorTick > now+ahead:
		return StepFault
	case r.Token < c.Floor.Token || r.Decided < c.FloorTick:
		return StepLostData
	case c.TakesLease && r.Owner == c.Owner && r.Live(now) && r.Tick == c.TickMS:
		return StepReplay
	case c.Epoch < r.Epoch:
		return StepSuperseded
	case c.Scheduled && c.TickMS <= r.Decided:
		if _, said := r.refusal(c.Owner, c.TickMS); said {
			return StepRepeat
		}
		return StepSpent
	case c.Scheduled && c.TickMS > now:
		return StepEarly
	case c.Scheduled && r.Live(now) && r.Tick == c.TickMS:
		return StepHeldClaim
	case c.Scheduled && r.Gate.closes(c.TickMS):
		return StepClose // before a miss: it was closed on purpose, whoever came in time or not
	case c.Mode == election.Forfeit:
		return StepMiss
	}
	return weighLease(r, c)
}

// weighLease decides for a claim that only the lease can still refuse.
func weighLease(r *Record, c *Ask) Step {
	now := c.Now.MS
	switch {
	case r.Live(now) && r.State == election.StateClaimed:
		return StepHeldClaim
	case r.Live(now) && c.Scheduled && c.Overlap == election.SkipOverlap:
		return StepSkip
	case r.Live(now):
		return StepHeldRun
	case r.abandoned(now) && now < r.Expires+c.DelayMS:
		return StepDelay
	case r.State == election.StateRevoked && now < r.Expires:
		return StepDelay
	case r.State == election.StateQuarantine && now < r.Expires:
		return StepQuarantine
	}
	return StepGrant
}
