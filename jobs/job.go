package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Job is a definition: what to run and under which limits. When it runs is the
// scheduler's to know.
type Job struct {
	Name             string // [a-z0-9]([a-z0-9._-]*[a-z0-9])?, at most 100 bytes
	Kind             string // for people: command, shell, http, report, sync, func
	Runner           Runner
	Timeout          time.Duration // of one attempt; 0: none
	StartingDeadline time.Duration // how late a tick may still start; 0: DefaultStartingDeadline
	Suspend          bool          // defined, but its ticks are not run
	Owner            string        // who to ask, for people
	Labels           map[string]string
	Policies
}

// Runner does the work of a job.
type Runner interface {
	// Run works until it is done or ctx ends, whichever is first; a nil error
	// is success. It must return soon after ctx ends, and before
	// run.Remaining() reaches zero: another replica may start then.
	Run(ctx context.Context, run Run) error
}

// Func is a Go function as a Runner.
type Func func(ctx context.Context, run Run) error

// Run calls f.
func (f Func) Run(ctx context.Context, run Run) error { return f(ctx, run) }

// Run is one execution of a job, as its runner sees it.
type Run struct {
	ID      string            // unique in the cluster: nightly-report.20261129T013000Z
	Job     string            // the job's name
	Tick    time.Time         // the scheduled moment, UTC; for a request the moment it was made
	Manual  bool              // started by a request, not by the schedule
	Attempt int               // 1 for the first
	Token   int64             // fencing: grows with every run of the job, over all replicas
	Replica string            // where it runs
	Params  map[string]string // every declared parameter of the job; not to be changed

	TraceParent string // W3C trace context of the run, for what it calls; "": it is not traced

	// Restored is the last checkpoint of an earlier attempt at the same tick or
	// request; nil: there is none. At most 64 KiB.
	Restored []byte
	// Checkpoint keeps how far the run is, for the attempt that follows if this one
	// is interrupted or lost; data is at most 64 KiB. An error says that it was
	// not kept. May be nil: nothing is kept.
	Checkpoint func(data []byte) error

	// Link connects the run with the engine, for the methods of Run. May be nil:
	// nobody listens and nothing limits the run, as in a test.
	Link Link
}

// ErrNoTimeLeft means that the lease of a run has ended: what it does now, it may
// do beside another.
var ErrNoTimeLeft = errors.New("the lease of the run has ended")

// Check returns nil while r may go on, by this machine's clock and without asking
// anybody: call it right before an effect that cannot be undone. The error
// matches ErrNoTimeLeft.
func (r Run) Check() error {
	if r.Link != nil && r.Link.Remaining() <= 0 {
		return fmt.Errorf("run %s: %w", r.ID, ErrNoTimeLeft)
	}
	return nil
}
