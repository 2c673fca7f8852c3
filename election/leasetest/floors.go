package leasetest

import (
	"errors"
	"time"

	"github.com/solocron/solocron/election"
)

func floorChecks() []Check {
	return []Check{
		{"ARecordThatForgotAGrantIsQuarantined", forgotToken},
		{"ARecordThatForgotATickIsQuarantined", forgotTick},
	}
}

func forgotToken(w *World) error {
	h, err := w.runningTick("job", 3*w.Unit)
	if err != nil {
		return err
	}
	if err := w.Wipe(); err != nil {
		return err
	}
	c := w.tickAt("job", h.Tick.Add(w.Unit))
	c.Floor = election.Floor{Token: h.Token + 5, Tick: h.Tick}
	a := w.claim(c)
	closed := w.ttl() + w.delay()
	if err := first(w.want("with a floor", a, election.Quarantine), equal("token is raised", a.Token, h.Token+5),
		w.about("closed for a term", a.Remaining, closed)); err != nil {
		return err
	}
	fresh := w.tickAt("job", c.Tick)
	if err := first(w.want("without a floor", w.claim(fresh), election.Quarantine),
		w.want("ledger is raised", w.claim(w.tickAt("job", h.Tick)), election.Spent),
		stands("the holder, with an older token", w.renew(h), election.Lost)); err != nil {
		return err
	}
	w.sleep(closed)
	next, err := w.granted(fresh)
	if err == nil && next.Token <= c.Floor.Token {
		return errors.New("a token is not above the floor")
	}
	return err
}

// forgotTick loses the ledger but not the token: somebody without floors was
// granted the lease after the loss.
func forgotTick(w *World) error {
	now, err := w.now()
	if err != nil {
		return err
	}
	h, err := w.granted(w.request("job"))
	if err != nil {
		return err
	}
	c := w.tickAt("job", now)
	c.Floor.Tick = now.Add(-time.Millisecond).Truncate(time.Millisecond).UTC()
	if err := w.want("with a floor", w.claim(c), election.Quarantine); err != nil {
		return err
	}
	r, err := w.read("job")
	if err := first(err, equal("decided", r.Decided, c.Floor.Tick), equal("state", r.State, election.StateQuarantine)); err != nil {
		return err
	}
	if err := stands("the holder under quarantine", w.renew(h), election.Reinstated); err != nil {
		return err
	}
	return w.want("beside the holder", w.claim(w.request("job")), election.Held)
}
