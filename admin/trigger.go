package admin

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// redriven is what is said of a dead letter that was run again.
const redriven = "redrive"

// askLimit is how long the engine may take to keep what was asked for.
const askLimit = 15 * time.Second

// trigger answers POST /api/v1/jobs/{job}/trigger. The run goes on after the
// answer, whether or not the client stays for it.
func (a *API) trigger(r *http.Request) (response, error) {
	job := r.PathValue("job")
	o, err := readWish(r)
	if err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), askLimit)
	defer cancel()
	row, err := a.Engine.Trigger(ctx, job, o)
	if err != nil {
		return response{}, refusal(job, err)
	}
	a.note(r, journal.Deed{What: "trigger", Job: job, Run: row.ID, Note: o.Note})
	return accepted(row), nil
}

// accepted says which run was asked for.
func accepted(row scheduler.Row) response {
	return response{status: http.StatusAccepted, location: "/api/v1/runs/" + url.PathEscape(row.ID), body: runOf(row)}
}

// rerun answers POST /api/v1/runs/{run}/rerun.
func (a *API) rerun(r *http.Request) (response, error) {
	return a.again(r, "rerun")
}

// again asks for another run about the moment of an ended one. A redrive that has
// no idempotency key has that of its letter.
func (a *API) again(r *http.Request, what string) (response, error) {
	run := r.PathValue("run")
	o, err := readWish(r)
	if err != nil {
		return response{}, err
	}
	if what == redriven && o.Key == "" {
		o.Key = redriven
	}
	ctx, cancel := context.WithTimeout(r.Context(), askLimit)
	defer cancel()
	row, err := a.Engine.Rerun(ctx, run, o)
	if err != nil {
		return response{}, refusal(run, err)
	}
	a.note(r, journal.Deed{What: what, Job: row.Job, Run: run, Note: o.Note})
	return accepted(row), nil
}

// cancel answers POST /api/v1/runs/{run}/cancel. The run has been told to stop;
// its row says when it has.
func (a *API) cancel(r *http.Request) (response, error) {
	run := r.PathValue("run")
	o, err := readReason(r)
	if err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), askLimit)
	defer cancel()
	row, err := a.Engine.Cancel(ctx, run, o)
	if err != nil {
		return response{}, refusal(run, err)
	}
	if row.ID == "" { // it has begun in this moment, and is not recorded
		if row, err = a.find(ctx, run); err != nil {
			row = scheduler.Row{ID: run, State: scheduler.RunRunning} // the wish is kept all the same
		}
	}
	a.note(r, journal.Deed{What: "cancel", Job: row.Job, Run: run, Note: o.Note})
	return accepted(row), nil
}
