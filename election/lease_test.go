package election_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
)

// line is a Store behind a line that can be cut or slow.
type line struct {
	*memlease.Store
	cut  atomic.Bool
	slow atomic.Int64 // delay of the answer, in nanoseconds

	renews atomic.Int64
}

var errCut = errors.New("no answer")

func (l *line) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	l.renews.Add(1)
	if l.cut.Load() {
		<-ctx.Done()
		return unanswered(len(holds))
	}
	answers := l.Store.Renew(ctx, holds)
	time.Sleep(time.Duration(l.slow.Load()))
	return answers
}

func (l *line) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	if l.cut.Load() {
		<-ctx.Done()
		return unanswered(len(ends))
	}
	return l.Store.Release(ctx, ends)
}

func unanswered(n int) []election.HoldAnswer {
	out := make([]election.HoldAnswer, n)
	for i := range out {
		out[i].Err = errCut
	}
	return out
}

func newElector(t *testing.T, store election.Store, holder string) *election.Elector {
	t.Helper()
	e, err := election.New(store, holder, election.Config{TTL: 30 * time.Second, Clock: election.Monotonic()})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// obtain claims and starts the lease of key for a request.
func obtain(t *testing.T, e *election.Elector, key string) *election.Lease {
	t.Helper()
	r := e.Claim(t.Context(), []election.Wish{{Key: key, Mode: election.ForRequest}})[0]
	if r.Answer != election.Granted {
		t.Fatalf("claim: got answer %d (%v), want Granted", r.Answer, r.Err)
	}
	if got := e.Start(t.Context(), []*election.Lease{r.Lease}); got[0].Err != nil {
		t.Fatal(got[0].Err)
	}
	return r.Lease
}

func TestKeepRenewsForAsLongAsTheWorkTakes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		lease := obtain(t, newElector(t, store, "a"), "job")
		ctx, stop := lease.Keep(t.Context())
		time.Sleep(time.Hour)
		if err := context.Cause(ctx); err != nil {
			t.Errorf("after an hour the context ended: %v", err)
		}
		if got := store.renews.Load(); got < 340 || got > 400 {
			t.Errorf("%d renewals in an hour, want one every 9 to 10 s", got)
		}
		stop()
		if got, err := lease.Release(t.Context(), election.OutcomeSucceeded); got != election.OutcomeSucceeded || err != nil {
			t.Errorf("release = %q, %v", got, err)
		}
	})
}

func TestPartitionEndsTheWorkAGraceBeforeTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		lease := obtain(t, newElector(t, store, "a"), "job")
		ctx, stop := lease.Keep(t.Context())
		defer stop()
		time.Sleep(15 * time.Second)
		store.cut.Store(true)
		<-ctx.Done()
		if got := context.Cause(ctx); !errors.Is(got, election.ErrLeaseUncertain) {
			t.Errorf("cause = %v, want ErrLeaseUncertain", got)
		}
		// StopGrace 5 s + Slack 1 s are left for the work to end.
		if got := lease.Remaining(); got < 6*time.Second || got > 6300*time.Millisecond {
			t.Errorf("remaining when told to stop = %s, want 6s and at most one walk", got)
		}
		if got := store.renews.Load(); got < 5 {
			t.Errorf("%d tries to renew before giving up, want at least 3 after the cut", got)
		}
	})
}

func TestShortOutageIsRiddenOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		lease := obtain(t, newElector(t, store, "a"), "job")
		ctx, stop := lease.Keep(t.Context())
		defer stop()
		for range 10 {
			time.Sleep(20 * time.Second)
			store.cut.Store(true)
			time.Sleep(10 * time.Second)
			store.cut.Store(false)
		}
		if err := context.Cause(ctx); err != nil {
			t.Errorf("the lease was lost in an outage shorter than a term: %v", err)
		}
	})
}

func TestSlowSuccessDoesNotExtendTrustPastItsRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		lease := obtain(t, newElector(t, store, "a"), "job")
		_, stop := lease.Keep(t.Context())
		defer stop()
		store.slow.Store(int64(900 * time.Millisecond))
		time.Sleep(12 * time.Second)
		records, err := store.Read(t.Context(), []string{"job"})
		if err != nil {
			t.Fatal(err)
		}
		if got, limit := lease.Remaining(), records[0].Remaining; got >= limit {
			t.Errorf("the holder believes in %s, the store in only %s", got, limit)
		}
	})
}

func TestRevokedLeaseEndsTheWorkAtTheNextRenewal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		e := newElector(t, store, "a")
		lease := obtain(t, e, "job")
		ctx, stop := lease.Keep(t.Context())
		if _, err := store.Revoke(t.Context(), election.Revocation{Key: "job", LockDelay: time.Second, Retention: time.Hour}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		<-ctx.Done()
		if got := context.Cause(ctx); !errors.Is(got, election.ErrLeaseLost) {
			t.Errorf("cause = %v, want ErrLeaseLost", got)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("told after %s, want at the next renewal", took)
		}
		stop()
		if got, err := lease.Release(t.Context(), election.OutcomeSucceeded); got != election.OutcomeNone || err != nil {
			t.Errorf("release of a revoked lease = %q, %v; want nothing kept", got, err)
		}
	})
}

func TestReleaseIsTriedUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		e := newElector(t, store, "a")
		lease := obtain(t, e, "job")
		store.cut.Store(true)
		time.AfterFunc(20*time.Second, func() { store.cut.Store(false) })
		got, err := lease.Release(context.WithoutCancel(t.Context()), election.OutcomeFailed)
		if got != election.OutcomeFailed || err != nil {
			t.Errorf("release = %q, %v; want it kept after the outage", got, err)
		}
	})
}

func TestReleaseGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		lease := obtain(t, newElector(t, store, "a"), "job")
		store.cut.Store(true)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		began := time.Now()
		if _, err := lease.Release(ctx, election.OutcomeFailed); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err = %v, want that of the context", err)
		}
		if took := time.Since(began); took > 10*time.Second+100*time.Millisecond {
			t.Errorf("release took %s, want no more than its context", took)
		}
		time.Sleep(5 * time.Second) // for a try that was on its way
	})
}

// TestSleepingMachineLosesItsLease reads deadlines off a clock that jumps while
// Go's timers stand still, as CLOCK_BOOTTIME does over a suspend.
func TestSleepingMachineLosesItsLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		awake := election.Monotonic()
		clock := func() time.Duration { return awake() + time.Duration(slept.Load()) }
		e, err := election.New(new(memlease.Store), "a", election.Config{TTL: 30 * time.Second, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		lease := obtain(t, e, "job")
		ctx, stop := lease.Keep(t.Context())
		defer stop()
		time.Sleep(1500 * time.Millisecond)
		slept.Store(int64(time.Minute))
		time.Sleep(time.Second)
		synctest.Wait()
		if got := context.Cause(ctx); !errors.Is(got, election.ErrLeaseUncertain) {
			t.Errorf("a second after waking up, cause = %v, want ErrLeaseUncertain", got)
		}
		if err := lease.Check(); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("check = %v, want ErrLeaseLost", err)
		}
	})
}

func TestRecordThatForgotIsQuarantinedByWhoeverKnowsBetter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		e := newElector(t, store, "a")
		lease := obtain(t, e, "job")
		if _, err := lease.Release(t.Context(), election.OutcomeSucceeded); err != nil {
			t.Fatal(err)
		}
		store.Store = new(memlease.Store) // all is lost, and the new clock is behind
		store.Store.Now = func() time.Time { return time.Now().Add(-time.Hour) }
		r := e.Claim(t.Context(), []election.Wish{{Key: "job", Mode: election.ForRequest}})[0]
		if r.Answer != election.Quarantine {
			t.Fatalf("answer = %d, want Quarantine", r.Answer)
		}
		time.Sleep(r.Remaining)
		r = e.Claim(t.Context(), []election.Wish{{Key: "job", Mode: election.ForRequest}})[0]
		if r.Answer != election.Granted || r.Token <= lease.Token() {
			t.Errorf("after the quarantine: answer %d token %d, want Granted with more than %d", r.Answer, r.Token, lease.Token())
		}
	})
}
