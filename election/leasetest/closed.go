package leasetest

import (
	"time"

	"github.com/solocron/solocron/election"
)

func closedChecks() []Check {
	return []Check{
		{"AClosedGateDecidesTicksButLetsRequestsIn", closedGate},
		{"AGateOpensByItselfAndTheTickAtThatMomentRuns", gateOpens},
		{"AGateIsJudgedByTheTickAndNotByTheClock", gateByTick},
		{"AForfeitOfAClosedTickIsClosed", closedForfeit},
		{"AGateOutlivesTheRetentionOfItsRecord", gateLasts},
	}
}

func closedGate(w *World) error {
	gate := election.Gate{Closed: true, Reason: "stock-taking", By: "ada"}
	if err := w.gate(gate); err != nil {
		return err
	}
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	r, err := w.read("job")
	if err := first(err, equal("gate", r.Gate, gate),
		w.want("first", w.claim(c), election.Closed), w.want("repeated by its owner", w.claim(c), election.Closed),
		w.want("second replica", w.claim(w.tickAt("job", c.Tick)), election.Spent)); err != nil {
		return err
	}
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
		return err
	}
	return w.want("the next tick", w.claim(w.tickAt("job", c.Tick.Add(w.Unit/2))), election.Closed)
}

func gateOpens(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	until := c.Tick.Add(3 * w.Unit)
	if err := w.gate(election.Gate{Closed: true, Until: until}); err != nil {
		return err
	}
	r, err := w.read("job")
	if err := first(err, equal("until", r.Gate.Until, until), w.want("before", w.claim(c), election.Closed)); err != nil {
		return err
	}
	w.sleep(2 * w.Unit)
	r, err = w.read("job")
	if err := first(err, equal("gate that has opened", r.Gate, election.Gate{}), equal("shut until", r.Shut, until),
		equal("closes a tick before", r.Closes(until.Add(-time.Millisecond)), true), equal("closes the tick at that moment", r.Closes(until), false),
		w.want("late claim of a closed tick", w.claim(w.tickAt("job", until.Add(-time.Millisecond))), election.Closed)); err != nil {
		return err
	}
	_, err = w.running(w.tickAt("job", until))
	return err
}

// gateByTick closes ticks that were due long before: the clock has nothing to do with it.
func gateByTick(w *World) error {
	c, err := w.tick("job", 2*w.Unit)
	if err != nil {
		return err
	}
	until := c.Tick.Add(w.Unit)
	if err := w.gate(election.Gate{Closed: true, Until: until, Reason: "skip", By: "ada"}); err != nil {
		return err
	}
	r, err := w.read("job")
	if err := first(err, equal("gate shown after its end", r.Gate, election.Gate{}),
		w.want("before", w.claim(c), election.Closed),
		w.want("just before", w.claim(w.tickAt("job", until.Add(-time.Millisecond))), election.Closed)); err != nil {
		return err
	}
	h, err := w.running(w.tickAt("job", until))
	if err != nil {
		return err
	}
	if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
		return err
	}
	// A gate may also reach over the present: the tick decides.
	if err := w.gate(election.Gate{Closed: true, Until: until.Add(time.Hour)}); err != nil {
		return err
	}
	return w.want("due now", w.claim(w.tickAt("job", until.Add(w.Unit/2))), election.Closed)
}

// closedForfeit: "paused" says more than "missed".
func closedForfeit(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	c.Mode = election.Forfeit
	if err := w.gate(election.Gate{Closed: true, Until: c.Tick.Add(time.Millisecond)}); err != nil {
		return err
	}
	later := w.tickAt("job", c.Tick.Add(time.Millisecond))
	later.Mode = election.Forfeit
	return first(w.want("closed", w.claim(c), election.Closed), w.want("repeated by its owner", w.claim(c), election.Closed),
		w.want("by another", w.claim(w.tickAt("job", c.Tick)), election.Spent),
		w.want("not closed", w.claim(later), election.Missed))
}

// gateLasts uses plain locks, whose records vanish with their leases.
func gateLasts(w *World) error {
	if err := w.gate(election.Gate{Closed: true}); err != nil {
		return err
	}
	for _, release := range []bool{true, false} {
		c := w.request("job")
		c.Retention, c.LockDelay, c.TTL = 0, 0, w.Unit
		h, err := w.running(c)
		if err != nil {
			return err
		}
		if release {
			if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
				return err
			}
		} else {
			w.sleep(w.Unit + time.Millisecond)
		}
		r, err := w.read("job")
		if err := first(err, equal("gate is closed", r.Gate.Closed, true)); err != nil {
			return err
		}
	}
	return nil
}

func (w *World) gate(g election.Gate) error { return w.Store.SetGate(w.Ctx, "job", g) }
