package cluster

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

// A Witness sees what all replicas do and holds it against the promise: no two
// runs of a job at once, no tick twice, tokens only grow, one verdict a tick.
type Witness struct {
	mu       sync.Mutex
	inside   map[string]string // job -> id of the run in progress
	token    map[string]int64  // job -> highest token seen
	runs     map[string]int    // run id and attempt -> times started
	verdicts map[string][]scheduler.Event
	faults   []string
	early    []string
}

func newWitness() *Witness {
	return &Witness{
		inside: make(map[string]string), token: make(map[string]int64),
		runs: make(map[string]int), verdicts: make(map[string][]scheduler.Event),
	}
}

func (w *Witness) fault(format string, args ...any) {
	w.faults = append(w.faults, time.Now().UTC().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// enter is called by the first line of every job.
func (w *Witness) enter(r jobs.Run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if other, busy := w.inside[r.Job]; busy {
		w.fault("%s starts on %s while %s runs", r.ID, r.Replica, other)
	}
	w.inside[r.Job] = r.ID + " on " + r.Replica
	if !r.Manual && time.Now().Before(r.Tick) {
		w.early = append(w.early, r.ID)
	}
	if r.Token <= w.token[r.Job] {
		w.fault("%s has token %d after %d", r.ID, r.Token, w.token[r.Job])
	}
	w.token[r.Job] = r.Token
	attempt := fmt.Sprintf("%s#%d", r.ID, r.Attempt)
	if w.runs[attempt]++; w.runs[attempt] > 1 {
		w.fault("attempt %s runs for the %d. time", attempt, w.runs[attempt])
	}
}

// leave is called by the last line of every job.
func (w *Witness) leave(r jobs.Run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.inside[r.Job] == r.ID+" on "+r.Replica {
		delete(w.inside, r.Job)
	}
}

func (w *Witness) observe(e scheduler.Event) {
	if e.Phase != scheduler.Ended || e.Echo || e.Tick.Manual {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	id := e.Tick.ID()
	w.verdicts[id] = append(w.verdicts[id], e)
	if n := len(w.verdicts[id]); n > 1 {
		first := w.verdicts[id][0]
		w.fault("%s has %d verdicts: %s(%s) by %s, then %s(%s) by %s", id, n,
			first.Verdict, first.Reason, first.Replica, e.Verdict, e.Reason, e.Replica)
	}
}

// Runs returns how many runs have started.
func (w *Witness) Runs() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.runs)
}

// Count returns how many ticks have the verdict.
func (w *Witness) Count(v scheduler.Verdict) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, events := range w.verdicts {
		if events[0].Verdict == v {
			n++
		}
	}
	return n
}

// Verdict returns the verdict on the tick of job at the given time.
func (w *Witness) Verdict(job string, at time.Time) (scheduler.Event, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := w.verdicts[scheduler.Tick{Job: job, At: at}.ID()]
	if len(events) == 0 {
		return scheduler.Event{}, false
	}
	return events[0], true
}

// Faults returns every broken promise, and every tick of job in (from, to] that
// has no verdict.
func (w *Witness) Faults(job string, s *schedule.Schedule, from, to time.Time) []string {
	faults := w.Broken()
	w.mu.Lock()
	defer w.mu.Unlock()
	for at := s.Next(from); !at.IsZero() && !at.After(to); at = s.Next(at) {
		if len(w.verdicts[scheduler.Tick{Job: job, At: at}.ID()]) == 0 {
			faults = append(faults, fmt.Sprintf("no verdict on %s of %s", at.UTC().Format(time.RFC3339), job))
		}
	}
	return faults
}

// Broken returns every broken promise so far.
func (w *Witness) Broken() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.faults)
}

// Early returns the runs that began before their tick on the store's clock.
func (w *Witness) Early() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.early
}
