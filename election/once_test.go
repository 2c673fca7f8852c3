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
)

// TestOnceIsDoneOncePerWindow lets many duplicates come over two hours.
func TestOnceIsDoneOncePerWindow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		var mu sync.Mutex
		var begun []time.Time
		var all sync.WaitGroup
		for _, holder := range []string{"a", "b", "c"} {
			once := newLocks(t, w, holder, election.LocksConfig{}).Once(order, 30*time.Minute)
			all.Go(func() {
				for range 1200 {
					err := once.Do(t.Context(), func(context.Context) error {
						mu.Lock()
						begun = append(begun, time.Now())
						mu.Unlock()
						time.Sleep(time.Minute)
						return nil
					})
					if err != nil && !errors.Is(err, election.ErrDone) && !errors.Is(err, election.ErrHeld) {
						t.Error(err)
					}
					time.Sleep(6 * time.Second)
				}
			})
		}
		all.Wait()
		if len(begun) < 4 || len(begun) > 5 {
			t.Errorf("done %d times in two hours, want every half hour", len(begun))
		}
		for i := 1; i < len(begun); i++ {
			if gap := begun[i].Sub(begun[i-1]); gap < 30*time.Minute || gap > 30*time.Minute+10*time.Second {
				t.Errorf("done again after %s, want the window, counted from when it began", gap)
			}
		}
	})
}

func TestOnceSaysWhoHasDoneItAndWhenItOpens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		a := newLocks(t, w, "a", election.LocksConfig{}).Once(order, 30*time.Minute)
		b := newLocks(t, w, "b", election.LocksConfig{}).Once(order, 30*time.Minute)
		never := func(context.Context) error { t.Error("it was done twice"); return nil }
		err := a.Do(t.Context(), func(context.Context) error {
			time.Sleep(time.Minute)
			err := b.Do(t.Context(), never)
			if held, ok := errors.AsType[*election.HeldError](err); !ok || held.By != "a" || errors.Is(err, election.ErrDone) {
				t.Errorf("while it is being done: %v, want that a is at it", err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(9 * time.Minute)
		err = b.Do(t.Context(), never)
		done, ok := errors.AsType[*election.DoneError](err)
		if !ok || done.By != "a" || done.Opens != 20*time.Minute || !errors.Is(err, election.ErrDone) {
			t.Errorf("after it was done: %v, want that a did it and 20 minutes are left", err)
		}
	})
}

func TestOnceThatFailedIsOpenAgain(t *testing.T) {
	t.Parallel()
	w := newWire()
	once := newLocks(t, w, "a", election.LocksConfig{}).Once(order, time.Hour)
	for range 3 {
		if err := once.Do(t.Context(), func(context.Context) error { return errWork }); !errors.Is(err, errWork) {
			t.Errorf("got %v, want %v", err, errWork)
		}
	}
	if err := once.Do(t.Context(), func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestOnceWhoseHolderDiedOpensAfterATTL lets the first holder vanish while it is
// at it: its lease is neither renewed nor released.
func TestOnceWhoseHolderDiedOpensAfterATTL(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		dead, dying := context.WithCancel(t.Context())
		go func() {
			_ = newLocks(t, &isolated{wire: w, dead: dead}, "a", election.LocksConfig{}).
				Once(order, time.Hour).Do(t.Context(), func(ctx context.Context) error { dying(); <-ctx.Done(); return errWork })
		}()
		<-dead.Done()
		begun, done := time.Now(), false
		once := newLocks(t, w, "b", election.LocksConfig{}).Once(order, time.Hour)
		for !done {
			time.Sleep(time.Second)
			err := once.Do(t.Context(), func(context.Context) error { done = true; return nil })
			if err != nil && !errors.Is(err, election.ErrHeld) {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took < 29*time.Second || took > 32*time.Second {
			t.Errorf("done by another after %s, want the TTL", took)
		}
		time.Sleep(time.Minute) // for the dead to end
	})
}

// isolated is a line that is cut when dead ends.
type isolated struct {
	*wire
	dead context.Context
}

func (s *isolated) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	if s.dead.Err() != nil {
		return unanswered(len(holds))
	}
	return s.wire.Renew(ctx, holds)
}

func (s *isolated) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	if s.dead.Err() != nil {
		return unanswered(len(ends))
	}
	return s.wire.Release(ctx, ends)
}

func TestOnceIsConfirmedOverLostAnswers(t *testing.T) {
	t.Parallel()
	for lost, want := range map[int64]error{0: nil, 2: nil, 3: election.ErrLeaseUncertain} {
		synctest.Test(t, func(t *testing.T) {
			w := newWire()
			w.loseStarts.Store(lost)
			once := newLocks(t, w, "a", election.LocksConfig{}).Once(order, time.Hour)
			err := once.Do(t.Context(), func(context.Context) error { return nil })
			if !errors.Is(err, want) {
				t.Errorf("%d answers lost: got %v, want %v", lost, err, want)
			}
			if err := once.Do(t.Context(), func(context.Context) error { return nil }); !errors.Is(err, election.ErrDone) {
				t.Errorf("%d answers lost: the second got %v, want ErrDone", lost, err)
			}
		})
	}
}

func TestOnceThatLostItsLeaseSaysSo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		once := newLocks(t, w, "a", election.LocksConfig{}).Once(order, time.Hour)
		err := once.Do(t.Context(), func(context.Context) error {
			_, err := w.Revoke(t.Context(), election.Revocation{Key: order.String() + "/once", Retention: time.Hour})
			return err
		})
		if !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("got %v, want ErrLeaseLost", err)
		}
	})
}

func TestOnceThatTookLongerThanItsWindowIsOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		once := newLocks(t, newWire(), "a", election.LocksConfig{}).Once(order, time.Minute)
		var n atomic.Int64
		for range 2 {
			if err := once.Do(t.Context(), func(context.Context) error { n.Add(1); time.Sleep(2 * time.Minute); return nil }); err != nil {
				t.Error(err)
			}
		}
		if n.Load() != 2 {
			t.Errorf("done %d times, want 2", n.Load())
		}
	})
}
