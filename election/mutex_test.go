package election_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/election"
)

func TestALockCostsTwoRequestsAndLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	w := newWire()
	l := newLocks(t, w, "a", election.LocksConfig{})
	h, err := l.Mutex(order).Try(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Check(); err != nil || h.Token() == 0 || h.Remaining() < 29*time.Second {
		t.Errorf("in hand: check %v, token %d, remaining %s", err, h.Token(), h.Remaining())
	}
	_, err = newLocks(t, w, "b", election.LocksConfig{}).Mutex(order).Try(t.Context())
	if held, ok := errors.AsType[*election.HeldError](err); !ok || held.By != "a" || held.Remaining <= 0 {
		t.Errorf("to another it says %v, want that a holds it", err)
	}
	for range 2 {
		if err := h.Unlock(); err != nil {
			t.Errorf("unlock: %v", err)
		}
	}
	if err := h.Check(); !errors.Is(err, election.ErrLeaseLost) {
		t.Errorf("check after unlock: %v, want ErrLeaseLost", err)
	}
	if got := [4]int64{w.claims.Load(), w.starts.Load(), w.renews.Load(), w.ends.Load()}; got != [4]int64{2, 0, 0, 1} {
		t.Errorf("claims, starts, renewals, releases: %v, want one each of claim (and one of b) and release", got)
	}
	records, err := w.Read(t.Context(), []string{order.String()})
	if err != nil || records[0].Key != "" {
		t.Errorf("after unlock there is a record %+v (%v)", records[0], err)
	}
}

func TestOneOfManyIsInAtATimeAndTokensGrow(t *testing.T) {
	t.Parallel()
	for name, hints := range map[string]election.Hints{"polling": nil, "with hints": new(election.LocalHints)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWire()
				w.delay.Store(int64(time.Millisecond))
				var in, most, last atomic.Int64
				var all sync.WaitGroup
				for _, holder := range []string{"a", "b", "c", "d"} {
					l := newLocks(t, w, holder, election.LocksConfig{Hints: hints})
					for range 5 {
						all.Go(func() {
							err := l.Mutex(order).Do(t.Context(), func(ctx context.Context) error {
								most.Store(max(most.Load(), in.Add(1)))
								defer in.Add(-1)
								token, ok := election.Token(ctx)
								if before := last.Swap(token); !ok || token <= before {
									t.Errorf("token %d (%v) after %d", token, ok, before)
								}
								time.Sleep(20 * time.Millisecond)
								return nil
							})
							if err != nil {
								t.Error(err)
							}
						})
					}
				}
				all.Wait()
				if most.Load() != 1 {
					t.Errorf("%d were in at a time", most.Load())
				}
			})
		})
	}
}

func TestAHintEndsTheWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, slow := newWire(), election.Backoff{First: time.Hour, Max: time.Hour}
		hints := new(election.LocalHints)
		a := newLocks(t, w, "a", election.LocksConfig{Backoff: slow, Hints: hints})
		b := newLocks(t, w, "b", election.LocksConfig{Backoff: slow, Hints: hints})
		h, err := a.Mutex(order).Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		time.AfterFunc(10*time.Second, func() { _ = h.Unlock() })
		other, err := b.Mutex(order).Lock(t.Context())
		if took := time.Since(begun); err != nil || took != 10*time.Second {
			t.Fatalf("got it after %s (%v), want with the hint", took, err)
		}
		if err := other.Unlock(); err != nil || hints.Waiting(order.String()) != 0 {
			t.Errorf("unlock: %v; %d still listen", err, hints.Waiting(order.String()))
		}
	})
}

func TestAnExpiredLockIsTakenAtOnceByWhoWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, slow := newWire(), election.Backoff{First: time.Second, Max: time.Hour}
		a := newLocks(t, w, "a", election.LocksConfig{})
		b := newLocks(t, w, "b", election.LocksConfig{Backoff: slow})
		h, err := a.Mutex(order).Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if _, err = b.Mutex(order).Lock(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took < 30*time.Second || took > 32*time.Second {
			t.Errorf("b got the lock of a dead holder after %s, want right after its 30 s", took)
		}
		if err := h.Unlock(); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("the old holder unlocks: %v, want ErrLeaseLost", err)
		}
		if left := w.held(t, order.String()); left < 29*time.Second {
			t.Errorf("the new holder has %s left: the old one has freed its lock", left)
		}
	})
}

func TestWhoWaitsInVainIsToldByWhom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		a := newLocks(t, w, "a", election.LocksConfig{})
		err := a.Mutex(order).Do(t.Context(), func(context.Context) error {
			patient := newLocks(t, w, "b", election.LocksConfig{MaxWait: 3 * time.Second})
			begun := time.Now()
			_, err := patient.Mutex(order).Lock(t.Context())
			if held, ok := errors.AsType[*election.HeldError](err); !ok || held.By != "a" || time.Since(begun) != 3*time.Second {
				t.Errorf("after MaxWait: %v after %s", err, time.Since(begun))
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			if _, err = patient.Mutex(order).Lock(ctx); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, election.ErrHeld) {
				t.Errorf("after the context: %v, want its cause and ErrHeld", err)
			}
			if strings.Contains(err.Error(), order.ID) {
				t.Errorf("the error shows the id: %v", err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestALockThatNobodyAnswersForIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		w.loseClaims.Store(1 << 40)
		begun := time.Now()
		_, err := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order).Lock(t.Context())
		if took := time.Since(begun); !errors.Is(err, errCut) || took < 30*time.Second || took > 35*time.Second {
			t.Errorf("got %v after %s, want the store's error after a TTL", err, took)
		}
	})
}

func TestACancelledWaiterLeavesNoLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		w.delay.Store(int64(300 * time.Millisecond))
		l := newLocks(t, w, "a", election.LocksConfig{})
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(100*time.Millisecond, func() { cancel(errLate) })
		if _, err := l.Mutex(order).Lock(ctx); !errors.Is(err, errLate) {
			t.Errorf("got %v, want the cause of the context", err)
		}
		if left := w.held(t, order.String()); left != 0 {
			t.Errorf("a grant that came too late is held for another %s", left)
		}
		if _, err := l.Mutex(order).Lock(ctx); !errors.Is(err, errLate) || w.claims.Load() != 1 {
			t.Errorf("under a context that has ended: %v and %d claims, want nothing asked", err, w.claims.Load())
		}
	})
}

func TestAClaimWithoutAnAnswerLeavesNoLease(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]func(context.Context, *election.Mutex) error{
		"try": func(ctx context.Context, m *election.Mutex) error { _, err := m.Try(ctx); return err },
		"lock": func(ctx context.Context, m *election.Mutex) error {
			ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
			defer cancel()
			_, err := m.Lock(ctx)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWire()
				w.loseClaims.Store(1)
				if err := try(t.Context(), newLocks(t, w, "a", election.LocksConfig{}).Mutex(order)); err == nil {
					t.Error("no error without an answer")
				}
				if left := w.held(t, order.String()); left != 0 {
					t.Errorf("a grant that nobody heard of is held for another %s", left)
				}
			})
		})
	}
}

func TestAClaimWithoutAnAnswerIsRecognisedWhenItIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		w.loseClaims.Store(3)
		begun := time.Now()
		h, err := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order).Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("it took %s to get our own lock, want no longer than the answers were lost", took)
		}
		if h.Remaining() > w.held(t, order.String()) {
			t.Errorf("we believe in %s, the store in only %s", h.Remaining(), w.held(t, order.String()))
		}
		_ = h.Unlock()
	})
}

// TestAGrantThatComesTooLateIsNotBelieved: see etcd#11456.
func TestAGrantThatComesTooLateIsNotBelieved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		short := election.Config{TTL: time.Second, RenewEvery: 300 * time.Millisecond, Try: 100 * time.Millisecond, StopGrace: time.Millisecond}
		l := newLocks(t, w, "a", election.LocksConfig{Lease: short})
		w.delay.Store(int64(2 * time.Second)) // the store takes no notice of the time-out
		if _, err := l.Mutex(order).Try(t.Context()); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("got %v, want ErrLeaseLost", err)
		}
	})
}

func TestUnlockWithoutAnAnswerIsRepeated(t *testing.T) {
	t.Parallel()
	for lost, wantErr := range map[int64]bool{1: false, 2: false, 3: true} {
		synctest.Test(t, func(t *testing.T) {
			w := newWire()
			h, err := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order).Try(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			w.loseEnds.Store(lost)
			var all sync.WaitGroup
			for range 2 { // the second waits for the first
				all.Go(func() {
					if err := h.Unlock(); (err != nil) != wantErr || errors.Is(err, election.ErrLeaseLost) {
						t.Errorf("%d answers lost: got %v, want an error %v", lost, err, wantErr)
					}
				})
			}
			all.Wait()
		})
	}
}

func TestUnlockAfterARevocationSaysSo(t *testing.T) {
	t.Parallel()
	w := newWire()
	h, err := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order).Try(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Revoke(t.Context(), election.Revocation{Key: order.String(), Retention: time.Hour}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := h.Unlock(); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("got %v, want ErrLeaseLost", err)
		}
	}
}

func TestExtendLengthensAndNeverShortens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		h, err := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order).Try(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Second)
		for _, step := range []struct{ ttl, want time.Duration }{{0, 30 * time.Second}, {time.Second, 30 * time.Second}, {time.Hour, time.Hour}} {
			if err := h.Extend(t.Context(), step.ttl); err != nil {
				t.Fatal(err)
			}
			if got := w.held(t, order.String()); got != step.want || h.Remaining() > got || h.Remaining() < got*98/100 {
				t.Errorf("extended by %s: the store says %s, the handle %s; want %s", step.ttl, got, h.Remaining(), step.want)
			}
		}
		w.loseRenews.Store(1)
		if err := h.Extend(t.Context(), 0); !errors.Is(err, errCut) || errors.Is(err, election.ErrLeaseUncertain) {
			t.Errorf("without an answer: %v, want the store's error and nothing final", err)
		}
		if err := h.Extend(t.Context(), 25*time.Hour); !errors.Is(err, election.ErrBadClaim) {
			t.Errorf("25 hours: %v, want ErrBadClaim", err)
		}
		time.Sleep(2 * time.Hour)
		if err := h.Extend(t.Context(), 0); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("after the end: %v, want ErrLeaseLost", err)
		}
		if err := h.Unlock(); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("unlock after the end: %v, want ErrLeaseLost", err)
		}
		if err := h.Extend(t.Context(), 0); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("after unlock: %v, want ErrLeaseLost", err)
		}
	})
}
