package admin

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// askLimit is how long the engine may take to keep what was asked for.
const askLimit = 15 * time.Second

// Trigger is the body of a trigger.
type Trigger struct {
	Wish
	ScheduledTime time.Time `json:"scheduledTime,omitzero" doc:"The moment the run is about, not after now; left out: now."`
	OverlapPolicy string    `json:"overlapPolicy,omitempty" enum:"skip,queue,replace,allow" doc:"What becomes of this run while an older one is on; left out: what the job says."`
	DryRun        bool      `json:"dryRun,omitempty" doc:"Say what would happen, and do nothing."`
}

// Patience is a request that may wait for the end of a run.
type Patience struct {
	Wait string `query:"wait" doc:"A length of time of at most 60s: the answer comes when the run has ended, or after it." example:"30s"`
}

type triggerInput struct {
	AboutJob
	Keyed
	Patience
	Body *Trigger
}

// asked is the answer to a wish for a run.
type asked struct {
	Status   int
	Location string `header:"Location" doc:"Of the run."`
	Replayed string `header:"Idempotency-Replayed" doc:"true if an earlier request with this key has asked for the run." required:"false"`
	Body     Run
}

// accepted says which run was asked for.
func accepted(row scheduler.Row) *asked {
	return &asked{Status: http.StatusAccepted, Location: base + "/runs/" + url.PathEscape(row.ID), Body: runOf(row)}
}

// trigger answers POST /jobs/{job}/trigger. The run goes on after the answer, whether
// or not the client stays for it.
func (a *API) trigger(ctx context.Context, in *triggerInput) (*asked, error) {
	if in.Body == nil {
		in.Body = new(Trigger)
	}
	o, err := in.Body.order(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	o.Overlap = in.Body.OverlapPolicy
	if o.At = in.Body.ScheduledTime.UTC().Truncate(time.Millisecond); in.Body.ScheduledTime.IsZero() {
		o.At = time.Time{}
	}
	if o.At.After(a.Now()) {
		return nil, notValid("body.scheduledTime", "is a moment that has passed", o.At.Format(time.RFC3339))
	}
	wait, err := in.span()
	if err != nil {
		return nil, err
	}
	if in.Body.DryRun {
		return a.rehearse(ctx, in.Job, o)
	}
	out, err := a.order(ctx, in.Job, o)
	if err != nil {
		return nil, err
	}
	out.Body = a.await(ctx, out.Body, wait)
	return out, nil
}

// order asks the engine for a run, unless an earlier request with the same key has.
func (a *API) order(ctx context.Context, job string, o scheduler.Order) (*asked, error) {
	asking, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	if out, err := a.replay(asking, job, o); out != nil || err != nil {
		return out, err
	}
	row, err := a.Engine.Trigger(asking, job, o)
	if err != nil {
		return nil, refusal(job, err)
	}
	if !same(row, o) { // another request with this key came first, in this moment
		return nil, keyReused()
	}
	a.note(ctx, journal.Deed{What: "trigger", Job: job, Run: row.ID, Note: o.Note})
	return accepted(row), nil
}

// replay answers a request whose key has been seen; nil if it has not, or nobody
// remembers.
func (a *API) replay(ctx context.Context, job string, o scheduler.Order) (*asked, error) {
	if o.Key == "" || a.Memory == nil || a.Memory.Journal == nil {
		return nil, nil
	}
	if _, err := a.Engine.Job(job); err != nil {
		return nil, refusal(job, err)
	}
	row, known, err := a.look(ctx, scheduler.KeyedRun(job, o.Key))
	switch {
	case err != nil:
		return nil, silent(err)
	case !known:
		return nil, nil
	case !same(row, o):
		return nil, keyReused()
	}
	out := accepted(row)
	out.Replayed = "true"
	return out, nil
}

// same reports whether a run is what an order asks for.
func same(row scheduler.Row, o scheduler.Order) bool {
	return row.Note == o.Note && maps.Equal(row.Params, o.Params) && (o.At.IsZero() || row.Tick.IsZero() || row.Tick.Equal(o.At))
}

func keyReused() *problemError {
	return unprocessable("idempotency-key-reused", "Idempotency key reused",
		"An earlier request with this Idempotency-Key asked for something else. A new wish needs a new key.")
}

// rehearse says what a trigger would do.
func (a *API) rehearse(ctx context.Context, job string, o scheduler.Order) (*asked, error) {
	if _, err := a.Engine.Job(job); err != nil {
		return nil, refusal(job, err)
	}
	row := scheduler.Row{Job: job, Tick: o.At, Cause: scheduler.ByHand, By: o.By, Note: o.Note, Params: o.Params, State: scheduler.RunQueued}
	if row.Tick.IsZero() {
		row.Tick = a.Now().UTC().Truncate(time.Millisecond)
	}
	if a.Define != nil {
		if def, known := a.Define(job); known {
			policy, err := scheduler.OverlapOf(o.Overlap, &def)
			if err != nil {
				return nil, refusal(job, err)
			}
			all, faults := def.ResolveParams(o.Params)
			if len(faults) > 0 {
				return nil, invalidParams(job, &scheduler.ParamsError{Faults: faults})
			}
			row.Params = all
			if busy := a.inTheWay(ctx, job, policy); busy != nil {
				return nil, alreadyRunning(job, busy)
			}
		}
	}
	out := &asked{Status: http.StatusOK, Body: runOf(row)}
	out.Body.DryRun = true
	return out, nil
}

// triggerRoute is that of a trigger, which needs no journal.
func triggerRoute() route {
	return route{
		id: "triggerJob", method: http.MethodPost, path: base + "/jobs/{job}/trigger", role: access.Operator,
		summary: "Run a job now", status: http.StatusAccepted, more: []int{http.StatusNotFound, http.StatusConflict},
		about: "The answer is the run as it is queued, and where it can be looked at; with wait, as it stands then. " +
			"With an Idempotency-Key one wish is one run, however often it is sent and to whichever replica. " +
			"Two requests without one are two wishes: the second is refused with 409 while a run of the first has " +
			"the lease and the job does not queue (overlapPolicy says otherwise for this run), and is another run otherwise. A paused job is run and stays paused.",
	}
}
