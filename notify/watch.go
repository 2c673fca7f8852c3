package notify

import (
	"context"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/scheduler"
)

const (
	watchTick = 5 * time.Second // between two looks at who is late
	// watchLag is what the journal may be behind: whoever runs a tick writes it down
	// a moment later.
	watchLag  = 2 * time.Second
	watchBack = 20   // ticks that a replica looks back at when it starts
	watchMost = 1000 // ticks that are looked at in one round
)

// Archive is what the journal knows of ticks; a scheduler.Journal is one.
type Archive interface {
	Find(ctx context.Context, run string) (scheduler.Row, bool, error)
	Told(ctx context.Context, jobs []string) ([]time.Time, error)
}

// timetable says when ticks are; *schedule.Schedule is one.
type timetable interface {
	Next(after time.Time) time.Time
	Prev(before time.Time) time.Time
	Release(tick time.Time) time.Time
	Excluded(tick time.Time) (calendar string, ok bool)
	String() string
}

// watch is what is expected of the ticks of a job.
type watch struct {
	job    string
	side   Side
	within time.Duration
	times  timetable
}

func watchesOf(j *config.Job) []watch {
	var list []watch
	if d := j.Expect.StartWithin; d > 0 {
		list = append(list, watch{j.Name, StartSide, d, j.Schedule})
	}
	if d := j.Expect.FinishWithin; d > 0 {
		list = append(list, watch{j.Name, FinishSide, d, j.Schedule})
	}
	return list
}

// key is the same as long as the watch is about the same ticks.
func (w *watch) key() string { return w.job + "\x00" + string(w.side) + "\x00" + w.times.String() }

// deadline is until when w expects it of tick.
func (w *watch) deadline(tick time.Time) time.Time { return w.times.Release(tick).Add(w.within) }

// first is the tick before the first that a replica looks at that starts at now: it
// looks back at a few, of which nobody else may have told while it was away.
func (w *watch) first(now time.Time) time.Time {
	cursor := now.Add(-w.within)
	for range watchBack {
		prev := w.times.Prev(cursor)
		if prev.IsZero() {
			break
		}
		cursor = prev
	}
	return cursor.Add(-time.Nanosecond)
}

// watch looks out for ticks that are late, until ctx ends. Every replica does.
func (n *Notifier) watch(ctx context.Context) {
	if n.deps.Archive == nil {
		return
	}
	cursors, failing := map[string]time.Time{}, false
	for sleep(ctx, watchTick) {
		var err error
		cursors, err = n.look(ctx, cursors)
		if err != nil && !failing && ctx.Err() == nil {
			n.log.Warn("nobody is told who is late while the journal does not answer", "err", err)
		}
		failing = err != nil
	}
}

// look judges the ticks whose time has come since the cursors, and returns the new
// ones. What could not be judged stays to be.
func (n *Notifier) look(ctx context.Context, cursors map[string]time.Time) (map[string]time.Time, error) {
	plan, now, left := n.plan.Load(), time.Now(), watchMost
	after := make(map[string]time.Time, len(plan.watches))
	var failed error
	for i := range plan.watches {
		w := &plan.watches[i]
		key := w.key()
		cursor, known := cursors[key]
		if !known {
			cursor = w.first(now)
		}
		for failed == nil && left > 0 {
			tick := w.times.Next(cursor)
			if tick.IsZero() || w.deadline(tick).Add(watchLag).After(now) {
				break
			}
			left--
			if failed = n.judge(ctx, w, tick.UTC()); failed == nil {
				cursor = tick
			}
		}
		after[key] = cursor
	}
	return after, failed
}

// judge looks at one tick, and notes it if it is late.
func (n *Notifier) judge(ctx context.Context, w *watch, tick time.Time) error {
	if _, excluded := w.times.Excluded(tick); excluded {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, foldTry)
	defer cancel()
	found, told := (*scheduler.Row)(nil), time.Time{}
	row, there, err := n.deps.Archive.Find(ctx, scheduler.Tick{Job: w.job, At: tick}.ID())
	switch {
	case err != nil:
		return err
	case there:
		found = &row
	default:
		marks, err := n.deps.Archive.Told(ctx, []string{w.job})
		if err != nil {
			return err
		}
		told = marks[0]
	}
	deadline := w.deadline(tick)
	for _, f := range lateFacts(judgeTick(w.side, found, tick, told, deadline), w.side, found, w.job, tick, deadline.UTC()) {
		n.facts.put(f)
	}
	return nil
}
