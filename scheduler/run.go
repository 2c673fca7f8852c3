package scheduler

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

// An execution is one run of one job on this replica.
type execution struct {
	s     *Scheduler
	entry *entry
	lease *election.Lease
	tick  Tick
	run   jobs.Run
	began time.Time
	place int                    // in crew.active
	note  atomic.Pointer[string] // how far it is, in the job's words
}

func (s *Scheduler) execution(e *entry, lease *election.Lease, tick Tick) *execution {
	x := &execution{s: s, entry: e, lease: lease, tick: tick}
	x.run = jobs.Run{
		ID: tick.ID(), Job: tick.Job, Tick: tick.At, Manual: tick.Manual,
		Attempt: lease.Attempt(), Token: lease.Token(), Replica: s.cfg.Replica,
		Remaining: lease.Remaining, Progress: x.progress, Output: x.output,
	}
	return x
}

// do executes a tick or request under its started lease. The order matters: the
// runner has returned, the watchdog stops, the lease is given back with the
// outcome, and only what the record kept is told.
func (x *execution) do() {
	ctx, stop := x.lease.Keep(context.Background())
	cancel := func() {}
	if limit := x.entry.job.Timeout; limit > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, limit, ErrTimeout)
	}
	x.s.crew.enter(x)
	x.began = x.s.cfg.Now()
	x.entry.running.Store(x)
	x.s.observe(Event{Phase: Started, Tick: x.tick, Run: x.run, Delay: x.began.Sub(x.due())})

	err := protect(jobs.NewContext(ctx, x.run), x.entry.job.Runner, x.run)
	cause := context.Cause(ctx)
	cancel()
	stop()
	x.s.crew.returned(x)
	verdict, reason := judge(err, cause)
	x.lease.End(x.s.crew.closing, outcome(verdict), func(kept election.Outcome, unheard error) {
		defer x.s.crew.told()
		verdict, echo := settle(verdict, kept, unheard)
		x.finish(verdict, reason, echo, errors.Join(explain(err, cause), unheard))
	})
}

// due is when the run could have started at the earliest.
func (x *execution) due() time.Time {
	if x.tick.Manual {
		return x.tick.At
	}
	return x.entry.group.times.Release(x.tick.At)
}

func (x *execution) finish(v Verdict, reason Reason, echo bool, err error) {
	x.entry.running.CompareAndSwap(x, nil)
	x.s.tell(x.entry, Event{
		Phase: Ended, Tick: x.tick, Run: x.run, Took: x.s.cfg.Now().Sub(x.began),
		Verdict: v, Reason: reason, Echo: echo, Err: err,
	})
}

func (x *execution) progress(text string) {
	x.note.Store(&text)
	x.s.observe(Event{Phase: Noted, Tick: x.tick, Run: x.run, Note: text})
}

func (x *execution) output(stream, line string) {
	x.s.observe(Event{Phase: Output, Tick: x.tick, Run: x.run, Stream: stream, Note: line})
}

// panicError is a panic of a runner as an error.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

func isPanic(err error) bool {
	_, ok := errors.AsType[*panicError](err)
	return ok
}

// protect calls the runner and turns a panic into an error: a job fails alone.
func protect(ctx context.Context, runner jobs.Runner, r jobs.Run) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{v, debug.Stack()}
		}
	}()
	return runner.Run(ctx, r)
}

// explain adds to what a runner returned why it was told to stop, if it was.
func explain(err, cause error) error {
	if err == nil || cause == nil || errors.Is(err, cause) {
		return err
	}
	return fmt.Errorf("%w: %w", cause, err)
}
