package admin

import (
	"context"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// redriven is what is said of a dead letter that was run again.
const redriven = "redrive"

// AboutRun is a request about one run.
type AboutRun struct {
	Run string `path:"run" doc:"ID of the run."`
}

type rerunInput struct {
	AboutRun
	Keyed
	Body *Wish
}

// rerun answers POST /runs/{run}/rerun.
func (a *API) rerun(ctx context.Context, in *rerunInput) (*asked, error) {
	return a.again(ctx, in, "rerun")
}

// again asks for another run about the moment of an ended one. A redrive that has
// no idempotency key has that of its letter.
func (a *API) again(ctx context.Context, in *rerunInput, what string) (*asked, error) {
	o, err := in.Body.order(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	if what == redriven && o.Key == "" {
		o.Key = redriven
	}
	asking, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	row, err := a.Engine.Rerun(asking, in.Run, o)
	if err != nil {
		return nil, refusal(in.Run, err)
	}
	a.note(ctx, journal.Deed{What: what, Job: row.Job, Run: in.Run, Note: o.Note})
	return accepted(row), nil
}

type cancelInput struct {
	AboutRun
	Body *Why
}

// cancel answers POST /runs/{run}/cancel. The run has been told to stop; its row says
// when it has.
func (a *API) cancel(ctx context.Context, in *cancelInput) (*asked, error) {
	o, err := in.Body.order(ctx)
	if err != nil {
		return nil, err
	}
	asking, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	row, err := a.Engine.Cancel(asking, in.Run, o)
	if err != nil {
		return nil, refusal(in.Run, err)
	}
	if row.ID == "" { // it has begun in this moment, and is not recorded
		if row, err = a.find(asking, in.Run); err != nil {
			row = scheduler.Row{ID: in.Run, State: scheduler.RunRunning} // the wish is kept all the same
		}
	}
	a.note(ctx, journal.Deed{What: "cancel", Job: row.Job, Run: in.Run, Note: o.Note})
	return accepted(row), nil
}

// inTheWay is the run that keeps a job from being triggered under a policy; nil if none
// is known of.
func (a *API) inTheWay(ctx context.Context, job string, policy jobs.Overlap) *scheduler.BusyError {
	if policy != jobs.SkipOverlap {
		return nil
	}
	for _, r := range a.records(ctx, []string{job}) {
		if r.State == election.StateRunning && r.Remaining > 0 {
			busy := &scheduler.BusyError{By: r.Holder, Remaining: r.Remaining}
			if !r.Tick.IsZero() {
				busy.Run = tickID(job, r.Tick)
			}
			return busy
		}
	}
	return nil
}
