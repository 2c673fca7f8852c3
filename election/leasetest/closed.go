package leasetest

import (
	"time"

	"github.com/solocron/solocron/election"
)

func closedChecks() []Check {
	return []Check{
		{"AClosedGateDecidesTicksButLetsRequestsIn", closedGate},
		{"AGateOpensByItself", gateOpens},
		{"AClosedGateOutlivesTheRetentionOfItsRecord", gateLasts},
	}
}

func closedGate(w *World) error {
	gate := election.Gate{Closed: true, Reason: "stock-taking", By: "ada"}
	if err := w.Store.SetGate(w.Ctx, "job", gate); err != nil {
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
	if err := w.Store.SetGate(w.Ctx, "job", election.Gate{}); err != nil {
		return err
	}
	if err := w.want("closed tick after opening", w.claim(w.tickAt("job", c.Tick)), election.Spent); err != nil {
		return err
	}
	_, err = w.granted(w.tickAt("job", c.Tick.Add(w.Unit/2)))
	return err
}

func gateOpens(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	until := c.Tick.Add(3 * w.Unit)
	if err := w.Store.SetGate(w.Ctx, "job", election.Gate{Closed: true, Until: until}); err != nil {
		return err
	}
	r, err := w.read("job")
	if err := first(err, equal("until", r.Gate.Until, until), w.want("before", w.claim(c), election.Closed)); err != nil {
		return err
	}
	w.sleep(2 * w.Unit)
	if _, err = w.granted(w.tickAt("job", until)); err != nil {
		return err
	}
	r, err = w.read("job")
	return first(err, equal("gate that has opened", r.Gate, election.Gate{}))
}

// gateLasts uses plain locks, whose records vanish with their leases.
func gateLasts(w *World) error {
	if err := w.Store.SetGate(w.Ctx, "job", election.Gate{Closed: true}); err != nil {
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
	if err := w.Store.SetGate(w.Ctx, "job", election.Gate{}); err != nil {
		return err
	}
	w.sleep(w.Unit / 4)
	r, err := w.read("job")
	return first(err, equal("an open gate keeps nothing", r.Key, ""))
}
