package scheduler

import (
	"sync"
	"time"

	"github.com/robfig/cron/v3"
)

// lookEvery is how often all groups are looked at whatever cron says, so that a
// stepped clock or a suspended machine is noticed.
const lookEvery = 30 * time.Second

// A waker says "look now" for groups whose moment has come. Nothing depends on
// when exactly it does: what is due is computed from the cursor and the time.
type waker struct {
	cron   *cron.Cron
	groups map[string]*group
	bell   chan struct{} // rung when woken is not empty

	mu    sync.Mutex
	woken map[*group]struct{}
}

func newWaker(now func() time.Time, groups map[string]*group) *waker {
	w := &waker{
		cron:  cron.New(cron.WithLocation(time.UTC), cron.WithLogger(cron.DiscardLogger)),
		bell:  make(chan struct{}, 1),
		woken: make(map[*group]struct{}),
	}
	for _, g := range groups {
		w.cron.Schedule(moments{g.times, now}, cron.FuncJob(func() { w.wake(g) }))
	}
	w.groups = groups
	w.cron.Schedule(cron.Every(lookEvery), cron.FuncJob(w.wakeAll))
	return w
}

func (w *waker) wakeAll() {
	for _, g := range w.groups {
		w.wake(g)
	}
}

func (w *waker) wake(g *group) {
	w.mu.Lock()
	w.woken[g] = struct{}{}
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// take returns the groups woken since the last call.
func (w *waker) take() map[*group]struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	woken := w.woken
	w.woken = make(map[*group]struct{}, len(woken))
	return woken
}

// moments is a timetable as robfig/cron asks for it: on the process's clock,
// which in a simulation is not the clock of the replica.
type moments struct {
	times timetable
	now   func() time.Time
}

// Next implements cron.Schedule.
func (m moments) Next(t time.Time) time.Time {
	ahead := time.Until(m.now())
	next := m.times.Next(t.Add(ahead))
	if next.IsZero() {
		return next
	}
	return next.Add(-ahead)
}
