package admin

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// runRoutes are those about runs.
func (a *API) runRoutes(b *book) {
	r := func(id, path, summary string) route { return route{id: id, path: base + path, summary: summary} }
	enter(b, r("listRunsOfJob", "/jobs/{job}/runs", "Runs of a job, the latest first").reading(http.StatusNotFound, http.StatusServiceUnavailable), a.listRuns)
	enter(b, r("explainTick", "/jobs/{job}/ticks/{tick}", "What became of a tick, and why").reading(http.StatusNotFound, http.StatusServiceUnavailable), a.why)
	enter(b, r("listRuns", "/runs", "Runs of all jobs, the latest first").reading(http.StatusServiceUnavailable), a.allRuns)
	enter(b, r("getRun", "/runs/{run}", "A run, perhaps when it has ended").reading(http.StatusNotFound, http.StatusServiceUnavailable), a.getRun)
	act := func(id, verb, summary string) route {
		return route{
			id: id, method: http.MethodPost, path: base + "/runs/{run}/" + verb, role: access.Operator, summary: summary,
			status: http.StatusAccepted, more: []int{http.StatusNotFound, http.StatusNotImplemented},
		}
	}
	cancel := act("cancelRun", "cancel", "Stop a run")
	cancel.more = append(cancel.more, http.StatusConflict)
	enter(b, cancel, a.cancel)
	enter(b, act("rerun", "rerun", "Run again what an ended run was about"), a.rerun)
	enter(b, r("listActivity", "/activity", "What people did, the latest first").reading(http.StatusServiceUnavailable), a.activity)
}

// open lists the runs that have not ended, of one job or of all, those first that
// are about the latest moment. It asks in the order in which a run goes from one
// list to the next: queued, begun, open. So one that goes on meanwhile is not missed,
// and what was said last of it holds.
func (a *API) open(ctx context.Context, job string) ([]Run, error) {
	queued, err := a.Memory.Journal.Queued(ctx, journal.MaxQueued)
	if err != nil {
		return nil, silent(err)
	}
	inbox, err := a.Memory.Journal.Poll(ctx, journal.MaxPoll)
	if err != nil {
		return nil, silent(err)
	}
	rows, err := a.Memory.Journal.Open(ctx)
	if err != nil {
		return nil, silent(err)
	}
	runs := []Run{}
	at := make(map[string]int) // of a run in runs
	for _, row := range rows {
		if job == "" || row.Job == job {
			at[row.ID] = len(runs)
			runs = append(runs, runOf(row))
		}
	}
	for _, q := range inbox.Begun {
		if _, has := at[q.Run]; !has && (job == "" || q.Job == job) {
			at[q.Run] = len(runs)
			runs = append(runs, runOf(rowOf(q, scheduler.RunRunning)))
		}
	}
	for _, q := range queued {
		i, has := at[q.Run]
		switch {
		case has && runs[i].State == scheduler.RunRetrying:
			runs[i].NotBefore = q.NotBefore.UTC() // of its next attempt
		case !has && (job == "" || q.Job == job):
			runs = append(runs, queuedRun(q))
		}
	}
	slices.SortStableFunc(runs, latestFirst)
	return runs, nil
}

func latestFirst(x, y Run) int { return cmp.Or(y.Tick.Compare(x.Tick), cmp.Compare(x.ID, y.ID)) }

type jobRunsInput struct {
	AboutJob
	Verdict string    `query:"verdict" enum:"succeeded,failed,timed_out,cancelled,interrupted,lost,skipped,missed" doc:"Left out: any, those that have not ended too."`
	From    time.Time `query:"from" doc:"About moments not before."`
	To      time.Time `query:"to" doc:"About moments not after."`
	Limit   int       `query:"limit" minimum:"1" maximum:"1000" default:"50"`
}

// selection is which runs of a job somebody wants to see.
type selection struct {
	verdict scheduler.Verdict // "": any, those that have not ended too
	query   scheduler.Query
	limit   int
}

func (in *jobRunsInput) selection() selection {
	s := selection{verdict: scheduler.Verdict(in.Verdict), limit: in.Limit, query: scheduler.Query{From: in.From, To: in.To, Limit: in.Limit}}
	if s.verdict != "" {
		row := scheduler.Row{Verdict: s.verdict}
		if s.query.Sort = row.Sort(); s.query.Sort != scheduler.GoodRuns {
			s.query.Limit = 0 // others of the same sort are left out only here
		}
	}
	return s
}

// listRuns answers GET /jobs/{job}/runs, newest tick first.
func (a *API) listRuns(ctx context.Context, in *jobRunsInput) (*body[Runs], error) {
	_, err := a.Engine.Job(in.Job)
	if err != nil && len(in.Job) > maxJobName {
		return nil, refusal(in.Job, err)
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	runs, asked := a.runs(ctx, in.Job, in.selection())
	switch {
	case asked != nil:
		return nil, asked
	case len(runs) == 0 && err != nil: // a job that is gone may have left runs
		return nil, refusal(in.Job, err)
	}
	return answer(Runs{Items: runs}), nil
}

// maxJobName is the longest name of a job, in bytes.
const maxJobName = 100

func (a *API) runs(ctx context.Context, job string, s selection) ([]Run, error) {
	runs := []Run{}
	if s.verdict == "" {
		open, err := a.open(ctx, job)
		if err != nil {
			return nil, err
		}
		for i := range open {
			if s.covers(&open[i]) {
				runs = append(runs, open[i])
			}
		}
	}
	rows, err := a.Memory.Journal.Past(ctx, job, s.query)
	if err != nil {
		return nil, silent(err)
	}
	for _, row := range rows {
		if s.verdict == "" || row.Verdict == s.verdict {
			runs = append(runs, runOf(row))
		}
	}
	return first(runs, s.limit), nil
}

// covers reports whether a run is about a moment that s asks for.
func (s selection) covers(r *Run) bool {
	return (s.query.From.IsZero() || !r.Tick.Before(s.query.From)) && (s.query.To.IsZero() || !r.Tick.After(s.query.To))
}
