package leasetest

import (
	"errors"
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
)

func plainChecks() []Check {
	return []Check{
		{"APlainLockVanishesWithItsLease", plainLock},
		{"APlainLockLeavesNothingBehindWhenItIsGivenBack", plainHeld},
		{"APlainLockKeepsOutEveryOtherClaim", plainExcludes},
		{"APlainLockIsNotTakenFromWhoHoldsTheLease", plainExcluded},
		{"APlainClaimRepeatedByItsOwnerIsTheSameGrant", plainReplay},
		{"TheTokensOfPlainLocksGrow", plainTokens},
		{"APlainLockEndsWithItsTime", plainEnds},
		{"APlainLockIsFreedByItsOwnerOnly", plainOwner},
		{"APlainLockIsRevoked", plainRevoked},
		{"PlainLocksAreAnsweredEachAlone", plainBatch},
	}
}

// plain is a claim for a lock that leaves nothing behind: stores may have a shorter
// way for it, which must come to the same.
func (w *World) plain(key string) election.Claim {
	c := w.request(key)
	c.LockDelay, c.Retention, c.Def = 0, 0, ""
	return c
}

func plainLock(w *World) error {
	c := w.request("lock")
	c.Retention, c.LockDelay = 0, 0
	h, err := w.running(c)
	if err != nil {
		return err
	}
	if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
		return err
	}
	r, err := w.read("lock")
	if err := first(err, equal("record after release", r.Key, ""),
		stands("renewal after release", w.renew(h), election.Lapsed)); err != nil {
		return err
	}
	c.Owner = w.owner()
	if h, err = w.running(c); err != nil {
		return err
	}
	w.sleep(c.TTL + time.Millisecond)
	r, err = w.read("lock")
	if err := first(err, equal("record after expiry", r.Key, ""), stands("late renewal", w.renew(h), election.Lapsed)); err != nil {
		return err
	}
	if a := w.claim(w.request("lock")); a.Answer != election.Granted || a.Prev != nil {
		return errors.New("a plain lock is not free after it expired")
	}
	return nil
}

func plainHeld(w *World) error {
	h, err := w.granted(w.plain("lock"))
	if err != nil {
		return err
	}
	r, err := w.read("lock")
	if err := first(err, equal("state", r.State, election.StateClaimed), equal("holder", r.Holder, h.Holder),
		w.about("remaining", r.Remaining, h.TTL)); err != nil {
		return err
	}
	if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
		return err
	}
	r, err = w.read("lock")
	if err := first(err, equal("record after the release", r.Key, "")); err != nil {
		return err
	}
	if err := stands("release once more", w.release(end(h, election.OutcomeSucceeded)), election.Lost); err != nil {
		return err
	}
	_, err = w.granted(w.plain("lock"))
	return err
}

// plainExcludes has others claim what a plain lock holds, in every way there is.
func plainExcludes(w *World) error {
	h, err := w.granted(w.plain("lock"))
	if err != nil {
		return err
	}
	slow := w.plain("lock")
	slow.Retention = retention
	for _, c := range []election.Claim{w.plain("lock"), w.request("lock"), slow} {
		a := w.claim(c)
		if err := first(w.want("claim", a, election.Held), equal("by", a.By, h.Holder), equal("started", a.Started, false),
			w.about("remaining", a.Remaining, h.TTL)); err != nil {
			return err
		}
	}
	tick, err := w.tick("lock", 0)
	if err != nil {
		return err
	}
	tick.Overlap = election.QueueOverlap
	return first(w.want("claim for a tick", w.claim(tick), election.Held),
		stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good),
		w.want("claim for the tick when it is free", w.claim(tick), election.Granted))
}

func plainExcluded(w *World) error {
	for i, c := range []election.Claim{w.request("claimed"), w.request("started")} {
		h, err := w.granted(c)
		if err != nil {
			return err
		}
		if i == 1 {
			if err := stands("start", w.start(h), election.Good); err != nil {
				return err
			}
		}
		a := w.claim(w.plain(c.Key))
		if err := first(w.want("plain claim", a, election.Held), equal("by", a.By, h.Holder), equal("started", a.Started, i == 1),
			stands("renewal", w.renew(h), election.Good)); err != nil {
			return err
		}
	}
	return nil
}

func plainEnds(w *World) error {
	h, err := w.granted(w.plain("lock"))
	if err != nil {
		return err
	}
	w.sleep(h.TTL + time.Millisecond)
	if err := stands("renewal", w.renew(h), election.Lapsed); err != nil {
		return err
	}
	next, err := w.granted(w.plain("lock"))
	if err != nil {
		return err
	}
	return first(stands("renewal by the first", w.renew(h), election.Lost),
		stands("release by the first", w.release(end(h, election.OutcomeSucceeded)), election.Lost),
		stands("renewal by the second", w.renew(next), election.Good),
		stands("release by the second", w.release(end(next, election.OutcomeSucceeded)), election.Good))
}

func plainOwner(w *World) error {
	h, err := w.granted(w.plain("lock"))
	if err != nil {
		return err
	}
	other := h
	other.Owner = w.owner()
	for range 2 { // the second time it was renewed
		if err := first(stands("renewal by another", w.renew(other), election.Lost),
			stands("release by another", w.release(end(other, election.OutcomeSucceeded)), election.Lost),
			stands("start by another", w.start(other), election.Lost),
			stands("renewal", w.renew(h), election.Good)); err != nil {
			return err
		}
	}
	return stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good)
}

func plainRevoked(w *World) error {
	h, err := w.granted(w.plain("lock"))
	if err != nil {
		return err
	}
	r, err := w.Store.Revoke(w.Ctx, election.Revocation{Key: "lock", LockDelay: w.delay(), Retention: retention, By: "ada", Reason: "stuck"})
	if err := first(err, equal("state", r.State, election.StateRevoked)); err != nil {
		return err
	}
	return first(stands("renewal", w.renew(h), election.Lost),
		w.want("claim of another", w.claim(w.plain("lock")), election.Delayed),
		stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Lost))
}

// plainReplay is what becomes of a claim whose answer was lost.
func plainReplay(w *World) error {
	c := w.plain("lock")
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	a := w.claim(c)
	return first(w.want("the same claim", a, election.Granted), equal("token", a.Token, h.Token), w.about("remaining", a.Remaining, c.TTL),
		w.want("claim of another", w.claim(w.plain("lock")), election.Held),
		stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good),
		w.want("claim when it is free", w.claim(w.plain("lock")), election.Granted))
}

// plainTokens has locks of all kinds follow each other on a record that vanishes
// between them.
func plainTokens(w *World) error {
	last := int64(0)
	for _, c := range []election.Claim{w.plain("lock"), w.plain("lock"), w.request("lock"), w.plain("lock")} {
		c.Retention = 0
		h, err := w.granted(c)
		if err != nil {
			return err
		}
		if h.Token <= last {
			return fmt.Errorf("token %d after %d", h.Token, last)
		}
		last = h.Token
		if err := first(equal("token of a renewal", w.renew(h).Token, last),
			stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good)); err != nil {
			return err
		}
		w.sleep(time.Millisecond) // tokens are microseconds by the store's clock
	}
	return nil
}

// plainBatch mixes plain locks with others, free ones with those that are held, and
// has one key twice.
func plainBatch(w *World) error {
	if _, err := w.granted(w.plain("held")); err != nil {
		return err
	}
	broken := w.plain("broken")
	broken.TTL = time.Millisecond
	claims := []election.Claim{w.plain("a"), w.plain("held"), w.request("b"), w.plain("a"), broken, w.plain("c")}
	wants := []election.Answer{election.Granted, election.Held, election.Granted, election.Held, election.Unknown, election.Granted}
	answers := w.Store.Claim(w.Ctx, claims)
	ends := make([]election.End, len(claims))
	for i, a := range answers {
		if err := equal(fmt.Sprintf("answer %d", i), a.Answer, wants[i]); err != nil {
			return fmt.Errorf("%w (%w)", err, a.Err)
		}
		ends[i] = end(hold(claims[i], a), election.OutcomeSucceeded)
	}
	if err := bad("broken claim", answers[4].Err, election.ErrBadClaim); err != nil {
		return err
	}
	ends[4].Key, ends[4].Token = "nobody's", 1
	stand := []election.Standing{election.Good, election.Lost, election.Good, election.Lost, election.Lost, election.Good}
	for i, a := range w.Store.Release(w.Ctx, ends) {
		if err := stands(fmt.Sprintf("release %d", i), a, stand[i]); err != nil {
			return err
		}
	}
	return nil
}
