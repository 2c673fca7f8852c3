package leasetest

import (
	"errors"
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
)

const retention = time.Hour

// owner makes a new name of an acquisition.
func (w *World) owner() election.Owner {
	w.names++
	return election.Owner(fmt.Sprintf("%08x%024x", w.names*7919, w.names))
}

func (w *World) ttl() time.Duration   { return 4 * w.Unit }
func (w *World) delay() time.Duration { return 2 * w.Unit }

// now is the store's clock, read with a request that is refused for its epoch
// or granted on a key of its own.
func (w *World) now() (time.Time, error) {
	c := w.request("clock")
	c.TTL = 100 * time.Millisecond
	a := w.claim(c)
	if a.Err != nil {
		return time.Time{}, fmt.Errorf("reading the store's clock: %w", a.Err)
	}
	return a.Now, nil
}

// tick is a claim of key for a tick that lies ago in the past.
func (w *World) tick(key string, ago time.Duration) (election.Claim, error) {
	now, err := w.now()
	if err != nil {
		return election.Claim{}, err
	}
	return w.tickAt(key, now.Add(-ago)), nil
}

func (w *World) tickAt(key string, at time.Time) election.Claim {
	c := w.request(key)
	c.Mode, c.Tick = election.ForTick, at.Truncate(time.Millisecond).UTC()
	return c
}

func (w *World) request(key string) election.Claim {
	return election.Claim{
		Key: key, Owner: w.owner(), Mode: election.ForRequest, TTL: w.ttl(), LockDelay: w.delay(),
		Retention: retention, Holder: fmt.Sprintf("replica %d", w.names), Def: "v1",
	}
}

func (w *World) claim(c election.Claim) election.ClaimAnswer {
	answers := w.Store.Claim(w.Ctx, []election.Claim{c})
	if len(answers) != 1 {
		return election.ClaimAnswer{Err: fmt.Errorf("one claim got %d answers", len(answers))}
	}
	return answers[0]
}

func one(answers []election.HoldAnswer) election.HoldAnswer {
	if len(answers) != 1 {
		return election.HoldAnswer{Err: fmt.Errorf("one item got %d answers", len(answers))}
	}
	return answers[0]
}

func (w *World) start(h election.Hold) election.HoldAnswer {
	return one(w.Store.Start(w.Ctx, []election.Hold{h}))
}

func (w *World) renew(h election.Hold) election.HoldAnswer {
	return one(w.Store.Renew(w.Ctx, []election.Hold{h}))
}

func (w *World) release(e election.End) election.HoldAnswer {
	return one(w.Store.Release(w.Ctx, []election.End{e}))
}

func (w *World) read(key string) (election.Record, error) {
	records, err := w.Store.Read(w.Ctx, []string{key})
	if err != nil {
		return election.Record{}, err
	}
	if len(records) != 1 {
		return election.Record{}, fmt.Errorf("one key got %d records", len(records))
	}
	return records[0], nil
}

// hold is the hold of a granted claim.
func hold(c election.Claim, a election.ClaimAnswer) election.Hold {
	return election.Hold{
		Key: c.Key, Owner: c.Owner, Token: a.Token, Tick: c.Tick, TTL: c.TTL, Retention: c.Retention, Holder: c.Holder,
	}
}

func end(h election.Hold, o election.Outcome) election.End {
	return election.End{Key: h.Key, Owner: h.Owner, Token: h.Token, Outcome: o, Retention: h.Retention}
}

// granted claims c and expects the lease.
func (w *World) granted(c election.Claim) (election.Hold, error) {
	a := w.claim(c)
	if err := w.want("claim", a, election.Granted); err != nil {
		return election.Hold{}, err
	}
	if a.Token <= 0 || a.Attempt != 1 || a.By != c.Holder || !a.Tick.Equal(c.Tick) {
		return election.Hold{}, fmt.Errorf("grant of %+v: got %+v", c, a)
	}
	return hold(c, a), w.about("time of a grant", a.Remaining, c.TTL)
}

// running claims c and starts it.
func (w *World) running(c election.Claim) (election.Hold, error) {
	h, err := w.granted(c)
	if err != nil {
		return h, err
	}
	return h, stands("start", w.start(h), election.Good)
}

// runningTick runs a tick of key from ago.
func (w *World) runningTick(key string, ago time.Duration) (election.Hold, error) {
	c, err := w.tick(key, ago)
	if err != nil {
		return election.Hold{}, err
	}
	return w.running(c)
}

func (w *World) want(what string, a election.ClaimAnswer, want election.Answer) error {
	if a.Err != nil {
		return fmt.Errorf("%s: %w", what, a.Err)
	}
	if a.Answer != want {
		return fmt.Errorf("%s: got answer %d, want %d: %+v", what, a.Answer, want, a)
	}
	if a.Now.IsZero() {
		return fmt.Errorf("%s: no time of the store", what)
	}
	return nil
}

func stands(what string, a election.HoldAnswer, want election.Standing) error {
	if a.Err != nil {
		return fmt.Errorf("%s: %w", what, a.Err)
	}
	if a.Standing != want {
		return fmt.Errorf("%s: got standing %d, want %d: %+v", what, a.Standing, want, a)
	}
	return nil
}

// about compares a time left, which may be shorter by what passed unnoticed.
func (w *World) about(what string, got, want time.Duration) error {
	if got > want || got < want-w.Slack {
		return fmt.Errorf("%s: got %s, want %s (less at most %s)", what, got, want, w.Slack)
	}
	return nil
}

// bad expects err to be of kind.
func bad(what string, err, kind error) error {
	if !errors.Is(err, kind) {
		return fmt.Errorf("%s: got error %q, want %q", what, fmt.Sprint(err), kind.Error())
	}
	return nil
}

// equal compares two values that must be the same.
func equal[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s: got %v, want %v", what, got, want)
	}
	return nil
}

// first returns the first error, for a row of comparisons.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sleep lets d pass, and in real time a little more: what the store may be late.
func (w *World) sleep(d time.Duration) { time.Sleep(d + w.Slack/9 + w.Grain) }
