package leasetest

import (
	"time"

	"github.com/solocron/solocron/election"
)

func openedChecks() []Check {
	return []Check{
		{"WhatCameDueBeforeAGateWasOpenedStaysClosed", openedGate},
		{"WhatCameDueBeforeAGateWasChangedStaysClosed", changedGate},
		{"OpeningAGateThatHasOpenedClosesNothing", openedTwice},
		{"AGateOnAnIdleKeyIsRememberedAfterItWasOpened", idleGate},
		{"AGateThatTheLedgerHasPassedIsForgotten", passedGate},
	}
}

// openedGate has a tick that came due while the key was closed and is claimed
// only when it is open again.
func openedGate(w *World) error {
	for name, until := range map[string]time.Duration{"for ever": 0, "for an hour": time.Hour} {
		c, err := w.tick("job", w.Unit)
		if err != nil {
			return err
		}
		g := election.Gate{Closed: true, Reason: name}
		if until > 0 {
			g.Until = c.Tick.Add(until)
		}
		opened, err := w.closedAndOpened(g)
		if err != nil {
			return err
		}
		r, err := w.read("job")
		if err := first(err, equal(name+": gate", r.Gate, election.Gate{}),
			w.want(name+": came due before", w.claim(c), election.Closed),
			w.want(name+": another replica", w.claim(w.tickAt("job", c.Tick)), election.Spent),
			w.want(name+": another tick", w.claim(w.tickAt("job", c.Tick.Add(time.Millisecond))), election.Closed)); err != nil {
			return err
		}
		h, err := w.running(w.tickAt("job", opened))
		if err != nil {
			return err
		}
		if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
			return err
		}
		w.sleep(2 * w.Unit)
	}
	return nil
}

// closedAndOpened sets g and then the zero Gate; it returns a moment just after.
func (w *World) closedAndOpened(g election.Gate) (time.Time, error) {
	if err := first(w.gate(g), w.gate(election.Gate{})); err != nil {
		return time.Time{}, err
	}
	w.sleep(time.Millisecond) // later than the opening by all means, on a clock of milliseconds
	return w.now()
}

// changedGate replaces a gate by one that ends earlier, or has ended.
func changedGate(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	ended := election.Gate{Closed: true, Until: c.Tick.Add(-w.Unit), Reason: "skip"}
	if err := first(w.gate(election.Gate{Closed: true}), w.gate(ended)); err != nil {
		return err
	}
	r, err := w.read("job")
	if err := first(err, equal("gate", r.Gate, election.Gate{}),
		w.want("due while it was closed", w.claim(c), election.Closed)); err != nil {
		return err
	}
	if w.Slack == 0 { // only here it is known which tick is the last before the change
		last := w.tickAt("job", r.Now.Add(-time.Millisecond))
		if err := w.want("the last before the change", w.claim(last), election.Closed); err != nil {
			return err
		}
	}
	w.sleep(time.Millisecond)
	now, err := w.now()
	if err != nil {
		return err
	}
	_, err = w.running(w.tickAt("job", now))
	return err
}

// openedTwice opens a gate that has opened by itself a while ago.
func openedTwice(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	if err := first(w.gate(election.Gate{Closed: true, Until: c.Tick}), w.gate(election.Gate{}), w.gate(election.Gate{})); err != nil {
		return err
	}
	early := w.tickAt("job", c.Tick.Add(-time.Millisecond))
	if err := w.want("before", w.claim(early), election.Closed); err != nil {
		return err
	}
	_, err = w.running(c)
	return err
}

// idleGate closes and opens a key that nobody has claimed: so far its record has
// no retention.
func idleGate(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	if err := first(w.gate(election.Gate{Closed: true}), w.gate(election.Gate{})); err != nil {
		return err
	}
	w.sleep(w.Unit)
	if err := w.want("a week is not over", w.claim(c), election.Closed); err != nil {
		return err
	}
	if err := w.Store.SetGate(w.Ctx, "open", election.Gate{}); err != nil {
		return err
	}
	r, err := w.read("open")
	return first(err, equal("record made by opening what is open", r.Key, ""))
}

// passedGate runs the first tick after a gate with a plain lock: what is kept
// after that is kept for the gate.
func passedGate(w *World) error {
	opened, err := w.closedAndOpened(election.Gate{Closed: true})
	if err != nil {
		return err
	}
	c := w.tickAt("job", opened)
	c.Retention, c.LockDelay = 0, 0
	h, err := w.running(c)
	if err != nil {
		return err
	}
	r, err := w.read("job")
	if err := first(err, equal("decided", r.Decided, c.Tick),
		w.want("closed tick", w.claim(w.tickAt("job", opened.Add(-w.Unit))), election.Spent),
		stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good)); err != nil {
		return err
	}
	r, err = w.read("job")
	return first(err, equal("record of a plain lock", r.Key, ""))
}
