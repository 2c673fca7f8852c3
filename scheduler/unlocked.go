package scheduler

import (
	"context"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

// goesAlone reports whether the tick of a, to which the store has given no
// answer, is run without a lease: its job says that twice does no harm.
func (a *attempt) goesAlone(answer election.Answer, now time.Time) bool {
	return a.mode == election.ForTick && !a.stale && answer == election.Unknown &&
		a.entry.job.OnStoreDown == jobs.RunOnStoreDown && a.entry.job.Idempotent && now.Sub(a.ready) > lateAfter
}

// runAlone runs the tick of a on this replica without a lease, as others may do
// at the same time, in the place that is booked for it. Its row is written when
// the journal answers again; that of the first replica stands.
func (s *Scheduler) runAlone(a *attempt) {
	e, tick, ready, prev := a.entry, a.scheduled(), a.ready, a.prev(a.after) // a may be another's before the run has ended
	run := jobs.Run{
		ID: tick.ID(), Job: tick.Job, Tick: tick.At, Attempt: 1, Replica: s.cfg.Replica, Params: e.defaults,
	}
	go func() { // the booked place has the shutdown wait for it
		defer s.crew.unbook(1)
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		defer context.AfterFunc(s.crew.ending, func() { cancel(ErrShutdown) })()
		if limit := e.job.Timeout; limit > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeoutCause(ctx, limit, ErrTimeout)
			defer stop()
		}
		began := s.cfg.Now()
		s.observe(Event{Phase: Started, Tick: tick, Run: run, Delay: began.Sub(ready), Note: "without a lease: the store gives no answer"})
		err := protect(jobs.NewContext(ctx, &run), e.job.Runner, run)
		v, reason := judge(err, context.Cause(ctx))
		if reason == ReasonNone {
			reason = ReasonUnlocked
		}
		err = explain(err, context.Cause(ctx))
		s.tell(e, Event{Phase: Ended, Tick: tick, Run: run, Took: s.cfg.Now().Sub(began), Verdict: v, Reason: reason, Err: err, Echo: true})
		row := Row{
			ID: run.ID, Job: run.Job, Tick: tick.At, Cause: BySchedule, State: RunEnded, Attempt: 1, Replica: run.Replica,
			Started: began, Ended: s.cfg.Now(), Verdict: v, Reason: reason,
		}
		if err != nil {
			row.Error = short(err.Error(), maxError)
		}
		s.scribe.put(&note{entry: e, Entry: chained(Entry{Row: row}, prev)})
	}()
}
