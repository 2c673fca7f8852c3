package admin

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/scheduler"
)

// maxRecent is how many outcomes a job is shown with.
const maxRecent = 20

// view is a job with what is known of it beside its definition.
type view struct {
	Job
	gate *Gate // nil: it is not known
}

// view looks at jobs: at what is recorded of their runs and whether they are paused.
// Stale says that the store did not tell, or not all.
func (a *API) view(ctx context.Context, list []scheduler.Status) (views []view, stale bool) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Job
	}
	var gates []election.Record
	if a.Ledger != nil && len(names) > 0 {
		records := a.records(ctx, names)
		gates, stale, _ = a.past.leases(names, records)
	}
	past, old := a.histories(ctx, names)
	running, older := a.running(ctx)
	views = make([]view, len(list))
	for i := range list {
		v := &views[i]
		v.Status = list[i]
		a.described(&v.Job)
		if gates != nil {
			g := gateOf(gates[i].Gate)
			v.gate, v.Paused = &g, &g.Closed
		}
		if r, on := running[v.Status.Job]; on {
			if v.Running == nil {
				v.Running = &r.Running
			}
			if v.Running.ID == r.ID {
				v.RunningOn = r.replica
			}
		}
		v.recall(past[i])
		v.MedianSeconds, v.FailedInARow = median(v.Recent), streak(v.Recent)
		v.State = stateOf(&v.Job)
		v.NextRun, v.NextRunReason = a.nextRun(&list[i], v.gate)
	}
	return views, stale || old || older
}

// recall fills in what is recorded, or else what this replica knows by itself.
func (v *view) recall(rows []scheduler.Row) {
	v.Recent = make([]Outcome, 0, len(rows))
	for i := range rows {
		v.Recent = append(v.Recent, outcomeOf(&rows[i]))
	}
	for i := range v.Recent {
		if s := rows[i].Sort(); s != scheduler.NotRun {
			v.LastRun = &v.Recent[i]
			break
		}
	}
	if l := v.Last; v.LastRun == nil && l != nil {
		v.LastRun = &Outcome{ID: l.ID, Status: string(l.Verdict), Tick: l.Tick, Ended: l.At, Why: string(l.Reason), Error: l.Error}
	}
}

func outcomeOf(r *scheduler.Row) Outcome {
	return Outcome{
		ID: r.ID, Status: statusOf(r), Seconds: tookOf(r).Seconds(), Tick: r.Tick.UTC(), Ended: r.Ended.UTC(),
		Replica: r.Replica, Why: string(r.Reason), Error: r.Error,
	}
}

// stateOf is how a job stands, in one word.
func stateOf(j *Job) string {
	latest := j.LastRun
	if len(j.Recent) > 0 {
		latest = &j.Recent[0]
	}
	switch {
	case j.Suspend:
		return JobSuspended
	case j.Paused != nil && *j.Paused:
		return JobPaused
	case j.Running != nil:
		return JobRunning
	case latest == nil:
		return JobIdle
	case latest.Status == string(scheduler.Missed), j.LastRun != nil && bad(j.LastRun.Status):
		return JobFailing
	}
	return JobOK
}

// bad reports whether a run ended in a way that nobody wanted.
func bad(status string) bool {
	switch scheduler.Verdict(status) {
	case scheduler.Failed, scheduler.TimedOut, scheduler.LeaseLost:
		return true
	case scheduler.Succeeded, scheduler.Cancelled, scheduler.Interrupted, scheduler.Skipped, scheduler.Missed:
	}
	return false
}

// nextRun is the next moment at which a job will run, or why there is none.
func (a *API) nextRun(s *scheduler.Status, gate *Gate) (*time.Time, string) {
	switch {
	case s.Suspend || s.Next == nil:
		return nil, s.NextNote
	case gate == nil || !gate.Closed:
		return s.Next, ""
	case gate.Until.IsZero():
		return nil, "paused by " + gate.By + colon(gate.Reason)
	}
	m, err := a.Engine.Moment(s.Job, gate.Until.Add(-time.Nanosecond))
	if err != nil || m.Next == nil {
		return nil, fmt.Sprintf("paused by %s until %s, and the schedule has no moments after that", gate.By, gate.Until.Format(time.RFC3339))
	}
	if m.Next.Before(*s.Next) {
		return s.Next, ""
	}
	return m.Next, ""
}

// histories reads what is recorded of jobs, each alone; stale says that the store did
// not tell all of it.
func (a *API) histories(ctx context.Context, names []string) (past [][]scheduler.Row, stale bool) {
	past = make([][]scheduler.Row, len(names))
	if a.Memory == nil || a.Memory.Journal == nil {
		return past, false
	}
	old := make([]bool, len(names))
	var asking errgroup.Group
	asking.SetLimit(maxQuestions)
	for i, name := range names {
		asking.Go(func() error {
			rows, err := a.Memory.Journal.Past(ctx, name, scheduler.Query{Limit: maxRecent})
			past[i], old[i] = a.past.history(name, rows, err)
			return nil
		})
	}
	_ = asking.Wait() // always nil
	for _, o := range old {
		stale = stale || o
	}
	return past, stale
}

// placed is a run that is on, with where.
type placed struct {
	scheduler.Running
	replica string
}

// running are the runs that are on, by job, wherever they are.
func (a *API) running(ctx context.Context) (runs map[string]placed, stale bool) {
	runs = map[string]placed{}
	if a.Memory == nil || a.Memory.Journal == nil {
		return runs, false
	}
	rows, err := a.Memory.Journal.Open(ctx)
	if err != nil {
		a.logs(ctx).Warn("runs not read", "path", callerOf(ctx).path, "err", err)
		return runs, true
	}
	for i := range rows {
		if r := &rows[i]; r.State == scheduler.RunRunning {
			runs[r.Job] = placed{scheduler.Running{
				ID: r.ID, Tick: r.Tick, Manual: r.Cause != scheduler.BySchedule, Attempt: r.Attempt, Token: r.Token, Started: r.Started,
			}, r.Replica}
		}
	}
	return runs, false
}
