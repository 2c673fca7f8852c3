package ledger

import (
	"fmt"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Claim takes the step that was decided for c on r, and fills a.
func Claim(r *Record, c *Ask, decided Step, a *election.ClaimAnswer) Change {
	a.Now = c.Now.At
	if decided == StepFault {
		a.Err = fmt.Errorf("%w: floor more than %s ahead of the store's clock", election.ErrBadClaim, check.MaxAhead)
		return Change{}
	}
	a.Decided = check.Time(r.Decided)
	change := act(decided, r, c, a)
	a.Token, a.By, a.Tick = r.Token, r.Holder, check.Time(r.Tick)
	return change
}

// act does what step asks for. The record's token, holder and tick are filled in
// by the caller afterwards.
func act(step Step, r *Record, c *Ask, a *election.ClaimAnswer) Change {
	now := c.Now.MS
	switch step {
	case StepLostData:
		change := quarantine(r, c)
		a.Answer, a.Remaining = election.Quarantine, millis(r.Left(now))
		return change
	case StepReplay:
		return replay(r, c, a)
	case StepMiss:
		return refuse(r, c, election.Missed, a)
	case StepClose:
		return refuse(r, c, election.Closed, a)
	case StepSkip:
		change := refuse(r, c, election.Skipped, a)
		a.Remaining = millis(r.Left(now))
		return change
	case StepGrant:
		return grant(r, c, a)
	}
	tell(step, r, c, a)
	return Change{}
}

// tell answers with what r says already.
func tell(step Step, r *Record, c *Ask, a *election.ClaimAnswer) {
	now := c.Now.MS
	switch step {
	case StepSuperseded:
		a.Answer = election.Superseded
	case StepRepeat:
		said, _ := r.refusal(c.Owner, c.TickMS)
		a.Answer, a.Decided = said.Answer, check.Time(said.Before)
		if a.Answer == election.Skipped {
			a.Remaining = millis(r.Left(now))
		}
	case StepSpent:
		a.Answer = election.Spent
	case StepEarly:
		a.Answer, a.Remaining = election.Early, millis(c.TickMS-now)
	case StepHeldClaim:
		a.Answer, a.Remaining = election.Held, millis(r.Left(now))
	case StepHeldRun:
		a.Answer, a.Remaining, a.Started = election.Held, millis(r.Left(now)), true
	case StepDelay:
		a.Answer, a.Remaining = election.Delayed, millis(r.Left(now))
		if r.State == election.StateRunning {
			a.Remaining = millis(r.Expires + c.DelayMS - now)
		}
	case StepQuarantine:
		a.Answer, a.Remaining = election.Quarantine, millis(r.Left(now))
	}
}

// quarantine takes the caller's word for what the record has forgotten, and
// keeps everybody out until a lease it may have forgotten too has ended.
func quarantine(r *Record, c *Ask) Change {
	r.Token = max(r.Token, c.Floor.Token)
	r.Decided = max(r.Decided, c.FloorTick)
	r.Owner, r.State = "", election.StateQuarantine
	r.Expires = max(r.Expires, c.Now.MS+c.TTLMS+c.DelayMS)
	r.Delay, r.Keep = c.DelayMS, c.KeepMS
	return r.timed(r.Left(c.Now.MS) + c.DelayMS + c.KeepMS)
}

// replay gives the first answer again to a claim whose answer was lost.
func replay(r *Record, c *Ask, a *election.ClaimAnswer) Change {
	r.Expires = max(r.Expires, c.Now.MS+c.TTLMS)
	a.Answer, a.Remaining, a.Attempt, a.Prev = election.Granted, millis(r.Left(c.Now.MS)), r.Attempt, r.Prev
	if r.State == election.StateRunning {
		a.Decided = check.Time(r.Before)
	}
	return r.timed(r.Left(c.Now.MS) + c.DelayMS + c.KeepMS)
}

// refuse decides the tick of c without a run.
func refuse(r *Record, c *Ask, answer election.Answer, a *election.ClaimAnswer) Change {
	said := Refusal{Owner: c.Owner, Tick: c.TickMS, Answer: answer, Before: r.Decided}
	r.Refused = append([]Refusal{said}, r.Refused[:min(len(r.Refused), MaxRefused-1)]...)
	r.Decided = c.TickMS
	a.Answer = answer
	return r.noted(r.Left(c.Now.MS) + c.DelayMS + c.KeepMS)
}

// grant gives the lease to c. The ledger is left alone: that is Start's to write.
func grant(r *Record, c *Ask, a *election.ClaimAnswer) Change {
	if r.State != election.StateClaimed {
		r.Prev = nil // whoever started or gave the lease back has heard of it
	}
	if r.abandoned(c.Now.MS) {
		r.Prev = &election.Abandoned{By: r.Holder, Tick: check.Time(r.Tick), Token: r.Token, Attempt: r.Attempt}
		r.push(r.Token, election.OutcomeAbandoned)
		r.Crashes++
	}
	r.Token = max(r.Token+1, c.Now.US, c.Floor.Token+1)
	r.Owner, r.State, r.Holder = c.Owner, election.StateClaimed, c.Holder
	r.Expires, r.Tick, r.Attempt = c.Now.MS+c.TTLMS, c.TickMS, 1
	r.Epoch, r.Def = max(r.Epoch, c.Epoch), c.Def
	r.Delay, r.Keep = c.DelayMS, c.KeepMS
	a.Answer, a.Remaining, a.Attempt, a.Prev = election.Granted, millis(c.TTLMS), r.Attempt, r.Prev
	return r.timed(r.Left(c.Now.MS) + c.DelayMS + c.KeepMS)
}
