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

func TestReverifyAsksForEveryLeaseAtOnceAndEndsTheLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &line{Store: new(memlease.Store)}
		e := newElector(t, store, "a")
		e.Reverify() // nothing is kept: nothing happens
		kept, stopKept := obtain(t, e, "kept").Keep(t.Context())
		defer stopKept()
		lost, stopLost := obtain(t, e, "lost").Keep(t.Context())
		defer stopLost()
		if _, err := store.Revoke(t.Context(), election.Revocation{Key: "lost", By: "test"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if got := store.renews.Load(); got != 0 {
			t.Fatalf("renewals in the first second: got %d, want none", got)
		}

		e.Reverify()
		synctest.Wait()
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if got := store.renews.Load(); got != 1 {
			t.Errorf("requests: got %d, want one for both leases", got)
		}
		if got := context.Cause(lost); !errors.Is(got, election.ErrLeaseLost) {
			t.Errorf("the revoked lease: got cause %v, want ErrLeaseLost", got)
		}
		if got := context.Cause(kept); got != nil {
			t.Errorf("the other lease: got cause %v, want none", got)
		}
		time.Sleep(5 * time.Second)
		if got := store.renews.Load(); got != 1 {
			t.Errorf("requests after five more seconds: got %d, want the usual rhythm again", got)
		}
	})
}
