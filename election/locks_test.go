package election_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
)

// wire is a Store that answers after a while, or does what it is asked for and
// loses the answer. The zero wire has no store: use newWire.
type wire struct {
	*memlease.Store
	delay                        atomic.Int64 // of every answer, in nanoseconds
	loseClaims, loseEnds         atomic.Int64 // how many answers are lost from now on
	loseStarts, loseRenews       atomic.Int64
	claims, starts, renews, ends atomic.Int64 // requests so far
}

func newWire() *wire { return &wire{Store: new(memlease.Store)} }

// lost answers after the delay, or after the time-out if the answer is lost.
func (w *wire) lost(ctx context.Context, left *atomic.Int64) bool {
	if left.Add(-1) >= 0 {
		<-ctx.Done()
		return true
	}
	time.Sleep(time.Duration(w.delay.Load()))
	return false
}

func (w *wire) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	w.claims.Add(1)
	answers := w.Store.Claim(ctx, claims)
	if w.lost(ctx, &w.loseClaims) {
		clear(answers)
		for i := range answers {
			answers[i].Err = errCut
		}
	}
	return answers
}

func (w *wire) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	w.starts.Add(1)
	return w.told(ctx, w.Store.Start(ctx, holds), &w.loseStarts)
}

func (w *wire) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	w.renews.Add(1)
	return w.told(ctx, w.Store.Renew(ctx, holds), &w.loseRenews)
}

func (w *wire) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	w.ends.Add(1)
	return w.told(ctx, w.Store.Release(ctx, ends), &w.loseEnds)
}

func (w *wire) told(ctx context.Context, answers []election.HoldAnswer, left *atomic.Int64) []election.HoldAnswer {
	if w.lost(ctx, left) {
		return unanswered(len(answers))
	}
	return answers
}

// held is how much longer somebody has the record of name; 0: nobody does.
func (w *wire) held(t *testing.T, name string) time.Duration {
	t.Helper()
	records, err := w.Read(t.Context(), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	return records[0].Remaining
}

var order = election.Key{Environment: "prod", Tenant: "acme", Kind: "order", ID: "4711"}

func newLocks(t *testing.T, store election.Store, holder string, cfg election.LocksConfig) *election.Locks {
	t.Helper()
	cfg.Lease.Clock = election.Monotonic()
	l, err := election.NewLocks(store, holder, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLocksRefuseWhatCannotWork(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]election.LocksConfig{
		"negative wait":      {MaxWait: -time.Second},
		"no pause":           {Backoff: election.Backoff{Max: time.Second}},
		"shrinking pause":    {Backoff: election.Backoff{First: time.Second, Max: time.Millisecond}},
		"negative ttl":       {Lease: election.Config{TTL: -time.Second}},
		"negative retention": {Lease: election.Config{Retention: -time.Second}},
	} {
		if _, err := election.NewLocks(new(memlease.Store), "a", cfg); err == nil {
			t.Errorf("%s: it was accepted", name)
		}
	}
}

func TestABadKeyShowsWhereverItIsUsed(t *testing.T) {
	t.Parallel()
	l := newLocks(t, new(memlease.Store), "a", election.LocksConfig{})
	never := func(context.Context) error { t.Error("it ran"); return nil }
	var bad election.Key
	for name, err := range map[string]error{
		"mutex":          l.Mutex(bad).Do(t.Context(), never),
		"once":           l.Once(bad, time.Minute).Do(t.Context(), never),
		"short window":   l.Once(order, time.Second).Do(t.Context(), never),
		"long window":    l.Once(order, 25*time.Hour).Do(t.Context(), never),
		"uneven window":  l.Once(order, time.Minute+time.Nanosecond).Do(t.Context(), never),
		"semaphore":      l.Semaphore(bad, 1).Do(t.Context(), never),
		"no slots":       l.Semaphore(order, 0).Do(t.Context(), never),
		"too many slots": l.Semaphore(order, 1001).Do(t.Context(), never),
		"leader":         l.Leader(bad).Run(t.Context(), election.Callbacks{}),
	} {
		if !errors.Is(err, election.ErrBadClaim) {
			t.Errorf("%s: got %v, want ErrBadClaim", name, err)
		}
	}
}

// TestWithoutRetentionAnElectorRemembersNothing would find its own floor above
// a record that has vanished, and take that for lost data.
func TestWithoutRetentionAnElectorRemembersNothing(t *testing.T) {
	t.Parallel()
	store := new(memlease.Store)
	e, err := election.New(store, "a", election.Config{Retention: election.NoRetention})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		lease := obtain(t, e, "job")
		if _, err := lease.Release(t.Context(), election.OutcomeSucceeded); err != nil {
			t.Fatal(err)
		}
		records, err := store.Read(t.Context(), []string{"job"})
		if err != nil || records[0].Key != "" {
			t.Errorf("after the release there is a record %+v (%v), want none", records[0], err)
		}
	}
}

// TestAHangingRequestDoesNotHoldUpTheOthers: requests of one process wait for
// each other, so that they go together, but not for one that has no answer.
func TestAHangingRequestDoesNotHoldUpTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		l := newLocks(t, w, "a", election.LocksConfig{})
		w.loseClaims.Store(1)
		var all sync.WaitGroup
		all.Go(func() { _, _ = l.Mutex(election.Key{ID: "hangs"}).Try(t.Context()) })
		time.Sleep(60 * time.Millisecond)
		begun := time.Now()
		h, err := l.Mutex(order).Try(t.Context())
		if took := time.Since(begun); err != nil || took > 10*time.Millisecond {
			t.Fatalf("got it after %s (%v), want at once", took, err)
		}
		_ = h.Unlock()
		all.Wait()
	})
}
