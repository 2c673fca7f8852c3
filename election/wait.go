package election

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// patience is how long one waits for a lock.
type patience struct {
	wait   time.Duration // in all; 0: as long as the context lasts
	outage time.Duration // without any answer of the store; 0: for ever
}

// lock asks until it gets the lock, ctx ends, or patience does. It leaves
// nothing behind when it fails: a grant that comes too late is given back.
func (l *Locks) lock(ctx context.Context, s *seek, p patience, refused func(*ClaimAnswer)) (*grip, error) {
	g, err := l.try(ctx, s)
	if err == nil {
		return g, nil
	}
	defer l.abandon(s)
	rung, stop := l.listen(ctx, s.name)
	defer stop()
	begun := time.Now()
	answered := begun
	for tries := 1; ; tries++ {
		held, isHeld := errors.AsType[*HeldError](err)
		if isHeld {
			answered = time.Now()
			if refused != nil {
				refused(&s.refused)
			}
		}
		left := p.left(begun, answered, time.Now())
		if left <= 0 || ctx.Err() != nil || errors.Is(err, ErrBadClaim) {
			return nil, l.gaveUp(ctx, s, err)
		}
		pause := l.backoff.Pause(tries, jitter())
		if tries == 1 && rung != nil {
			pause = 0 // it may have become free before we listened
		} else if isHeld {
			pause = min(pause, held.Remaining+time.Duration(jitter()*float64(l.backoff.First)))
		}
		await(ctx, rung, min(pause, left))
		if ctx.Err() == nil {
			if g, err = l.try(ctx, s); err == nil {
				return g, nil
			}
		}
	}
}

// left is how much patience there is at now: of all since begun, of an outage
// since the store last answered.
func (p patience) left(begun, answered, now time.Time) time.Duration {
	left := time.Duration(1<<63 - 1)
	if p.wait > 0 {
		left = p.wait - now.Sub(begun)
	}
	if p.outage > 0 {
		left = min(left, p.outage-now.Sub(answered))
	}
	return left
}

// gaveUp is the error of one who waited in vain: the end of its context, and
// what it was told last.
func (l *Locks) gaveUp(ctx context.Context, s *seek, last error) error {
	cause := context.Cause(ctx)
	if cause == nil || errors.Is(last, cause) {
		return fmt.Errorf("lock %s: %w", s.key.Masked(), last)
	}
	return fmt.Errorf("lock %s: %w: %w", s.key.Masked(), cause, last)
}

func (l *Locks) listen(ctx context.Context, name string) (<-chan struct{}, func()) {
	if l.hints == nil {
		return nil, func() {}
	}
	return l.hints.Wait(ctx, name)
}

// await waits for a ring, a pause, or the end of ctx.
func await(ctx context.Context, rung <-chan struct{}, pause time.Duration) {
	if pause <= 0 {
		return
	}
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-rung:
	case <-t.C:
	}
}
