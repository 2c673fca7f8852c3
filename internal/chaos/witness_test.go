package chaos_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solocron/solocron/jobs"
)

// A witness stands in every job of all replicas: no two runs of a job at once, no
// tick twice, tokens only grow.
type witness struct {
	mu     sync.Mutex
	inside map[string]string // job -> the run in progress
	token  map[string]int64  // job -> the highest seen
	runs   map[string]int    // run -> times started
	faults []string
}

func newWitness() *witness {
	return &witness{inside: make(map[string]string), token: make(map[string]int64), runs: make(map[string]int)}
}

func (w *witness) fault(format string, args ...any) {
	w.faults = append(w.faults, time.Now().UTC().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// enter is the first thing that a job does.
func (w *witness) enter(r jobs.Run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	name := r.ID + " on " + r.Replica
	if other := w.inside[r.Job]; other != "" {
		w.fault("%s starts while %s runs", name, other)
	}
	w.inside[r.Job] = name
	if r.Token <= w.token[r.Job] {
		w.fault("%s has token %d after %d", name, r.Token, w.token[r.Job])
	}
	w.token[r.Job] = max(w.token[r.Job], r.Token)
	if w.runs[r.ID]++; w.runs[r.ID] > 1 {
		w.fault("%s starts for the %d. time", name, w.runs[r.ID])
	}
}

// leave is the last thing that a job does.
func (w *witness) leave(r jobs.Run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.inside[r.Job] == r.ID+" on "+r.Replica {
		delete(w.inside, r.Job)
	}
}

// started is how often a run was started.
func (w *witness) started(run string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs[run]
}

// count is how many runs were started.
func (w *witness) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.runs)
}

// broken is every promise that was seen broken.
func (w *witness) broken() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.faults)
}

// startsByJob is how many runs of each job were started.
func (w *witness) startsByJob() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	starts := make(map[string]int)
	for run, n := range w.runs {
		job, _, _ := strings.Cut(run, ".")
		starts[job] += n
	}
	return starts
}
