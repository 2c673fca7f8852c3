package leasetest

import (
	"errors"
	"strings"
	"time"

	"github.com/solocron/solocron/election"
)

func claimChecks() []Check {
	return []Check{
		{"ABadClaimIsAnErrorOfItsOwn", badClaims},
		{"AFreeLeaseIsGranted", freeLease},
		{"AClaimRepeatedByItsOwnerIsTheSameGrant", replay},
		{"ALateRepeatNeverResurrectsALease", lateReplay},
		{"AClaimedTickIsHeldForOthers", heldClaim},
		{"ARunningRequestHoldsOtherRequests", heldRequest},
		{"AnExpiredClaimBurnsNoTick", expiredClaim},
		{"AnAbandonedRunIsClosedForTheLockDelayAndThenReported", abandoned},
		{"TokensOnlyGrow", tokensGrow},
	}
}

func badClaims(w *World) error {
	faults := map[string]func(*election.Claim){
		"no key":            func(c *election.Claim) { c.Key = "" },
		"long key":          func(c *election.Claim) { c.Key = strings.Repeat("k", 513) },
		"short owner":       func(c *election.Claim) { c.Owner = "ab" },
		"owner not hex":     func(c *election.Claim) { c.Owner = "zz" + c.Owner[2:] },
		"short ttl":         func(c *election.Claim) { c.TTL = 99 * time.Millisecond },
		"long ttl":          func(c *election.Claim) { c.TTL = 24*time.Hour + time.Millisecond },
		"ttl in parts":      func(c *election.Claim) { c.TTL = time.Second + time.Microsecond },
		"negative delay":    func(c *election.Claim) { c.LockDelay = -1 },
		"negative keep":     func(c *election.Claim) { c.Retention = -1 },
		"negative epoch":    func(c *election.Claim) { c.Epoch = -1 },
		"long holder":       func(c *election.Claim) { c.Holder = strings.Repeat("h", 201) },
		"long definition":   func(c *election.Claim) { c.Def = strings.Repeat("d", 65) },
		"unknown mode":      func(c *election.Claim) { c.Mode = 9 },
		"tick in parts":     func(c *election.Claim) { c.Tick = c.Tick.Add(time.Microsecond) },
		"no tick":           func(c *election.Claim) { c.Tick = time.Time{} },
		"ancient tick":      func(c *election.Claim) { c.Tick = time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC) },
		"tick past the end": func(c *election.Claim) { c.Tick = time.Date(2255, 1, 1, 0, 0, 0, 0, time.UTC) },
		"request with tick": func(c *election.Claim) { c.Mode = election.ForRequest },
		"huge floor":        func(c *election.Claim) { c.Floor.Token = 1 << 53 },
		"floor tomorrow":    func(c *election.Claim) { c.Floor.Tick = c.Tick.Add(25 * time.Hour) },
		"token tomorrow":    func(c *election.Claim) { c.Floor.Token = c.Tick.Add(25 * time.Hour).UnixMicro() },
	}
	good, err := w.tick("job", 0)
	if err != nil {
		return err
	}
	for name, spoil := range faults {
		c := good
		spoil(&c)
		a := w.claim(c)
		if err := bad(name, a.Err, election.ErrBadClaim); err != nil {
			return err
		}
		if err := equal(name, a.Answer, election.Unknown); err != nil {
			return err
		}
	}
	_, err = w.granted(good)
	return err
}

func freeLease(w *World) error {
	c, err := w.tick("a job/with {odd} bytes\x00\xff "+strings.Repeat("ü", 200), 0)
	if err != nil {
		return err
	}
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	r, err := w.read(c.Key)
	if err != nil {
		return err
	}
	return first(
		equal("state", r.State, election.StateClaimed), equal("token", r.Token, h.Token), equal("holder", r.Holder, c.Holder),
		equal("tick", r.Tick, c.Tick), equal("decided", r.Decided, time.Time{}), equal("attempt", r.Attempt, 1),
		equal("definition", r.Def, c.Def), equal("key", r.Key, c.Key),
		w.about("remaining", r.Remaining, c.TTL),
	)
}

func replay(w *World) error {
	c, err := w.tick("job", 0)
	if err != nil {
		return err
	}
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	w.sleep(w.ttl() / 4)
	a := w.claim(c)
	if err := first(w.want("repeat", a, election.Granted), equal("token", a.Token, h.Token),
		w.about("a repeat extends", a.Remaining, c.TTL), equal("attempt", a.Attempt, 1)); err != nil {
		return err
	}
	if err := stands("start", w.start(h), election.Good); err != nil {
		return err
	}
	a = w.claim(c)
	return first(w.want("repeat after start", a, election.Granted), equal("token", a.Token, h.Token),
		equal("decided before the claim", a.Decided, time.Time{}))
}

func lateReplay(w *World) error {
	c := w.request("job")
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	w.sleep(c.TTL)
	a := w.claim(c)
	if err := w.want("late repeat", a, election.Granted); err != nil {
		return err
	}
	if a.Token <= h.Token {
		return errors.New("a late repeat got the old token again")
	}
	return stands("start with the old token", w.start(h), election.Lost)
}

func heldClaim(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	same, later, request := w.tickAt("job", c.Tick), w.tickAt("job", c.Tick.Add(w.Unit/2)), w.request("job")
	for _, other := range []election.Claim{same, later, request} {
		a := w.claim(other)
		if err := first(w.want("claim of another", a, election.Held), equal("started", a.Started, false),
			equal("by", a.By, c.Holder), equal("tick", a.Tick, c.Tick), equal("token", a.Token, h.Token),
			w.about("remaining", a.Remaining, c.TTL)); err != nil {
			return err
		}
	}
	return nil
}

func heldRequest(w *World) error {
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	a := w.claim(w.request("job"))
	return first(w.want("second request", a, election.Held), equal("started", a.Started, true),
		equal("tick", a.Tick, time.Time{}), equal("by", a.By, h.Holder))
}

func expiredClaim(w *World) error {
	c, err := w.tick("job", 0)
	if err != nil {
		return err
	}
	if _, err := w.granted(c); err != nil {
		return err
	}
	w.sleep(c.TTL)
	a := w.claim(w.tickAt("job", c.Tick))
	if err := w.want("same tick after the claim expired", a, election.Granted); err != nil {
		return err
	}
	if a.Prev != nil {
		return errors.New("a claim that never started counts as an abandoned run")
	}
	return nil
}

func abandoned(w *World) error {
	h, err := w.runningTick("job", w.Unit)
	if err != nil {
		return err
	}
	w.sleep(h.TTL)
	next := w.tickAt("job", h.Tick.Add(w.Unit))
	a := w.claim(next)
	if err := first(w.want("within the lock delay", a, election.Delayed),
		w.about("lock delay", a.Remaining, w.delay())); err != nil {
		return err
	}
	w.sleep(w.delay())
	a = w.claim(next)
	if err := w.want("after the lock delay", a, election.Granted); err != nil {
		return err
	}
	want := election.Abandoned{By: h.Holder, Tick: h.Tick, Token: h.Token, Attempt: 1}
	if a.Prev == nil || *a.Prev != want {
		return errors.Join(errors.New("the abandoned run is not reported"), equal("prev", a.Prev, &want))
	}
	if again := w.claim(next); again.Prev == nil || *again.Prev != want {
		return errors.New("a repeat of the claim does not report the abandoned run")
	}
	w.sleep(next.TTL)
	later := w.claim(w.tickAt("job", next.Tick))
	if err := w.want("after that claim expired", later, election.Granted); err != nil {
		return err
	}
	if later.Prev == nil || *later.Prev != want {
		return errors.Join(errors.New("the answer may have been lost, and the next claim does not report the abandoned run"), equal("prev", later.Prev, &want))
	}
	r, err := w.read("job")
	if err != nil {
		return err
	}
	if len(r.Ring) != 1 || r.Ring[0] != (election.Past{Token: h.Token, Outcome: election.OutcomeAbandoned}) {
		return errors.New("the abandoned run is not in the ring")
	}
	return equal("crashes", r.Crashes, 1)
}

func tokensGrow(w *World) error {
	var last int64
	for range 20 {
		h, err := w.running(w.request("job"))
		if err != nil {
			return err
		}
		if h.Token <= last {
			return errors.New("a token did not grow")
		}
		last = h.Token
		if err := stands("release", w.release(end(h, election.OutcomeFailed)), election.Good); err != nil {
			return err
		}
	}
	w.sleep(time.Millisecond) // tokens given within one instant run ahead of the clock
	if err := w.Wipe(); err != nil {
		return err
	}
	h, err := w.granted(w.request("job"))
	if err == nil && h.Token <= last {
		return errors.New("after all data was lost a token did not grow")
	}
	return err
}
