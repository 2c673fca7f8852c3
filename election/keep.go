package election

import (
	"context"
	"errors"
	"time"
)

// Keep renews l until stop is called, and returns a context that ends when the
// lease does, with cause ErrLeaseLost when the store says so or ErrLeaseUncertain
// when no renewal was answered in time; or when ctx does. Renewing goes on after
// ctx has ended: the work may need time to stop, and until it has, nobody else
// may begin. Call stop when the work has returned; no renewal is in flight after
// it. A lease that is kept cannot be kept a second time before that: Keep panics.
func (l *Lease) Keep(ctx context.Context) (_ context.Context, stop func()) {
	return l.keep(ctx, 0, nil), l.unkeep
}

// KeepFor is Keep for work that may take no longer than limit: then the context
// ends with cause late. A limit of 0 is none. One context for both costs much
// less than a time-out around the context of Keep.
func (l *Lease) KeepFor(ctx context.Context, limit time.Duration, late error) (_ context.Context, stop func()) {
	ctx = l.keep(ctx, limit, late)
	if limit <= 0 {
		return ctx, l.unkeep
	}
	return &limited{Context: ctx, late: late, deadline: time.Now().Add(limit)}, l.unkeep
}

func (l *Lease) keep(ctx context.Context, limit time.Duration, late error) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	l.dog.lease = l
	l.elector.kennel.add(&l.dog, cancel, l.renewAt(), limit, late)
	return ctx
}

func (l *Lease) unkeep() {
	l.elector.kennel.remove(&l.dog)(context.Canceled)
}

// limited is a context that tells of the time-out it ends with.
type limited struct {
	context.Context
	late     error
	deadline time.Time
}

func (c *limited) Deadline() (time.Time, bool) {
	if d, ok := c.Context.Deadline(); ok && d.Before(c.deadline) {
		return d, true
	}
	return c.deadline, true
}

func (c *limited) Err() error {
	err := c.Context.Err()
	if err != nil && errors.Is(context.Cause(c.Context), c.late) {
		return context.DeadlineExceeded
	}
	return err
}

// Cancel ends the context of Keep with cause, as if its parent had ended. The
// lease is still kept until stop is called. It does nothing before Keep.
func (l *Lease) Cancel(cause error) {
	if cancel := l.elector.kennel.leash(&l.dog); cancel != nil {
		cancel(cause)
	}
}
