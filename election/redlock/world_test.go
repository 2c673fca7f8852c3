package redlock_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/election/redlock"
)

// A link is the way of one client to a node in memory, and what is wrong with it.
type link struct {
	*memlease.Store
	mu    sync.Mutex
	delay func() time.Duration // each way; nil: none
	cut   bool                 // nothing arrives, and nobody says so
	age   func() time.Duration
}

func (l *link) set(change func(*link)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(l)
}

// way passes once; false if ctx ended first.
func (l *link) way(ctx context.Context) error {
	l.mu.Lock()
	cut, d := l.cut, time.Duration(0)
	if l.delay != nil {
		d = l.delay()
	}
	l.mu.Unlock()
	if cut {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	if d > 0 {
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return ctx.Err()
}

// over asks the node with detached context: what is on its way arrives.
func over[A any](ctx context.Context, l *link, n int, lost func(error) A, ask func(context.Context) []A) []A {
	fail := func(err error) []A {
		answers := make([]A, n)
		for i := range answers {
			answers[i] = lost(err)
		}
		return answers
	}
	if err := l.way(ctx); err != nil {
		return fail(err)
	}
	answers := ask(context.WithoutCancel(ctx))
	if err := l.way(ctx); err != nil {
		return fail(err)
	}
	return answers
}

func lostHold(err error) election.HoldAnswer { return election.HoldAnswer{Err: err} }

func (l *link) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	return over(ctx, l, len(claims), func(err error) election.ClaimAnswer { return election.ClaimAnswer{Err: err} },
		func(ctx context.Context) []election.ClaimAnswer { return l.Store.Claim(ctx, claims) })
}

func (l *link) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return over(ctx, l, len(holds), lostHold, func(ctx context.Context) []election.HoldAnswer { return l.Store.Start(ctx, holds) })
}

func (l *link) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return over(ctx, l, len(holds), lostHold, func(ctx context.Context) []election.HoldAnswer { return l.Store.Renew(ctx, holds) })
}

func (l *link) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	return over(ctx, l, len(ends), lostHold, func(ctx context.Context) []election.HoldAnswer { return l.Store.Release(ctx, ends) })
}

func (l *link) SetGate(ctx context.Context, key string, g election.Gate) error {
	if err := l.way(ctx); err != nil {
		return err
	}
	return l.Store.SetGate(context.WithoutCancel(ctx), key, g)
}

func (l *link) Revoke(ctx context.Context, r election.Revocation) (election.Record, error) {
	if err := l.way(ctx); err != nil {
		return election.Record{}, err
	}
	return l.Store.Revoke(context.WithoutCancel(ctx), r)
}

func (l *link) Read(ctx context.Context, keys []string) ([]election.Record, error) {
	if err := l.way(ctx); err != nil {
		return nil, err
	}
	return l.Store.Read(context.WithoutCancel(ctx), keys)
}

func (l *link) Age(context.Context) (time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.age == nil {
		return 24 * time.Hour, nil
	}
	return l.age(), nil
}

// linked opens a store whose nodes are stores, each behind a link.
func linked(t testing.TB, cfg redlock.Config, stores []*memlease.Store) (*redlock.Store, []*link) {
	t.Helper()
	var nodes []redlock.Node
	var links []*link
	for i, m := range stores {
		l := &link{Store: m}
		links = append(links, l)
		nodes = append(nodes, redlock.Node{Name: fmt.Sprintf("n%d", i+1), Store: l})
	}
	return open(t, cfg, nodes...), links
}

// elector claims on s as name, with leases of three seconds.
func elector(t testing.TB, s election.Store, name string) *election.Elector {
	t.Helper()
	start := time.Now()
	e, err := election.New(s, name, election.Config{
		TTL: 3 * time.Second, Clock: func() time.Duration { return time.Since(start) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A run is what somebody did under a lease.
type run struct {
	by    string
	tick  time.Time
	token int64
}

// A contest is replicas that all want every tick.
type contest struct {
	mu       sync.Mutex
	runs     []run // in the order of their starts
	inside   int
	overlaps int
	unsure   map[time.Time]bool // ticks of which a start was not answered while it could be: some node may have it
	story    []string           // what was answered to those who did not get a tick
}

func (c *contest) enter(r run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs = append(c.runs, r)
	if c.inside++; c.inside > 1 {
		c.overlaps++
	}
}

func (c *contest) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inside--
}

// pursue asks for a tick until it is decided or nobody needs it any more, as a
// scheduler does: a name is kept only over a question that was not answered.
func (c *contest) pursue(ctx context.Context, e *election.Elector, tick time.Time, limit time.Duration) {
	wish := election.Wish{Key: "job", Mode: election.ForTick, Overlap: election.QueueOverlap, Tick: tick}
	for until := time.Now().Add(limit); time.Now().Before(until); {
		r := e.Claim(ctx, []election.Wish{wish})[0]
		wish.Owner = ""
		c.tell(e.Holder(), tick, election.ClaimAnswer{Answer: r.Answer, Started: r.Started, By: r.By, Tick: r.Tick, Remaining: r.Remaining, Err: r.Err})
		switch r.Answer {
		case election.Granted:
			if c.work(ctx, e, r.Lease) {
				return
			}
		case election.Spent:
			return
		case election.Unknown:
			wish.Owner = r.Owner
		case election.Early:
			time.Sleep(r.Remaining)
			continue
		}
		time.Sleep(time.Duration(20+rand.IntN(30)) * time.Millisecond)
	}
}

// maxStory is how many answers a contest remembers.
const maxStory = 400

// tell remembers an answer, for when a test fails.
func (c *contest) tell(by string, tick time.Time, a election.ClaimAnswer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.story) == maxStory {
		c.story = c.story[1:]
	}
	c.story = append(c.story, fmt.Sprintf("%s to %s for %s: answer %d, started %t, by %s, tick %s, left %s, %v",
		time.Now().Format("05.000"), by, tick.Format("05.000"), a.Answer, a.Started, a.By, a.Tick.Format("05.000"), a.Remaining, a.Err))
}

// work starts a lease and works for a moment; false if it could not be started.
func (c *contest) work(ctx context.Context, e *election.Elector, l *election.Lease) bool {
	for {
		started := e.Start(ctx, []*election.Lease{l})
		switch err := started[0].Err; {
		case err == nil:
			c.enter(run{e.Holder(), l.Tick(), l.Token()})
			time.Sleep(2 * time.Millisecond)
			c.leave()
			_, _ = l.Release(ctx, election.OutcomeSucceeded) // who does not hear it waits
			return true
		case errors.Is(err, election.ErrLeaseLost), errors.Is(err, election.ErrLeaseUncertain):
			c.tell(e.Holder(), l.Tick(), election.ClaimAnswer{Err: err})
			c.doubt(l.Tick(), err)
			return false
		}
		time.Sleep(10 * time.Millisecond) // not answered: it is safe to repeat
	}
}

// doubt notes a tick of which nobody knows whether it was started: with any store such
// a one may be found abandoned later, and then has that for a verdict.
func (c *contest) doubt(tick time.Time, err error) {
	if !errors.Is(err, election.ErrLeaseUncertain) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unsure == nil {
		c.unsure = make(map[time.Time]bool)
	}
	c.unsure[tick] = true
}

// verdict counts the ticks that were run by nobody, though no start of them is in
// doubt, and those that were run twice.
func (c *contest) verdict(ticks []time.Time) (lost, double int) {
	ran := make(map[time.Time]int)
	for _, r := range c.runs {
		ran[r.tick]++
	}
	for _, at := range ticks {
		switch n := ran[at]; {
		case n == 0 && !c.unsure[at]:
			lost++
		case n > 1:
			double++
		}
	}
	return lost, double
}

// tokensGrow reports whether every run had a higher token than those before it.
func (c *contest) tokensGrow() bool {
	return slices.IsSortedFunc(c.runs, func(a, b run) int { return int(a.token - b.token) })
}

// hold plays n ticks, a second apart, among stores.
func (c *contest) hold(ctx context.Context, t testing.TB, stores []*redlock.Store, n int) (ticks []time.Time) {
	t.Helper()
	var all []*election.Elector
	for i, s := range stores {
		all = append(all, elector(t, s, fmt.Sprintf("r%d", i)))
	}
	for range n {
		time.Sleep(time.Second - time.Duration(time.Now().Nanosecond()))
		tick := time.Now().UTC()
		ticks = append(ticks, tick)
		var wg sync.WaitGroup
		for _, e := range all {
			wg.Go(func() {
				time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
				c.pursue(ctx, e, tick, 900*time.Millisecond)
			})
		}
		wg.Wait()
	}
	return ticks
}

// upTo3ms is the latency of the measurement that found one round not to be enough.
func upTo3ms() time.Duration { return time.Duration(rand.IntN(1500)) * time.Microsecond }
