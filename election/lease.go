package election

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Lease is the right to act for a key, for a time. Claim grants it, Start makes
// it usable, Keep renews it, Release ends it.
type Lease struct {
	elector *Elector
	hold    Hold
	attempt int

	mu   sync.Mutex
	term term

	begun reading   // when Start was answered
	dog   *watchdog // while it is kept
}

// A reading is the clock of an elector read at a moment of the process's own
// monotonic clock, which is much cheaper to read: good enough for planning
// ahead, not for believing a lease.
type reading struct {
	clock time.Duration
	at    time.Time
}

func (r reading) now() time.Duration { return r.clock + time.Since(r.at) }

// Token is the fencing token: it only grows, over all leases of the key.
func (l *Lease) Token() int64 { return l.hold.Token }

// Tick is what the lease was claimed for; zero for a request.
func (l *Lease) Tick() time.Time { return l.hold.Tick }

// Attempt is 1 for the first start of the tick.
func (l *Lease) Attempt() int { return l.attempt }

// Remaining is the time until the deadline: by then what runs under l has ended.
// It asks nobody and may be called as often as one likes.
func (l *Lease) Remaining() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.term.deadline - l.elector.cfg.Clock()
}

// Check returns nil while l may be believed. Call it before an effect that
// cannot be taken back. It is a comparison with the clock, without I/O.
func (l *Lease) Check() error {
	switch l.belief() {
	case over:
		return ErrLeaseLost
	case stopping:
		return ErrLeaseUncertain
	}
	return nil
}

func (l *Lease) belief() belief { return l.beliefAt(l.elector.cfg.Clock()) }

func (l *Lease) beliefAt(now time.Duration) belief {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.term.belief(now, l.elector.cfg)
}

func (l *Lease) renewIn(now time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.term.renewIn(now, l.elector.cfg, jitter())
}

func (l *Lease) extend(sent, remaining time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.term = l.term.extend(sent, remaining)
}

// started takes the answer to Start, sent and answered at these readings.
func (l *Lease) started(a HoldAnswer, sent time.Duration, answered reading) error {
	switch a.Standing {
	case Good:
		l.extend(sent, a.Remaining)
		l.begun = answered
		if l.beliefAt(answered.clock) != held {
			return fmt.Errorf("start: the answer came too late: %w", ErrLeaseUncertain)
		}
		return nil
	case Lapsed, Lost, AlreadyReleased:
		return fmt.Errorf("start: %w", ErrLeaseLost)
	}
	if l.beliefAt(answered.clock) == over {
		return fmt.Errorf("start: %w: %w", ErrLeaseUncertain, a.Err)
	}
	return fmt.Errorf("start: %w", a.Err)
}

// Keep renews l until stop is called, and returns a context that ends when the
// lease does, with cause ErrLeaseLost when the store says so or ErrLeaseUncertain
// when no renewal was answered in time; or when ctx does. Renewing goes on after
// ctx has ended: the work may need time to stop, and until it has, nobody else
// may begin. Call stop when the work has returned; no renewal is in flight after it.
func (l *Lease) Keep(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	d := &watchdog{lease: l, cancel: cancel}
	l.watched(d)
	l.elector.kennel.add(d, l.begun.now())
	return ctx, func() {
		l.elector.kennel.remove(d)
		cancel(context.Canceled)
	}
}

// Cancel ends the context of Keep with cause, as if its parent had ended. The
// lease is still kept until stop is called. It does nothing before Keep.
func (l *Lease) Cancel(cause error) {
	l.mu.Lock()
	d := l.dog
	l.mu.Unlock()
	if d != nil {
		d.cancel(cause)
	}
}

func (l *Lease) watched(d *watchdog) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dog = d
}

// Release ends l and records outcome in its record. It tries until the store
// gives a definite answer or ctx ends; call it with a context that survives
// shutdown. What the record says about the run afterwards is returned: outcome,
// OutcomeAbandoned if another had found the run without a holder, or
// OutcomeNone if the lease was revoked or its record lost.
func (l *Lease) Release(ctx context.Context, outcome Outcome) (Outcome, error) {
	type answer struct {
		kept Outcome
		err  error
	}
	told := make(chan answer, 1)
	l.End(ctx, outcome, func(kept Outcome, err error) { told <- answer{kept, err} })
	a := <-told
	return a.kept, a.err
}

// End is Release without the wait: it calls told with what Release would have
// returned, from another goroutine. What ends together goes to the store
// together; told must be quick, as others wait behind it.
func (l *Lease) End(ctx context.Context, outcome Outcome, told func(kept Outcome, err error)) {
	l.elector.releases.add(l.end(outcome), func(a HoldAnswer) {
		if kept, ok, err := settled(a, outcome); ok {
			told(kept, err)
			return
		}
		go func() { told(l.endAgain(ctx, outcome, a)) }() // told ends it
	})
}

func (l *Lease) end(outcome Outcome) End {
	return End{Key: l.hold.Key, Owner: l.hold.Owner, Token: l.hold.Token, Outcome: outcome, Retention: l.hold.Retention}
}

// endAgain repeats a release that was not answered, until it is or ctx ends.
func (l *Lease) endAgain(ctx context.Context, outcome Outcome, a HoldAnswer) (Outcome, error) {
	cfg := l.elector.cfg
	pause := Backoff{First: cfg.Try / 10, Max: 2 * cfg.Try}
	told := make(chan HoldAnswer, 1)
	for tries := 1; ; tries++ {
		if err := sleep(ctx, pause.Pause(tries, jitter())); err != nil {
			return OutcomeNone, fmt.Errorf("release: %w: %w", err, a.Err)
		}
		l.elector.releases.add(l.end(outcome), func(a HoldAnswer) { told <- a })
		a = <-told
		if kept, ok, err := settled(a, outcome); ok {
			return kept, err
		}
	}
}

// settled reads the answer to a release: what the record keeps, and whether the
// answer is definite.
func settled(a HoldAnswer, outcome Outcome) (kept Outcome, ok bool, err error) {
	switch a.Standing {
	case Good:
		return outcome, true, nil
	case AlreadyReleased:
		return a.Outcome, true, nil
	case Lapsed, Lost:
		return OutcomeNone, true, nil
	}
	if errors.Is(a.Err, ErrBadClaim) {
		return OutcomeNone, true, fmt.Errorf("release: %w", a.Err)
	}
	return OutcomeNone, false, nil
}

// sleep waits for d or until ctx ends, whichever is first; the error is ctx's cause.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
