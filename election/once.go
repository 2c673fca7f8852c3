package election

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Once is at most one success of a thing within a window: one mail per order,
// one import per half hour, whatever retries and duplicates come.
//
// It is claimed while it is done, confirmed when it has succeeded, and undone
// when it has failed: then it is open again. If its holder dies meanwhile, it
// opens when the claim has expired, after a TTL at most.
type Once struct {
	locks  *Locks
	key    Key
	name   string
	window time.Duration
	err    error
}

// Once returns the Once of key with a window from one TTL of l to 24 hours, in
// whole milliseconds. A key or window that is no good shows in Do.
func (l *Locks) Once(key Key, window time.Duration) *Once {
	o := &Once{locks: l, key: key, name: key.String() + "/once", window: window, err: key.Validate()}
	if ttl := l.elector.cfg.TTL; o.err == nil && (window < ttl || window > maxTTL || window%time.Millisecond != 0) {
		o.err = fmt.Errorf("%w: window %s is not whole milliseconds from the ttl %s to %s", ErrBadClaim, window, ttl, maxTTL)
	}
	return o
}

// Do runs fn unless it was done before, or is being done: then the error is a
// *DoneError or a *HeldError. The context of fn is as in Mutex.Do. If fn returns
// nil the key stays closed until the window is over, which is counted from when
// fn began; if fn returns an error or panics, it is open at once. When fn ran for
// nearly as long as the window, the key may stay closed for up to one TTL more.
//
// An error that matches ErrLeaseLost or ErrLeaseUncertain after fn returned nil
// says that this success is not on record: somebody else may do it again.
func (o *Once) Do(ctx context.Context, fn func(context.Context) error) (err error) {
	if o.err != nil {
		return o.err
	}
	s := &seek{key: o.key, name: o.name, records: []string{o.name}}
	g, err := o.locks.tryOnce(ctx, s)
	if err != nil {
		return o.refused(s, err)
	}
	begun, undo := g.lease.term.renewed, true
	defer func() {
		if undo {
			if lost := g.outer.Unlock(); err != nil && lost != nil && !errors.Is(err, ErrLeaseLost) {
				err = fmt.Errorf("%w: %w", err, lost)
			}
		}
	}()
	if err := g.outer.Do(ctx, fn); err != nil {
		return err
	}
	undo = false
	return o.confirm(g, begun)
}

// refused is the error of one who came second. What is done is a lease that was
// started: see confirm.
func (o *Once) refused(s *seek, err error) error {
	if held, ok := errors.AsType[*HeldError](err); ok && s.refused.Started {
		return &DoneError{By: held.By, Opens: held.Remaining}
	}
	return err
}

// confirm keeps the key closed for what is left of the window. To start a lease
// is what marks it as done, and makes it last; nobody renews it any more.
func (o *Once) confirm(g *grip, begun time.Duration) error {
	cfg := &o.locks.elector.cfg
	for tries := 1; ; tries++ {
		left := (o.window - (cfg.Clock() - begun)).Truncate(time.Millisecond)
		if left < minTTL {
			return g.outer.Unlock() // it is open again
		}
		a, sent := o.locks.hold(context.Background(), o.locks.elector.store.Start, &g.lease, left)
		err := g.extended(&a, sent)
		switch {
		case a.Standing == Good:
			return nil
		case errors.Is(err, ErrLeaseLost), errors.Is(err, ErrBadClaim):
			return o.unconfirmed(err)
		}
		if tries == 3 {
			return o.unconfirmed(fmt.Errorf("%w: %w", ErrLeaseUncertain, err))
		}
		time.Sleep(Backoff{First: cfg.Try / 10, Max: cfg.Try}.Pause(tries, jitter()))
	}
}

func (o *Once) unconfirmed(err error) error {
	return fmt.Errorf("once %s: done, but not on record: %w", o.key.Masked(), err)
}
