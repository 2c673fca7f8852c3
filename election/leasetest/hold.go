package leasetest

import (
	"time"

	"github.com/solocron/solocron/election"
)

func holdChecks() []Check {
	return []Check{
		{"ABadHoldIsAnErrorOfItsOwn", badHolds},
		{"AStartCanBeRepeated", repeatedStart},
		{"ALapsedClaimCannotStart", lapsedStart},
		{"AStrangerCannotStartRenewOrRelease", stranger},
		{"AClaimIsRenewedUnstartedAndMayStartForLonger", unstarted},
		{"ARenewalExtendsAndNeverShortens", renewal},
		{"ALapsedLeaseStaysLapsed", lapsedRenewal},
	}
}

// unstarted holds a claim as a plain lock does, and confirms it for longer than it
// was claimed for, as whoever does a thing once does.
func unstarted(w *World) error {
	h, err := w.granted(w.request("job"))
	if err != nil {
		return err
	}
	longer := h
	longer.TTL = 2 * h.TTL
	for range 2 { // past the end of the claim
		w.sleep(h.TTL * 3 / 4)
		a := w.renew(h)
		if err := first(stands("renewal of a claim", a, election.Good), w.about("remaining", a.Remaining, h.TTL)); err != nil {
			return err
		}
	}
	if err := w.want("claim of another", w.claim(w.request("job")), election.Held); err != nil {
		return err
	}
	a := w.start(longer)
	if err := first(stands("start", a, election.Good), w.about("remaining", a.Remaining, longer.TTL)); err != nil {
		return err
	}
	other := w.claim(w.request("job"))
	return first(w.want("claim of another", other, election.Held), equal("started", other.Started, true),
		stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good))
}

func badHolds(w *World) error {
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	noToken, noOwner, odd := h, h, end(h, 'x')
	noToken.Token, noOwner.Owner = 0, ""
	return first(
		bad("no token", w.start(noToken).Err, election.ErrBadClaim),
		bad("no owner", w.renew(noOwner).Err, election.ErrBadClaim),
		bad("unknown outcome", w.release(odd).Err, election.ErrBadClaim),
		bad("undo of a run", w.release(end(h, election.OutcomeUndone)).Err, election.ErrBadClaim),
		stands("renewal", w.renew(h), election.Good),
	)
}

func repeatedStart(w *World) error {
	before, err := w.runningTick("job", 2*w.Unit)
	if err != nil {
		return err
	}
	if err := stands("release", w.release(end(before, election.OutcomeFailed)), election.Good); err != nil {
		return err
	}
	h, err := w.granted(w.tickAt("job", before.Tick.Add(w.Unit)))
	if err != nil {
		return err
	}
	for _, what := range []string{"start", "repeated start"} {
		a := w.start(h)
		if err := first(stands(what, a, election.Good), equal("decided before", a.Decided, before.Tick),
			equal("token", a.Token, h.Token), w.about("remaining", a.Remaining, h.TTL)); err != nil {
			return err
		}
	}
	r, err := w.read("job")
	return first(err, equal("decided", r.Decided, h.Tick), equal("state", r.State, election.StateRunning))
}

func lapsedStart(w *World) error {
	c, err := w.tick("job", 0)
	if err != nil {
		return err
	}
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	w.sleep(c.TTL)
	if err := stands("late start", w.start(h), election.Lapsed); err != nil {
		return err
	}
	r, err := w.read("job")
	return first(err, equal("decided", r.Decided, time.Time{}))
}

func stranger(w *World) error {
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	other, old := h, h
	other.Owner = w.owner()
	old.Token--
	for _, s := range []election.Hold{other, old} {
		for what, a := range map[string]election.HoldAnswer{
			"start": w.start(s), "renew": w.renew(s), "release": w.release(end(s, election.OutcomeFailed)),
		} {
			if err := first(stands(what, a, election.Lost), equal("by", a.By, h.Holder), equal("token", a.Token, h.Token)); err != nil {
				return err
			}
		}
	}
	r, err := w.read("job")
	return first(err, equal("late releases", r.Late, 2), stands("renew", w.renew(h), election.Good))
}

func renewal(w *World) error {
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	w.sleep(w.ttl() / 2)
	if err := extended(w, h, h.TTL); err != nil {
		return err
	}
	short := h
	short.TTL = 100 * time.Millisecond
	return first(extended(w, short, h.TTL), extended(w, h, h.TTL))
}

func extended(w *World, h election.Hold, want time.Duration) error {
	a := w.renew(h)
	return first(stands("renewal", a, election.Good), w.about("remaining", a.Remaining, want), equal("token", a.Token, h.Token))
}

func lapsedRenewal(w *World) error {
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	w.sleep(h.TTL)
	for range 2 {
		a := w.renew(h)
		if err := first(stands("late renewal", a, election.Lapsed), equal("remaining", a.Remaining, 0)); err != nil {
			return err
		}
	}
	w.sleep(w.delay())
	a := w.claim(w.request("job"))
	return first(w.want("another", a, election.Granted), stands("late renewal", w.renew(h), election.Lost))
}
