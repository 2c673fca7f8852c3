package election

import (
	"context"
	"errors"
	"fmt"
)

// Mutex is the lock of one key: at most one holder at a time, while it can renew
// and within the bounds of the package. It is a value of the moment: make one
// where it is needed. It is reentrant by the context, not by the goroutine: see
// Lock.
type Mutex struct {
	locks  *Locks
	key    Key
	record [1]string // its name: the one record that will do
	err    error     // the key is no good
}

// Mutex returns the lock of key. A key that is no good shows when it is locked.
func (l *Locks) Mutex(key Key) *Mutex {
	name := key.String()
	return &Mutex{locks: l, key: key, record: [1]string{name}, err: key.fits(name)}
}

// Try asks once. The error is a *HeldError if somebody else holds the lock; any
// other means that the store did not answer, and then Try has given back what it
// may have got. Try costs one request, to unlock another.
//
// Under a context that carries a handle of the same lock, see Lock.
func (m *Mutex) Try(ctx context.Context) (*Handle, error) {
	return m.locks.take(ctx, m.want(), m.locks.tryOnce)
}

// Lock waits for the lock: until it has it, ctx ends, LocksConfig.MaxWait is
// over, or the store has not answered for a whole TTL. Whoever waits looks again
// after a pause with full jitter, or when a hint comes. A grant that arrives
// after ctx has ended is given back. When the wait was in vain, the error
// matches ErrHeld and the cause of ctx.
//
// Under the context of a holder of the same lock, Lock and Try return at once
// with a handle within the holder's: the same acquisition and the same token,
// up to 32 at a time, then ErrNested. That goes for every goroutine with that
// context. To unlock such a handle, even twice, leaves the outer one locked; once
// the outermost is unlocked they are worth nothing.
func (m *Mutex) Lock(ctx context.Context) (*Handle, error) {
	return m.locks.take(ctx, m.want(), m.locks.waitFor)
}

// Do locks, runs fn with a context that ends with the lock, and unlocks, also
// when fn panics. The lock is renewed while fn runs. The context carries the
// handle and ends with cause ErrLeaseLost, if the store says that the lock is
// gone, or ErrLeaseUncertain, if it cannot be renewed in time; fn then has
// Config.StopGrace to return. The error is that of fn; one that matches
// ErrLeaseLost says that the lock was lost while fn ran.
func (m *Mutex) Do(ctx context.Context, fn func(context.Context) error) error {
	h, err := m.Lock(ctx)
	if err != nil {
		return err
	}
	return h.doAndUnlock(ctx, fn)
}

func (m *Mutex) want() *seek {
	return &seek{key: m.key, name: m.record[0], records: m.record[:], fault: m.err}
}

// doAndUnlock runs fn and unlocks, also when fn panics.
func (h *Handle) doAndUnlock(ctx context.Context, fn func(context.Context) error) (err error) {
	defer func() {
		lost := h.Unlock()
		switch {
		case err == nil:
			err = lost
		case lost != nil && !errors.Is(err, ErrLeaseLost):
			err = fmt.Errorf("%w: %w", lost, err)
		}
	}()
	return h.Do(ctx, fn)
}

// take gets a handle: within that of ctx if there is one, else by obtain.
func (l *Locks) take(ctx context.Context, s *seek, obtain func(context.Context, *seek) (*grip, error)) (*Handle, error) {
	if s.fault != nil {
		return nil, s.fault
	}
	if h, err := l.again(ctx, s.name); h != nil || err != nil {
		return h, err
	}
	g, err := obtain(ctx, s)
	if err != nil {
		return nil, err
	}
	return &g.outer, nil
}

// tryOnce is try that clears up behind it.
func (l *Locks) tryOnce(ctx context.Context, s *seek) (*grip, error) {
	g, err := l.try(ctx, s)
	if err != nil {
		l.abandon(s)
		if !errors.Is(err, ErrHeld) {
			err = fmt.Errorf("lock %s: %w", s.key.Masked(), err)
		}
	}
	return g, err
}

// waitFor is lock with the patience of l.
func (l *Locks) waitFor(ctx context.Context, s *seek) (*grip, error) {
	return l.lock(ctx, s, patience{wait: l.maxWait, outage: l.elector.cfg.TTL}, nil)
}
