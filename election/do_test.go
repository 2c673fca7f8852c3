package election_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/election"
)

var errWork = errors.New("the work failed")

func TestDoRenewsForAsLongAsTheWorkTakes(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		err := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order).Do(t.Context(), func(ctx context.Context) error {
			time.Sleep(time.Hour)
			if ctx.Err() != nil || w.held(t, order.String()) < 15*time.Second {
				t.Errorf("after an hour: %v, %s left", context.Cause(ctx), w.held(t, order.String()))
			}
			return errWork
		})
		if !errors.Is(err, errWork) || w.held(t, order.String()) != 0 {
			t.Errorf("got %v, and the lock lasts another %s", err, w.held(t, order.String()))
		}
	})
}

func TestALostLockEndsTheWorkWithTheCause(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(*testing.T, *wire)
		want  error
	}{
		"revoked": {func(t *testing.T, w *wire) {
			if _, err := w.Revoke(t.Context(), election.Revocation{Key: order.String(), Retention: time.Hour}); err != nil {
				t.Fatal(err)
			}
		}, election.ErrLeaseLost},
		"unanswered": {func(_ *testing.T, w *wire) { w.loseRenews.Store(1 << 40) }, election.ErrLeaseUncertain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWire()
				m := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order)
				for _, fails := range []error{errWork, nil} {
					w.loseRenews.Store(0)
					err := m.Do(t.Context(), func(ctx context.Context) error {
						c.spoil(t, w)
						<-ctx.Done()
						if got := context.Cause(ctx); !errors.Is(got, c.want) {
							t.Errorf("cause %v, want %v", got, c.want)
						}
						if h, ok := election.FromContext(ctx); !ok || h.Check() == nil {
							t.Error("the handle is still believed in")
						}
						return fails
					})
					if fails != nil && (!errors.Is(err, errWork) || !errors.Is(err, c.want)) {
						t.Errorf("got %v, want both that the work failed and why", err)
					}
					// What could not be renewed, but is still ours when it is
					// unlocked, was never anybody else's.
					if fails == nil && errors.Is(err, election.ErrLeaseLost) != (name == "revoked") {
						t.Errorf("the work succeeded: got %v", err)
					}
				}
			})
		})
	}
}

func TestACancelledDoUnlocks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(errLate) })
		err := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order).Do(ctx, func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(time.Minute) // it takes its time to stop, under the lock
			if w.held(t, order.String()) == 0 {
				t.Error("the lock has ended before the work")
			}
			return context.Cause(ctx)
		})
		if !errors.Is(err, errLate) || w.held(t, order.String()) != 0 {
			t.Errorf("got %v, and the lock lasts another %s", err, w.held(t, order.String()))
		}
	})
}

func TestAPanicUnlocks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		l := newLocks(t, w, "a", election.LocksConfig{})
		for name, do := range map[string]func(context.Context, func(context.Context) error) error{
			order.String():              l.Mutex(order).Do,
			order.String() + "/once":    l.Once(order, time.Minute).Do,
			order.String() + "/slots/0": l.Semaphore(order, 1).Do,
		} {
			func() {
				defer func() {
					if got := recover(); got != "oh" {
						t.Errorf("%s: recovered %v", name, got)
					}
				}()
				_ = do(t.Context(), func(context.Context) error { panic("oh") })
			}()
			if left := w.held(t, name); left != 0 {
				t.Errorf("%s: after the panic the lock lasts another %s", name, left)
			}
		}
	})
}

func TestReentryIsTheSameAcquisition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		l := newLocks(t, w, "a", election.LocksConfig{})
		m, other := l.Mutex(order), l.Mutex(election.Key{Kind: "order", ID: "4712"})
		err := m.Do(t.Context(), func(ctx context.Context) error {
			outer, _ := election.Token(ctx)
			return other.Do(ctx, func(ctx context.Context) error { // something in between
				return m.Do(ctx, func(ctx context.Context) error {
					if inner, _ := election.Token(ctx); inner != outer {
						t.Errorf("token %d within %d", inner, outer)
					}
					h, err := m.Try(ctx)
					if err != nil {
						return err
					}
					for range 2 {
						if err := h.Unlock(); err != nil {
							t.Error(err)
						}
					}
					if w.held(t, order.String()) == 0 || w.claims.Load() != 2 {
						t.Errorf("after the inner unlock: %s left, %d claims", w.held(t, order.String()), w.claims.Load())
					}
					if h.Check() == nil || h.Do(ctx, nil) == nil {
						t.Error("a handle given up is still good")
					}
					return nil
				})
			})
		})
		if err != nil {
			t.Error(err)
		}
		if left := w.held(t, order.String()); left != 0 {
			t.Errorf("after the outer unlock %s left", left)
		}
	})
}

func TestReentryHasABound(t *testing.T) {
	t.Parallel()
	m := newLocks(t, newWire(), "a", election.LocksConfig{}).Mutex(order)
	depth := 0
	var dive func(ctx context.Context) error
	dive = func(ctx context.Context) error { depth++; return m.Do(ctx, dive) }
	if err := m.Do(t.Context(), dive); !errors.Is(err, election.ErrNested) || depth != 33 {
		t.Errorf("got %v at depth %d, want ErrNested after 32 in the outermost", err, depth)
	}
}

func TestWhatIsWithinEndsWithTheOutermost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		m := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order)
		outer, err := m.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx := election.NewContext(t.Context(), outer)
		inner, err := m.Lock(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		all.Go(func() { // renews although the outer handle does not
			err := m.Do(ctx, func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) })
			if !errors.Is(err, election.ErrLeaseLost) {
				t.Errorf("the work within ended with %v, want ErrLeaseLost", err)
			}
		})
		time.Sleep(time.Hour)
		if err := outer.Unlock(); err != nil {
			t.Error(err)
		}
		all.Wait()
		if err := inner.Check(); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("the inner handle: %v, want ErrLeaseLost", err)
		}
		if err := inner.Unlock(); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("the inner unlock: %v, want ErrLeaseLost", err)
		}
		again, err := m.Try(ctx) // nothing is in hand any more: this is a new one
		if err != nil || again.Token() <= outer.Token() {
			t.Fatalf("locked again: %v", err)
		}
		if err := again.Unlock(); err != nil {
			t.Error(err)
		}
	})
}

func TestReentryIntoALostLockIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		m := newLocks(t, w, "a", election.LocksConfig{}).Mutex(order)
		h, err := m.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(31 * time.Second)
		if _, err := m.Lock(election.NewContext(t.Context(), h)); !errors.Is(err, election.ErrLeaseLost) {
			t.Errorf("got %v, want ErrLeaseLost: a new lease is not what the outer section has", err)
		}
	})
}

func TestOtherLocksAreNotReentrant(t *testing.T) {
	t.Parallel()
	w := newWire()
	a, b := newLocks(t, w, "a", election.LocksConfig{}), newLocks(t, w, "b", election.LocksConfig{})
	err := a.Mutex(order).Do(t.Context(), func(ctx context.Context) error {
		_, err := b.Mutex(order).Try(ctx)
		return err
	})
	if !errors.Is(err, election.ErrHeld) {
		t.Errorf("got %v, want ErrHeld", err)
	}
	if _, ok := election.Token(t.Context()); ok {
		t.Error("a context without a lock has a token")
	}
}
