package election_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
)

func TestASemaphoreNeverLetsInMoreThanItsNumber(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 5, 17} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWire()
				w.delay.Store(int64(time.Millisecond))
				var in, most atomic.Int64
				var all sync.WaitGroup
				for g := range 50 {
					s := newLocks(t, w, fmt.Sprintf("holder-%d", g), election.LocksConfig{}).Semaphore(order, n)
					all.Go(func() {
						for range 3 {
							err := s.Do(t.Context(), func(context.Context) error {
								now := in.Add(1)
								defer in.Add(-1)
								for was := most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
								}
								time.Sleep(50 * time.Millisecond)
								return nil
							})
							if err != nil {
								t.Error(err)
							}
						}
					})
				}
				all.Wait()
				if got := most.Load(); got != int64(n) {
					t.Errorf("at most %d were in at a time, want %d and all slots used", got, n)
				}
			})
		})
	}
}

func TestAFullSemaphoreSaysSoAndAFreedSlotIsFound(t *testing.T) {
	t.Parallel()
	w := newWire()
	s := newLocks(t, w, "a", election.LocksConfig{}).Semaphore(order, 100)
	handles := make([]*election.Handle, 100)
	for i := range handles {
		var err error
		if handles[i], err = s.Try(t.Context()); err != nil {
			t.Fatalf("slot %d: %v", i+1, err)
		}
	}
	before := w.claims.Load()
	if _, err := s.Try(t.Context()); !errors.Is(err, election.ErrHeld) {
		t.Errorf("one too many got %v, want ErrHeld", err)
	}
	if asked := w.claims.Load() - before; asked > 8 {
		t.Errorf("it took %d requests to see that 100 slots are taken, want some", asked)
	}
	if err := handles[42].Unlock(); err != nil {
		t.Fatal(err)
	}
	h, err := s.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	handles[42] = h
	for _, h := range handles {
		if err := h.Unlock(); err != nil {
			t.Error(err)
		}
	}
	for i := range handles {
		if left := w.held(t, fmt.Sprintf("%s/slots/%d", order, i)); left != 0 {
			t.Errorf("slot %d is held for another %s", i, left)
		}
	}
}

// TestASurplusSlotWithoutAnAnswerIsGivenBack loses the answer to a request for
// several slots: what it granted must not stay taken.
func TestASurplusSlotWithoutAnAnswerIsGivenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		s := newLocks(t, w, "a", election.LocksConfig{}).Semaphore(order, 8)
		first, err := s.Try(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 20 { // from a random slot each time
			w.loseClaims.Store(1)
			h, err := s.Acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Unlock(); err != nil {
				t.Fatal(err)
			}
			taken := 0
			for i := range 8 {
				if w.held(t, fmt.Sprintf("%s/slots/%d", order, i)) != 0 {
					taken++
				}
			}
			if taken != 1 {
				t.Fatalf("%d slots are taken, want the one that is in hand", taken)
			}
		}
		_ = first.Unlock()
	})
}

// fickle loses the answer of the first claim of another slot than busy, and
// frees busy at that moment.
type fickle struct {
	*wire
	busy string
	free func()
}

func (f *fickle) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	if f.free == nil || claims[0].Key == f.busy {
		return f.wire.Claim(ctx, claims)
	}
	f.free()
	f.free = nil
	f.loseClaims.Store(1)
	return f.wire.Claim(ctx, claims)
}

// TestASlotThatMayBeOursIsGivenBackWhenAnotherIsTaken has the answer of one slot
// lost and the other granted when it is asked for again.
func TestASlotThatMayBeOursIsGivenBackWhenAnotherIsTaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for range 20 { // from a random slot each time
			w := newWire()
			first, err := newLocks(t, w, "a", election.LocksConfig{}).Semaphore(order, 2).Try(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			slots := [2]string{order.String() + "/slots/0", order.String() + "/slots/1"}
			busy := slots[0]
			if w.held(t, busy) == 0 {
				busy = slots[1]
			}
			f := &fickle{wire: w, busy: busy, free: func() { _ = first.Unlock() }}
			if _, err := newLocks(t, f, "b", election.LocksConfig{}).Semaphore(order, 2).Acquire(t.Context()); err != nil {
				t.Fatal(err)
			}
			if w.held(t, slots[0]) != 0 && w.held(t, slots[1]) != 0 {
				t.Fatal("both slots are taken, and only one is in hand")
			}
		}
	})
}
