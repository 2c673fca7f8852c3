package redislease_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/memlease"
)

// step is one random operation, the same for both stores. Tokens depend on what
// was granted before, so a step picks them when it runs.
type step struct {
	op      int
	items   []item
	sleep   time.Duration
	gate    election.Gate
	tickOff int
}

type item struct {
	key, owner, mode, tick, epoch, floor, shift int
	overlap                                     election.Overlap
	ttl, delay, keep                            time.Duration
	outcome                                     election.Outcome
}

func drawItem(t *rapid.T) item {
	number := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }
	return item{
		key: number(3), owner: number(4), mode: number(3), tick: number(12), epoch: number(8) / 6, floor: number(12), shift: number(8),
		overlap: election.Overlap(number(2)),
		ttl:     rapid.SampledFrom([]time.Duration{100 * time.Millisecond, time.Second, 2 * time.Second}).Draw(t, "ttl"),
		delay:   rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "delay"),
		keep:    rapid.SampledFrom([]time.Duration{0, time.Second, time.Hour, time.Hour}).Draw(t, "keep"),
		outcome: rapid.SampledFrom([]election.Outcome{'s', 'f', 'u', 'l', 'x'}).Draw(t, "outcome"),
	}
}

func drawStep(t *rapid.T) step {
	s := step{
		op:      rapid.SampledFrom([]int{0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7}).Draw(t, "op"),
		items:   rapid.SliceOfN(rapid.Custom(drawItem), 1, 4).Draw(t, "items"),
		sleep:   rapid.SampledFrom([]time.Duration{0, 0, 100 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second}).Draw(t, "sleep"),
		tickOff: rapid.IntRange(0, 6).Draw(t, "until"),
	}
	s.gate = election.Gate{Closed: rapid.Bool().Draw(t, "closed"), Reason: "why", By: "ada"}
	return s
}

// pair runs every step on two stores and compares what they say.
type pair struct {
	ctx    context.Context
	begin  time.Time
	a, b   leasetest.Subject
	tokens map[int]int64 // last token granted, by key
}

func (p *pair) tick(n int) time.Time {
	return p.begin.Add(time.Duration(n-2) * 500 * time.Millisecond).UTC()
}

func (p *pair) claim(i item) election.Claim {
	c := election.Claim{
		Key: fmt.Sprintf("key %d", i.key), Owner: owner(i.owner), Mode: election.Mode(i.mode), Overlap: i.overlap,
		TTL: i.ttl, LockDelay: i.delay, Retention: i.keep, Epoch: int64(i.epoch), Holder: fmt.Sprintf("replica %d", i.owner), Def: "d",
	}
	if c.Mode != election.ForRequest {
		c.Tick = p.tick(i.tick)
	}
	switch i.floor {
	case 0:
		c.Floor.Token = p.tokens[i.key]
	case 1:
		c.Floor.Token = p.tokens[i.key] + 1
	case 2:
		c.Floor.Tick = p.tick(i.shift)
	case 3:
		c.Floor.Tick = p.begin.Add(26 * time.Hour)
	}
	return c
}

func owner(n int) election.Owner { return election.Owner(fmt.Sprintf("%032x", n+0xabcdef)) }

func (p *pair) hold(i item) election.Hold {
	c := p.claim(i)
	h := election.Hold{Key: c.Key, Owner: c.Owner, Token: p.tokens[i.key], Tick: c.Tick, TTL: c.TTL, Retention: c.Retention, Holder: c.Holder}
	switch i.shift {
	case 0:
		h.Token++
	case 1:
		h.Token--
	}
	return h
}

func (p *pair) run(s step) error {
	time.Sleep(s.sleep)
	first := s.items[0]
	switch s.op {
	case 0:
		return p.claims(s)
	case 1:
		return p.holds(s, func(store leasetest.Store, holds []election.Hold) []election.HoldAnswer {
			return store.Start(p.ctx, holds)
		})
	case 2:
		return p.holds(s, func(store leasetest.Store, holds []election.Hold) []election.HoldAnswer {
			return store.Renew(p.ctx, holds)
		})
	case 3:
		return p.holds(s, func(store leasetest.Store, holds []election.Hold) []election.HoldAnswer {
			ends := make([]election.End, len(holds))
			for i, h := range holds {
				ends[i] = election.End{Key: h.Key, Owner: h.Owner, Token: h.Token, Outcome: s.items[i].outcome, Retention: h.Retention}
			}
			return store.Release(p.ctx, ends)
		})
	case 4:
		v := election.Revocation{Key: p.claim(first).Key, LockDelay: first.delay, Retention: first.keep}
		if first.shift < 3 {
			v.Token = p.tokens[first.key]
		}
		a, errA := p.a.Store.Revoke(p.ctx, v)
		b, errB := p.b.Store.Revoke(p.ctx, v)
		return differ("revoke", a, b, errA, errB)
	case 5:
		if s.gate.Closed && s.tickOff > 0 {
			s.gate.Until = time.Now().Add(time.Duration(s.tickOff-3) * time.Second).UTC()
		}
		key := p.claim(first).Key
		return differ("gate", 0, 0, p.a.Store.SetGate(p.ctx, key, s.gate), p.b.Store.SetGate(p.ctx, key, s.gate))
	case 6:
		if first.shift == 0 {
			return errors.Join(p.a.Wipe(), p.b.Wipe())
		}
	}
	return p.reads()
}

func (p *pair) claims(s step) error {
	claims := make([]election.Claim, len(s.items))
	for i, it := range s.items {
		claims[i] = p.claim(it)
	}
	as, bs := p.a.Store.Claim(p.ctx, claims), p.b.Store.Claim(p.ctx, claims)
	for i := range claims {
		errA, errB := as[i].Err, bs[i].Err
		as[i].Err, bs[i].Err, as[i].Now, bs[i].Now = nil, nil, time.Time{}, time.Time{}
		if err := differ(fmt.Sprintf("claim %+v", claims[i]), as[i], bs[i], errA, errB); err != nil {
			return err
		}
		if as[i].Answer == election.Granted {
			p.tokens[s.items[i].key] = as[i].Token
		}
	}
	return nil
}

func (p *pair) holds(s step, call func(leasetest.Store, []election.Hold) []election.HoldAnswer) error {
	holds := make([]election.Hold, len(s.items))
	for i, it := range s.items {
		holds[i] = p.hold(it)
	}
	as, bs := call(p.a.Store, holds), call(p.b.Store, holds)
	for i := range holds {
		errA, errB := as[i].Err, bs[i].Err
		as[i].Err, bs[i].Err = nil, nil
		if err := differ(fmt.Sprintf("op %d %+v", s.op, holds[i]), as[i], bs[i], errA, errB); err != nil {
			return err
		}
	}
	return nil
}

func (p *pair) reads() error {
	keys := []string{"key 0", "key 1", "key 2", "key 3"}
	a, errA := p.a.Store.Read(p.ctx, keys)
	b, errB := p.b.Store.Read(p.ctx, keys)
	return differ("read", a, b, errA, errB)
}

func differ(what string, a, b any, errA, errB error) error {
	for _, kind := range []error{election.ErrBadClaim, election.ErrNotApplied, election.ErrChanged} {
		if errors.Is(errA, kind) != errors.Is(errB, kind) {
			return fmt.Errorf("%s: memory has error %w, redis %w", what, errA, errB)
		}
	}
	if (errA == nil) != (errB == nil) || !reflect.DeepEqual(a, b) {
		return fmt.Errorf("%s: memory says %+v (%w), redis %+v (%w)", what, a, errA, b, errB)
	}
	return nil
}

// TestRandomOperationsGetTheSameAnswersFromMemoryAndRedis compares the two
// stores, and at the end of each sequence their records.
func TestRandomOperationsGetTheSameAnswersFromMemoryAndRedis(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		steps := rapid.SliceOfN(rapid.Custom(drawStep), 1, 40).Draw(rt, "steps")
		var failure error
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Hour)
			mem := new(memlease.Store)
			p := &pair{
				ctx: t.Context(), begin: time.Now(), tokens: make(map[int]int64),
				a: leasetest.Subject{Store: mem, Wipe: func() error { mem.Forget(); return nil }},
				b: subject(mini(t)),
			}
			for n, s := range steps {
				if failure = p.run(s); failure != nil {
					failure = fmt.Errorf("step %d: %w", n, failure)
					return
				}
			}
			failure = p.reads()
		})
		if failure != nil {
			rt.Fatal(failure)
		}
	})
}
