package election_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
)

var errLate = errors.New("late")

func TestWorkThatTakesTooLongIsToldSoAndKeepsItsLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		lease := obtain(t, newElector(t, store, "a"), "job")
		began := time.Now()
		ctx, stop := lease.KeepFor(t.Context(), time.Minute, errLate)
		if end, ok := ctx.Deadline(); !ok || !end.Equal(began.Add(time.Minute)) {
			t.Errorf("deadline = %s, %v; want a minute from %s", end, ok, began)
		}
		child, cancel := context.WithCancel(ctx)
		defer cancel()
		<-child.Done()
		if took := time.Since(began); took != time.Minute {
			t.Errorf("the context ended after %s, want a minute", took)
		}
		if got := context.Cause(child); !errors.Is(got, errLate) {
			t.Errorf("cause = %v, want %v", got, errLate)
		}
		if got := ctx.Err(); !errors.Is(got, context.DeadlineExceeded) {
			t.Errorf("err = %v, want DeadlineExceeded", got)
		}
		time.Sleep(time.Hour) // it takes its time to stop
		if err := lease.Check(); err != nil {
			t.Errorf("while the work was stopping: %v", err)
		}
		stop()
	})
}

// TestALimitIsKeptToTheMomentHoweverLongItIs has limits before the first walk
// past the leases, between two walks and on one.
func TestALimitIsKeptToTheMomentHoweverLongItIs(t *testing.T) {
	t.Parallel()
	for _, limit := range []time.Duration{time.Millisecond, 250 * time.Millisecond, 777 * time.Millisecond, time.Minute, time.Hour + 1} {
		synctest.Test(t, func(t *testing.T) {
			lease := obtain(t, newElector(t, new(memlease.Store), "a"), "job")
			began := time.Now()
			ctx, stop := lease.KeepFor(t.Context(), limit, errLate)
			defer stop()
			<-ctx.Done()
			if took := time.Since(began); took != limit || !errors.Is(context.Cause(ctx), errLate) {
				t.Errorf("limit %s: ended after %s with %v", limit, took, context.Cause(ctx))
			}
		})
	}
}

// TestALimitOfOneKeepingIsNotThatOfTheNext stops shortly before the limit, when
// its alarm is set, and keeps the lease again.
func TestALimitOfOneKeepingIsNotThatOfTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lease := obtain(t, newElector(t, new(memlease.Store), "a"), "job")
		_, stop := lease.KeepFor(t.Context(), time.Minute, errLate)
		time.Sleep(time.Minute - time.Millisecond)
		stop()
		ctx, stop := lease.Keep(t.Context())
		defer stop()
		time.Sleep(time.Hour)
		if ctx.Err() != nil {
			t.Errorf("kept again without a limit: ended with %v", context.Cause(ctx))
		}
	})
}

func TestWorkThatEndsInTimeIsNotLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lease := obtain(t, newElector(t, new(memlease.Store), "a"), "job")
		ctx, stop := lease.KeepFor(t.Context(), time.Minute, errLate)
		stop()
		time.Sleep(time.Hour)
		if got := context.Cause(ctx); !errors.Is(got, context.Canceled) || !errors.Is(ctx.Err(), context.Canceled) {
			t.Errorf("cause = %v, err = %v; want Canceled", got, ctx.Err())
		}
	})
}

func TestALeaseIsKeptOnceAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lease := obtain(t, newElector(t, new(memlease.Store), "a"), "job")
		lease.Cancel(errLate) // before Keep: nothing to end
		_, stop := lease.Keep(t.Context())
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a second Keep did not panic")
				}
			}()
			lease.Keep(t.Context())
		}()
		stop()
		ctx, stop := lease.Keep(t.Context())
		if ctx.Err() != nil {
			t.Errorf("kept again after stop: %v", context.Cause(ctx))
		}
		lease.Cancel(errLate)
		if got := context.Cause(ctx); !errors.Is(got, errLate) {
			t.Errorf("cause = %v, want %v", got, errLate)
		}
		stop()
	})
}

// TestAForgottenKeyIsJudgedByItsRecordAlone loses a record that the elector has
// seen: only what it remembers can tell.
func TestAForgottenKeyIsJudgedByItsRecordAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := new(memlease.Store)
		e := newElector(t, store, "a")
		for key, want := range map[string]election.Answer{"kept": election.Quarantine, "forgotten": election.Granted} {
			lease := obtain(t, e, key)
			if _, err := lease.Release(t.Context(), election.OutcomeSucceeded); err != nil {
				t.Fatal(err)
			}
			store.Forget()
			if want == election.Granted {
				e.Forget(key)
			}
			if got := e.Claim(t.Context(), []election.Wish{{Key: key, Mode: election.ForRequest}})[0]; got.Answer != want {
				t.Errorf("%s: got answer %d, want %d", key, got.Answer, want)
			}
		}
	})
}
