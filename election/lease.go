package election

import (
	"fmt"
	"sync"
	"time"
)

// Lease is the right to act for a key, for a time. Claim grants it, Start makes
// it usable, Keep renews it, Release ends it.
type Lease struct {
	elector *Elector
	key     string
	owner   Owner
	token   int64
	tick    time.Time
	attempt int
	floor   *Floor // of key

	mu   sync.Mutex
	term term

	dog watchdog
}

// Key is what the lease is of.
func (l *Lease) Key() string { return l.key }

// Token is the fencing token: it only grows, over all leases of the key.
func (l *Lease) Token() int64 { return l.token }

// Tick is what the lease was claimed for; zero for a request.
func (l *Lease) Tick() time.Time { return l.tick }

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
	switch l.beliefAt(l.elector.cfg.Clock()) {
	case over:
		return ErrLeaseLost
	case stopping:
		return ErrLeaseUncertain
	}
	return nil
}

func (l *Lease) beliefAt(now time.Duration) belief {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.term.belief(now, &l.elector.cfg)
}

// renewAt is when the next renewal is due.
func (l *Lease) renewAt() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.term.renewAt(&l.elector.cfg, jitter())
}

func (l *Lease) extend(sent, remaining time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.term = l.term.extend(sent, remaining)
}

// hold is how a store is told of l.
func (l *Lease) hold() Hold {
	cfg := &l.elector.cfg
	return Hold{
		Key: l.key, Owner: l.owner, Token: l.token, Tick: l.tick,
		TTL: cfg.TTL, Retention: cfg.keeps(), Holder: l.elector.holder,
	}
}

// started takes the answer to Start, sent and answered at these readings of the clock.
func (l *Lease) started(a *HoldAnswer, sent, answered time.Duration) error {
	switch a.Standing {
	case Good:
		l.extend(sent, a.Remaining)
		if l.beliefAt(answered) != held {
			return fmt.Errorf("start: the answer came too late: %w", ErrLeaseUncertain)
		}
		return nil
	case Lapsed, Lost, AlreadyReleased:
		return fmt.Errorf("start: %w", ErrLeaseLost)
	}
	if l.beliefAt(answered) == over {
		return fmt.Errorf("start: %w: %w", ErrLeaseUncertain, a.Err)
	}
	return fmt.Errorf("start: %w", a.Err)
}
