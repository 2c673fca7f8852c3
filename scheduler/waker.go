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
	now  func() time.Time
	cron *cron.Cron    // the loop's; nil: nothing is followed yet
	bell chan struct{} // rung when woken is not empty

	mu     sync.Mutex
	groups map[string]*group
	woken  map[*group]struct{}
}

func newWaker(now func() time.Time) *waker {
	return &waker{now: now, bell: make(chan struct{}, 1), woken: make(map[*group]struct{})}
}

// follow wakes these groups from now on, all of them at once and then each at its
// moments. A cron that runs sorts all it has for each change; one that has not been
// started yet does not: so there is a new one each time.
func (w *waker) follow(groups map[string]*group) {
	w.close()
	w.mu.Lock()
	w.groups = groups
	w.mu.Unlock()
	w.cron = cron.New(cron.WithLocation(time.UTC), cron.WithLogger(cron.DiscardLogger))
	for _, g := range groups {
		w.cron.Schedule(moments{g.times, w.now}, cron.FuncJob(func() { w.wake(g) }))
	}
	w.cron.Schedule(cron.Every(lookEvery), cron.FuncJob(w.wakeAll))
	w.cron.Start()
	w.wakeAll()
}

// close wakes nobody any more.
func (w *waker) close() {
	if w.cron != nil {
		<-w.cron.Stop().Done()
	}
}

func (w *waker) wakeAll() {
	w.mu.Lock()
	for _, g := range w.groups {
		w.woken[g] = struct{}{}
	}
	w.mu.Unlock()
	ring(w.bell)
}

func (w *waker) wake(g *group) {
	w.mu.Lock()
	w.woken[g] = struct{}{}
	w.mu.Unlock()
	ring(w.bell)
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
