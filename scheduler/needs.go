package scheduler

import (
	"context"
	"fmt"
	"time"

	"github.com/solocron/solocron/jobs"
)

const (
	needPause     = 2 * time.Second // between two looks at what a tick depends on
	needLook      = 20              // how many runs of another job are looked at
	defaultWindow = 24 * time.Hour
)

// needsMet reports whether what the job of r depends on has happened; if not, r
// waits.
func (s *Scheduler) needsMet(ctx context.Context, r *result) bool {
	a := r.attempt
	r.lets.unmet = false
	for _, d := range a.entry.job.DependsOn {
		ok, err := s.met(ctx, d, a.tick)
		if ok {
			continue
		}
		r.lets.unmet, r.pause = true, needPause
		s.observe(Event{
			Phase: Waiting, Tick: a.scheduled(), Err: err, Retry: needPause,
			Note: fmt.Sprintf("depends on a run of %s that %s", d.Job, orSuccess(d.Condition)),
		})
		return false
	}
	return true
}

func orSuccess(c jobs.Condition) jobs.Condition {
	if c == "" {
		return jobs.OnSuccess
	}
	return c
}

// met reports whether a run as d asks for it has ended at most the window before tick.
func (s *Scheduler) met(ctx context.Context, d jobs.Dependency, tick time.Time) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, readTry)
	defer cancel()
	q := Query{Sort: GoodRuns, Limit: needLook}
	if d.Condition == jobs.OnFailure {
		q.Sort = OtherRuns
	} else if d.Condition == jobs.OnFinish {
		q.Sort = AnySort
	}
	rows, err := s.cfg.Journal.Past(ctx, d.Job, q)
	if err != nil {
		return false, fmt.Errorf("runs of %s: %w", d.Job, err)
	}
	window := d.Window
	if window == 0 {
		window = defaultWindow
	}
	for i := range rows {
		if satisfies(&rows[i], d.Condition, tick.Add(-window)) {
			return true, nil
		}
	}
	return false, nil
}

// satisfies reports whether a run ended as c asks, not before since.
func satisfies(r *Row, c jobs.Condition, since time.Time) bool {
	return meets(c, r.Verdict) && !r.Ended.Before(since)
}
