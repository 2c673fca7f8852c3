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

// An execution is one attempt of one run of one job on this replica.
type execution struct {
	s       *Scheduler
	entry   *entry
	lease   *election.Lease
	seat    *election.Lease // its place in the job's concurrency group; nil: it needs none
	asked   *Tick           // what it is for, if that is not the tick of its job in run.Tick
	prev    time.Time       // of a tick: the last one decided before it
	request *Request        // that it is for; nil: its tick
	run     jobs.Run
	began   time.Time
	opening *note                  // that it has begun
	place   int                    // in crew.active
	note    atomic.Pointer[string] // how far it is, in the job's words
	usage   atomic.Pointer[jobs.Usage]
	stopped atomic.Pointer[Stop]      // who wants it to end
	overran atomic.Pointer[time.Time] // when it was last reported to go on after its lease had ended
}

// about is the tick or request that x is for.
func (x *execution) about() Tick {
	if x.asked != nil {
		return *x.asked
	}
	return Tick{Job: x.run.Job, At: x.run.Tick}
}

func (s *Scheduler) execution(e *entry, lease *election.Lease, tick Tick) *execution {
	x := &execution{s: s, entry: e, lease: lease}
	if tick.Manual || tick.Run != "" {
		x.asked = new(tick)
	}
	x.run = jobs.Run{
		ID: tick.ID(), Job: tick.Job, Tick: tick.At, Manual: tick.Manual,
		Attempt: lease.Attempt(), Token: lease.Token(), Replica: s.cfg.Replica, Params: e.defaults,
		Link: x,
	}
	if s.cfg.Journal != nil {
		x.run.Checkpoint = x.checkpoint
	}
	return x
}

// do executes a tick or request under its started lease. The order matters: the
// runner has returned, the watchdog stops, the lease is given back with the
// outcome, and only what the record kept is told.
func (x *execution) do() {
	ctx, leave := x.s.sit(x.seat)
	ctx, stop := x.lease.KeepFor(ctx, x.entry.job.Timeout, ErrTimeout)
	x.s.crew.enter(x)
	x.begin()

	err := protect(jobs.NewContext(ctx, &x.run), x.runner(), x.run)
	cause := context.Cause(ctx)
	stop()
	leave()
	x.s.crew.returned(x)
	verdict, reason := x.judge(err, cause)
	x.lease.End(x.s.crew.closing, outcome(verdict), func(kept election.Outcome, unheard error) {
		defer x.s.crew.told()
		x.s.vacated.note(x.entry)
		verdict, echo := settle(verdict, kept, unheard)
		x.finish(verdict, reason, echo, errors.Join(explain(err, cause), unheard))
	})
}

// runner is what x runs: nothing in shadow mode.
func (x *execution) runner() jobs.Runner {
	if x.entry.job.Shadow {
		return jobs.Func(func(context.Context, jobs.Run) error { return nil })
	}
	return x.entry.job.Runner
}

func (x *execution) judge(err, cause error) (Verdict, Reason) {
	v, reason := judge(err, cause)
	if v == Succeeded && x.overran.Load() != nil {
		return LeaseLost, ReasonNone // what it did last, it did without a lease
	}
	if v == Succeeded && x.entry.job.Shadow {
		return Skipped, ReasonShadow
	}
	return v, reason
}

// begin tells that x has begun.
func (x *execution) begin() {
	x.began = x.s.cfg.Now()
	x.entry.running.Store(x)
	x.s.observe(Event{Phase: Started, At: x.began, Tick: x.about(), Run: x.run, Delay: x.began.Sub(x.due())})
	if x.s.cfg.Journal == nil {
		return
	}
	row := x.row()
	row.State = RunRunning
	x.opening = &note{entry: x.entry, Entry: Entry{Row: row}}
	if x.request == nil {
		x.opening.Entry = chained(x.opening.Entry, x.prev)
	}
	x.s.scribe.put(x.opening)
}

// due is when the run could have started at the earliest.
func (x *execution) due() time.Time {
	switch {
	case x.request != nil:
		return latestOf(x.request.Made, x.request.NotBefore)
	case x.run.Manual:
		return x.run.Tick
	}
	return x.entry.group.times.Release(x.run.Tick)
}

// row is what the journal is to keep of x, as far as it is known at its begin.
func (x *execution) row() Row {
	r := Row{
		ID: x.run.ID, Job: x.run.Job, Tick: x.run.Tick, Cause: BySchedule, Attempt: x.run.Attempt,
		Replica: x.run.Replica, Token: x.run.Token, Started: x.began, Delay: x.began.Sub(x.due()),
	}
	if key := x.lease.Key(); key != r.Job {
		r.Key = key
	}
	if q := x.request; q != nil {
		r.Params, r.By, r.Note, r.Tries = q.Params, q.By, q.Note, q.Tries
		if r.Cause = q.Cause; r.Cause == ByRetry {
			r.Cause = q.Of
		}
	}
	return r
}

func (x *execution) finish(v Verdict, reason Reason, echo bool, err error) {
	x.entry.running.CompareAndSwap(x, nil)
	if key := x.lease.Key(); key != x.run.Job {
		x.s.elector.Forget(key)
	}
	now := x.s.cfg.Now()
	ev := Event{
		Phase: Ended, At: now, Tick: x.about(), Run: x.run, Took: now.Sub(x.began),
		Verdict: v, Reason: reason, Echo: echo, Err: err, Used: x.usage.Load(),
	}
	if stop := x.stopped.Load(); stop != nil && v == Cancelled {
		ev.By, ev.Note = stop.By, stop.Note
		err = stop.explain(err)
	}
	if echo || x.s.cfg.Journal == nil {
		x.s.tell(x.entry, ev)
		return // whoever speaks for it records it
	}
	x.s.scribe.overtake(x.opening)
	n := x.s.conclusion(x.entry, x.row(), v, reason, err)
	if x.request == nil {
		n.Entry = chained(n.Entry, x.prev)
	} else {
		n.settle = append(n.settle, x.request.ID)
	}
	if n.Row.State == RunEnded && x.stopped.Load() != nil {
		n.settle = append(n.settle, x.run.ID)
	}
	if ev.Phase = n.phase(); ev.Phase == Retried {
		ev.Retry = n.requests[0].NotBefore.Sub(now)
		x.s.observe(ev)
	} else {
		x.s.tell(x.entry, ev)
	}
	x.s.scribe.put(n)
}

// Remaining is the time left of the lease of x. It and the methods below are the
// link of its run.
func (x *execution) Remaining() time.Duration { return x.lease.Remaining() }

// Progress notes and tells how far x is.
func (x *execution) Progress(text string) {
	x.note.Store(&text)
	x.s.observe(Event{Phase: Noted, Tick: x.about(), Run: x.run, Note: text})
}

// Used notes what the processes of x have used, for its end.
func (x *execution) Used(u jobs.Usage) { x.usage.Store(&u) }

// Output tells a line that x has printed.
func (x *execution) Output(stream, line string) {
	x.s.observe(Event{Phase: Output, Tick: x.about(), Run: x.run, Stream: stream, Note: line})
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
