package election_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
)

// A replica that was told of a tick does not take the word of a record that has
// lost it, whatever it has asked before.
func TestRecordThatLostATickOneHasHeardOfIsClosed(t *testing.T) {
	t.Parallel()
	store := new(memlease.Store)
	e, err := election.New(store, "a", election.Config{Clock: election.Monotonic()})
	if err != nil {
		t.Fatal(err)
	}
	tick := time.Now().Truncate(time.Second)
	e.Heard("job", tick)
	got := e.Claim(t.Context(), []election.Wish{{Key: "job", Tick: tick}})[0]
	if got.Answer != election.Quarantine {
		t.Errorf("answer %d, want Quarantine", got.Answer)
	}
}

// A store that hangs holds nobody up for longer than their context.
func TestReleaseEndsWithItsContextThoughTheStoreHangs(t *testing.T) {
	t.Parallel()
	store := &hanging{Store: new(memlease.Store), release: make(chan struct{})}
	e, err := election.New(store, "a", election.Config{Clock: election.Monotonic()})
	if err != nil {
		t.Fatal(err)
	}
	defer close(store.release)
	lease := e.Claim(t.Context(), []election.Wish{{Key: "job", Mode: election.ForRequest}})[0].Lease
	if got := e.Start(t.Context(), []*election.Lease{lease}); got[0].Err != nil {
		t.Fatal(got[0].Err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := lease.Release(ctx, election.OutcomeSucceeded); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("release: %v, want DeadlineExceeded", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("release took %s", took)
	}
}

// hanging is a store whose releases hang.
type hanging struct {
	election.Store
	release chan struct{}
}

func (s *hanging) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	<-s.release
	return s.Store.Release(ctx, ends)
}
