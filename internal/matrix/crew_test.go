package matrix_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/internal/redisclient"
)

const (
	work    = 200 * time.Millisecond // what a run takes
	beat    = 50 * time.Millisecond  // between two looks for ticks that are due
	members = 3
	longKey = "long" // of runs that go on while a server is replaced
)

// terms leave a run that was just renewed the time of a failover.
func terms() election.Config {
	return election.Config{TTL: 10 * time.Second, StopGrace: time.Second, LockDelay: time.Second}.WithDefaults()
}

// A crew is electors, each with a client of its own, that run every tick of some
// keys: late if need be, but none after a younger one.
type crew struct {
	t    *testing.T
	keys []string
	book *book
	from time.Time // the first tick
	hush sync.RWMutex

	mu   sync.Mutex
	last time.Time // no tick is due after it; zero: there is no last one
}

// launch starts a crew that reaches Redis by settings. It stops with t.
func launch(t *testing.T, settings redisclient.Settings, keys ...string) *crew {
	t.Helper()
	cfg := terms()
	settings.Try = cfg.Try
	c := &crew{t: t, keys: keys, book: newBook(), from: time.Now().Truncate(time.Second).Add(time.Second)}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for i := range members {
		store := quiet{open(t, connect(t, settings), "crew", cfg.Try), &c.hush}
		e, err := election.New(store, fmt.Sprint("r", i), cfg)
		if err != nil {
			t.Fatal(err)
		}
		m := &member{crew: c, elector: e, at: make(map[string]*spot)}
		for _, key := range keys {
			m.at[key] = &spot{key: key, next: c.from}
		}
		wg.Go(func() { m.run(ctx) })
	}
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	return c
}

// still lets do act while no member waits for an answer: what it was told before
// is then all that it knows.
func (c *crew) still(do func()) {
	c.hush.Lock()
	defer c.hush.Unlock()
	do()
}

// quiet lets nobody ask the store while the crew is to be still.
type quiet struct {
	store election.Store
	hush  *sync.RWMutex
}

func (q quiet) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	q.hush.RLock()
	defer q.hush.RUnlock()
	return q.store.Claim(ctx, claims)
}

func (q quiet) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	q.hush.RLock()
	defer q.hush.RUnlock()
	return q.store.Start(ctx, holds)
}

func (q quiet) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	q.hush.RLock()
	defer q.hush.RUnlock()
	return q.store.Renew(ctx, holds)
}

func (q quiet) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	q.hush.RLock()
	defer q.hush.RUnlock()
	return q.store.Release(ctx, ends)
}

// more waits until every key has run n more ticks, the long one apart, for at most
// limit.
func (c *crew) more(n int, limit time.Duration) {
	c.t.Helper()
	before := make(map[string]int)
	for _, key := range c.keys {
		before[key] = c.book.count(key)
	}
	began := time.Now()
	for _, key := range c.keys {
		if key != longKey {
			await(c.t, fmt.Sprintf("%d more runs of %s", n, key), limit-time.Since(began), func() bool {
				return c.book.count(key) >= before[key]+n
			})
		}
	}
	c.t.Logf("%d more runs of each key after %s", n, time.Since(began).Round(10*time.Millisecond))
}

// finish waits until every tick until now has run, or is known to have been started
// by somebody who never heard of it, lets no more come, and reports which promises
// were broken. What only lost data explains is returned.
func (c *crew) finish(limit time.Duration) (forgotten []string) {
	c.t.Helper()
	end := time.Now()
	for _, key := range c.keys {
		last := c.from.Add(end.Sub(c.from).Truncate(step(key)))
		c.settle(key, last, limit)
	}
	c.mu.Lock()
	c.last = time.Now()
	c.mu.Unlock()
	await(c.t, "all runs to end", limit, c.book.quiet)
	faults, forgotten, summary := c.book.verdict()
	c.t.Logf("%d keys, %d members: %s", len(c.keys), members, summary)
	for _, x := range faults {
		c.t.Error(x)
	}
	return forgotten
}

// settle waits for the ticks of key until last. A run that was started and whose
// holder was not told so is found by the claim of a later tick, when it has lapsed.
func (c *crew) settle(key string, last time.Time, limit time.Duration) {
	c.t.Helper()
	limit += terms().TTL + terms().LockDelay + step(key)
	if !within(c.t, limit, func() bool { return len(c.book.missing(key, c.from, last)) == 0 }) {
		c.t.Errorf("after %s nothing is known of %q", limit, c.book.missing(key, c.from, last))
	}
}

// remembered is finish for a test in which no server may have lost anything.
func (c *crew) remembered(limit time.Duration) {
	c.t.Helper()
	for _, x := range c.finish(limit) {
		c.t.Errorf("%s, and no server has lost what it acknowledged", x)
	}
	if n := c.book.ended[election.ErrLeaseLost.Error()]; n > 0 {
		c.t.Errorf("%d runs were told that their lease is another's", n)
	}
}

// due reports whether a tick has come.
func (c *crew) due(tick time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !tick.After(time.Now()) && (c.last.IsZero() || !tick.After(c.last))
}

// step is from one tick of key to the next.
func step(key string) time.Duration {
	if key == longKey {
		return 8 * time.Second
	}
	return time.Second
}

// takes is how long a run of key works.
func takes(key string) time.Duration {
	if key == longKey {
		return 6 * time.Second
	}
	return work
}

// isPoison reports whether err shows that the store was asked for what it cannot do.
func isPoison(err error) bool {
	return errors.Is(err, election.ErrBadClaim) || redis.HasErrorPrefix(err, "CROSSSLOT")
}
