package scheduler

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Range is a stretch of a job's schedule.
type Range struct {
	From, To time.Time     // From is in it, To is not
	Max      int           // ticks at most; 0: 100. At most 1,000
	Spacing  time.Duration // between two of them becoming due
}

// The limits of a backfill.
const (
	DefaultBackfill = 100
	MaxBackfill     = 1000
)

// Backfill requests a run for each moment of the schedule in r that has passed,
// oldest first, whether or not there has been one. The error also matches
// ErrTooMany.
func (s *Scheduler) Backfill(ctx context.Context, job string, r Range, o Order) ([]Row, error) {
	e, err := s.book.Load().find(job)
	if err != nil {
		return nil, err
	}
	o.Params = overlaid(e.job.DefaultParams(), o.Params) // the ticks had the defaults
	if err := errors.Join(checkOrder(o), checkParams(e, o.Params)); err != nil {
		return nil, fmt.Errorf("job %q: %w", job, err)
	}
	now := s.cfg.Now().UTC().Truncate(time.Millisecond)
	limit := r.Max
	if limit == 0 {
		limit = DefaultBackfill
	}
	ticks, fits := ticksIn(e.group.times, r.From, earlier(r.To, now), min(limit, MaxBackfill))
	if !fits {
		return nil, fmt.Errorf("job %q: %w: more than %d between %s and %s", job, ErrTooMany,
			min(limit, MaxBackfill), r.From.UTC().Format(time.RFC3339), r.To.UTC().Format(time.RFC3339))
	}
	requests := make([]Request, len(ticks))
	key := o.key("")
	for i, at := range ticks {
		requests[i] = o.request(Tick{Job: job, At: at, Manual: true, Cause: ByBackfill, By: o.By, Key: key}, now)
		requests[i].NotBefore = now.Add(time.Duration(i) * r.Spacing)
	}
	return s.request(ctx, requests...)
}

// maxLooked bounds the moments of a range that are looked at, excluded ones too.
const maxLooked = 1_000_000

// ticksIn lists the moments of t in [from, to) that are not excluded; fits is
// false if there are more than limit, or more than anybody looks through.
func ticksIn(t timetable, from, to time.Time, limit int) (ticks []time.Time, fits bool) {
	looked := 0
	for at := t.Next(from.Add(-time.Nanosecond)); !at.IsZero() && at.Before(to); at = t.Next(at) {
		if looked++; looked > maxLooked {
			return nil, false
		}
		if _, excluded := t.Excluded(at); excluded {
			continue
		}
		if len(ticks) == limit {
			return nil, false
		}
		ticks = append(ticks, at)
	}
	return ticks, true
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
