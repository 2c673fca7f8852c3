package election

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Handle is a lock in hand. Only it can unlock: there is no way to
// free what somebody else holds. It is safe for concurrent use.
type Handle struct {
	grip *grip

	mu      sync.Mutex
	parting bool          // Unlock was called
	parted  bool          // and has returned
	waiting chan struct{} // closed then, if anybody waits for it
	err     error         // of the first Unlock
}

// Token is the fencing token of the lock: higher than that of any holder before.
// Every handle of one acquisition has the same.
func (h *Handle) Token() int64 { return h.grip.lease.token }

// Check returns nil while the lock may be believed; else ErrLeaseLost, or
// ErrLeaseUncertain shortly before the end, when work has to stop. It asks
// nobody. Call it before an effect that cannot be taken back.
func (h *Handle) Check() error {
	h.mu.Lock()
	gone := h.parting
	h.mu.Unlock()
	if gone {
		return errUnlocked
	}
	return h.grip.check()
}

// Remaining is the time until the lock ends unless it is extended.
func (h *Handle) Remaining() time.Duration { return h.grip.lease.Remaining() }

// Do runs fn with a context that ends with the lock, with cause ErrLeaseLost or
// ErrLeaseUncertain, or with ctx; while fn runs, the lock is renewed. The handle
// travels in that context: see Token and Mutex.Lock. If fn fails after the lock
// was lost, the error matches both. Do does not unlock.
func (h *Handle) Do(ctx context.Context, fn func(context.Context) error) error {
	return h.grip.do(ctx, h, fn)
}

// Extend makes the lock last for ttl from now, 100 ms to 24 h; 0: as long as one
// does from the start. It never shortens. It is for who holds a lock without Do.
// An error that matches ErrLeaseLost or ErrLeaseUncertain is final: stop. After
// any other the lock is as it was, and Extend may be tried again.
func (h *Handle) Extend(ctx context.Context, ttl time.Duration) error {
	g, l := h.grip, h.grip.locks
	if err := h.Check(); err != nil && !errors.Is(err, ErrLeaseUncertain) {
		return fmt.Errorf("extend %s: %w", g.key.Masked(), err)
	}
	a, sent := l.hold(ctx, l.elector.store.Renew, &g.lease, or(ttl, l.elector.cfg.TTL))
	if err := g.extended(&a, sent); err != nil {
		return fmt.Errorf("extend %s: %w", g.key.Masked(), err)
	}
	return nil
}

// extended takes the answer to a renewal or a start, which was sent at this
// reading of the clock.
func (g *grip) extended(a *HoldAnswer, sent time.Duration) error {
	switch a.Standing {
	case Good, Reinstated:
		g.lease.extend(sent, a.Remaining)
		if err := g.check(); errors.Is(err, ErrLeaseLost) { // the answer came too late
			return err
		}
		return nil
	case Lapsed, Lost, AlreadyReleased:
		g.bark(ErrLeaseLost)
		return ErrLeaseLost
	}
	if g.lease.beliefAt(g.lease.elector.cfg.Clock()) == over {
		return fmt.Errorf("%w: %w", ErrLeaseUncertain, a.Err)
	}
	return a.Err
}

// Unlock gives the lock up. It takes no context: what was cancelled has to
// unlock, too. It returns when the store has answered, or has not at three tries
// of Config.Try each. A second call does nothing and returns what the first did.
// An error that matches ErrLeaseLost says that the lock had been lost before:
// somebody else may have held it meanwhile. Any other says that the store did
// not answer: the lock ends by itself, when Remaining is over. The handle of a
// nested Lock frees nothing: the lock ends with the outermost handle.
func (h *Handle) Unlock() error {
	if wait, first := h.part(); !first {
		<-wait
		return h.err
	}
	err := h.grip.unlock(h)
	if err != nil {
		err = fmt.Errorf("unlock %s: %w", h.grip.key.Masked(), err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err, h.parted = err, true
	if h.waiting != nil {
		close(h.waiting)
	}
	return err
}

// part reports whether this is the first call of Unlock; all others wait for it.
func (h *Handle) part() (wait <-chan struct{}, first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.parting {
		h.parting = true
		return nil, true
	}
	if h.waiting == nil {
		h.waiting = make(chan struct{})
		if h.parted {
			close(h.waiting)
		}
	}
	return h.waiting, false
}

func (g *grip) unlock(h *Handle) error {
	if h != &g.outer {
		err := g.check()
		g.mu.Lock()
		g.nested--
		g.mu.Unlock()
		if errors.Is(err, ErrLeaseUncertain) {
			err = nil // only the store knows; the outermost handle will ask it
		}
		return err
	}
	g.mu.Lock()
	g.over = true
	g.mu.Unlock()
	g.bark(errUnlocked)
	err := g.release()
	g.locks.ring(g.name)
	return err
}

// release asks for the end of the lease until it is answered: three tries.
func (g *grip) release() error {
	l, cfg := g.locks, &g.lease.elector.cfg
	end := l.endOf(g.lease.key, g.lease.owner, g.lease.token)
	for tries, maybe := 1, false; ; tries++ { // maybe: an earlier try may have done it
		a := l.ends.ride(end)
		if settled, err := parted(&a, maybe); settled || tries == 3 {
			return err
		}
		maybe = maybe || !errors.Is(a.Err, ErrNotApplied) && g.lease.beliefAt(cfg.Clock()) != over
		time.Sleep(Backoff{First: cfg.Try / 10, Max: cfg.Try}.Pause(tries, jitter()))
	}
}

// parted reads the answer to a release: whether it is definite, and whether the
// lease had been lost before. If an earlier try may have done it while the lease
// was believed, then it did: nobody else could have had it.
func parted(a *HoldAnswer, maybeDone bool) (settled bool, err error) {
	switch a.Standing {
	case Good, AlreadyReleased:
		return true, nil
	case Lapsed, Lost:
		if maybeDone {
			return true, nil
		}
		return true, ErrLeaseLost
	}
	return errors.Is(a.Err, ErrBadClaim), a.Err
}
