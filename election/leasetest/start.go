package leasetest

import (
	"errors"
	"time"

	"github.com/solocron/solocron/election"
)

func startChecks() []Check {
	return []Check{
		{"AStartMayRaiseTheToken", raisedStart},
		{"ARaisedTokenIsTheOneThatCounts", raisedCounts},
		{"ATokenFarAheadOfTheStoresClockIsNotTaken", raisedTooFar},
	}
}

// raise is h with a token that another store has given for the same claim.
func raise(h election.Hold, by int64) election.Hold {
	h.Token += by
	return h
}

func raisedStart(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	// Further ahead than all the time this check takes: the next grant proves it.
	high := raise(h, time.Hour.Microseconds())
	for _, what := range []string{"raised start", "repeated"} {
		a := w.start(high)
		if err := first(stands(what, a, election.Good), equal(what+": token", a.Token, high.Token),
			equal(what+": decided before", a.Decided, time.Time{}), w.about(what+": remaining", a.Remaining, h.TTL)); err != nil {
			return err
		}
	}
	r, err := w.read("job")
	if err := first(err, equal("token of the record", r.Token, high.Token), equal("state", r.State, election.StateRunning),
		equal("decided", r.Decided, c.Tick), stands("renewal", w.renew(high), election.Good),
		stands("release", w.release(end(high, election.OutcomeSucceeded)), election.Good)); err != nil {
		return err
	}
	r, err = w.read("job")
	if err := first(err, equal("entries of the ring", len(r.Ring), 1)); err != nil {
		return err
	}
	next, err := w.granted(w.tickAt("job", c.Tick.Add(w.Unit/2)))
	if err == nil && next.Token <= high.Token {
		err = errors.New("a grant is not above the raised token before it")
	}
	return first(err, equal("entry of the ring", r.Ring[0], election.Past{Token: high.Token, Outcome: election.OutcomeSucceeded}))
}

func raisedCounts(w *World) error {
	h, err := w.granted(w.request("job"))
	if err != nil {
		return err
	}
	high, other := raise(h, 1000), raise(h, 1000)
	other.Owner = w.owner()
	if err := first(stands("raise by another", w.start(other), election.Lost),
		stands("raised start", w.start(high), election.Good)); err != nil {
		return err
	}
	for what, a := range map[string]election.HoldAnswer{
		"start with the granted token":   w.start(h),
		"renewal with the granted token": w.renew(h),
		"release with the granted token": w.release(end(h, election.OutcomeFailed)),
		"start with a lower token":       w.start(raise(high, -1)),
		"renewal with a higher token":    w.renew(raise(high, 1)),
	} {
		if err := first(stands(what, a, election.Lost), equal(what+": token", a.Token, high.Token)); err != nil {
			return err
		}
	}
	w.sleep(w.ttl() / 4)
	a := w.renew(high)
	if err := first(stands("renewal", a, election.Good), w.about("remaining", a.Remaining, h.TTL)); err != nil {
		return err
	}
	w.sleep(h.TTL)
	return stands("raise of what has lapsed", w.start(raise(high, 1000)), election.Lapsed)
}

func raisedTooFar(w *World) error {
	c, err := w.tick("job", 0)
	if err != nil {
		return err
	}
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	a := w.start(raise(h, (25 * time.Hour).Microseconds()))
	if err := first(bad("start", a.Err, election.ErrBadClaim), equal("standing", a.Standing, election.Uncertain)); err != nil {
		return err
	}
	r, err := w.read("job")
	return first(err, equal("token", r.Token, h.Token), equal("state", r.State, election.StateClaimed),
		stands("start with the granted token", w.start(h), election.Good))
}
