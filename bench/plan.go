package main

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Plan is what one replica is told to do, as JSON in its environment.
type Plan struct {
	System  string // a key of systems
	Addr    string // of the private Redis; "" for an engine alone
	Prefix  string // of every Redis key
	Replica int
	Jobs    int
	Period  time.Duration // between two ticks of a job; whole seconds, divides a minute
	Profile string        // file for a CPU profile of the window; "": none
	Input   []byte        `json:"-"` // what the system reads its jobs from, if it reads them
}

// Spec is the cron expression, seconds first, of a job that is due every Period.
func (p Plan) Spec() string {
	if s := int(p.Period / time.Second); s > 1 {
		return fmt.Sprintf("*/%d * * * * *", s)
	}
	return "* * * * * *"
}

// JobName is the name of the i-th job.
func JobName(i int) string { return fmt.Sprintf("job-%06d", i) }

// Window is the part of the run that counts: ticks in [From, Until).
type Window struct{ From, Until time.Time }

// Ticks is how many ticks of a job fall into w.
func (w Window) Ticks(period time.Duration) int { return int(w.Until.Sub(w.From) / period) }

// Shot is one start of one job, as seen by its first line.
type Shot struct {
	Job    int32
	Tick   int64 // Unix seconds
	LateUS int64 // from the tick to the first line of the job, microseconds
}

// Recorder takes shots from any number of goroutines without a lock.
type Recorder struct {
	next  atomic.Int64
	shots []Shot
}

// NewRecorder makes room for n shots; more are counted and not kept.
func NewRecorder(n int) *Recorder { return &Recorder{shots: make([]Shot, n)} }

// Record is the first line of a job: it reads the clock before anything else.
func (r *Recorder) Record(job int, tick time.Time) {
	late := time.Since(tick)
	if i := r.next.Add(1) - 1; int(i) < len(r.shots) {
		r.shots[i] = Shot{Job: int32(job), Tick: tick.Unix(), LateUS: late.Microseconds()}
	}
}

// Within returns the recorded shots whose tick lies in w.
func (r *Recorder) Within(w Window) ([]Shot, error) {
	n := int(r.next.Load())
	if n > len(r.shots) {
		return nil, fmt.Errorf("%d starts, room for %d", n, len(r.shots))
	}
	var in []Shot
	for _, s := range r.shots[:n] {
		if s.Tick >= w.From.Unix() && s.Tick < w.Until.Unix() {
			in = append(in, s)
		}
	}
	return in, nil
}
