package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// The words for how a job stands.
const (
	JobSuspended = "suspended" // in its definition
	JobPaused    = "paused"    // by somebody, or after failures
	JobRunning   = "running"   //
	JobFailing   = "failing"   // its last run failed, timed out or was lost, or its last tick was missed
	JobOK        = "ok"        //
	JobIdle      = "idle"      // nothing is remembered of it
)

// Job is a job, as the API shows it in a list.
type Job struct {
	scheduler.Status
	State         string     `json:"state" enum:"suspended,paused,running,failing,ok,idle" doc:"One word."`
	Paused        *bool      `json:"paused" doc:"Its next tick is closed; null: that is not known now."`
	NextRun       *time.Time `json:"nextRun" doc:"When it will run next, as things are, in the job's zone; null: see nextRunReason."`
	NextRunReason string     `json:"nextRunReason,omitempty"`
	NextRuns      []Upcoming `json:"nextRuns" doc:"The same moment, with what is special about it; empty: there is none."`
	RunningOn     string     `json:"runningOn,omitempty" doc:"The replica that running is on, where that is known."`
	MedianSeconds *float64   `json:"medianSeconds" doc:"Half of those of recent that succeeded took no longer; null: none has."`
	FailedInARow  int        `json:"failedInARow" doc:"Of recent, up to the last that went well."`
	LastRun       *Outcome   `json:"lastRun" doc:"The last run that has ended, of all replicas; null: none is remembered."`
	Source        *Source    `json:"source,omitempty" doc:"Where it is defined."`
	Description   string     `json:"description,omitempty"`
	Runbook       string     `json:"runbook,omitempty" doc:"Where to read what to do when it fails."`
	Recent        []Outcome  `json:"recent" doc:"The last 20 of what has ended, the latest first."`
}

// Outcome is how a run ended, or why there was none, in short.
type Outcome struct {
	ID      string    `json:"id"`
	Status  string    `json:"status"`
	Seconds float64   `json:"seconds"`
	Tick    time.Time `json:"tick"`
	Ended   time.Time `json:"ended,omitzero"`
	Replica string    `json:"replica,omitempty"`
	Why     string    `json:"why,omitempty"`
	Error   string    `json:"error,omitempty"`
}

// JobDetails is a job, as the API shows it alone.
type JobDetails struct {
	Job
	Gate     *Gate      `json:"gate"` // null: that is not known now
	Policies *Policies  `json:"policies,omitempty"`
	Params   []Param    `json:"params,omitempty"`
	Took     *Durations `json:"durations" doc:"How long its runs take; null: none is remembered."`
	Ahead    []Upcoming `json:"upcoming,omitempty" doc:"Its next moments, if they are asked for."`
	Stale    bool       `json:"stale,omitempty" doc:"The store gives no answer: this is what this replica remembers."`
}

// Jobs is a part of the list of jobs.
type Jobs struct {
	Items         []Job  `json:"items"`
	NextPageToken string `json:"nextPageToken"` // empty at the end
	Stale         bool   `json:"stale,omitempty" doc:"The store gives no answer: this is what this replica remembers."`
}

// jobRoutes are those about jobs that need nothing that remembers.
func (a *API) jobRoutes(b *book) {
	r := func(id, path, summary string) route { return route{id: id, path: base + path, summary: summary} }
	enter(b, r("listJobs", "/jobs", "Jobs, by name or otherwise").reading(), a.listJobs)
	enter(b, r("getJob", "/jobs/{job}", "A job").reading(http.StatusNotFound), a.getJob)
	enter(b, r("nextTicks", "/jobs/{job}/next", "When a job is due next").reading(http.StatusNotFound), a.nexts)
	enter(b, triggerRoute(), a.trigger)
}

type jobInput struct {
	AboutJob
	Unless
	Next int `query:"next" minimum:"0" maximum:"100" doc:"How many of its next moments to tell, too."`
}

// getJob answers GET /jobs/{job}.
func (a *API) getJob(ctx context.Context, in *jobInput) (*tagged[JobDetails], error) {
	status, err := a.Engine.Job(in.Job)
	if err != nil {
		return nil, refusal(in.Job, err)
	}
	views, stale := a.view(ctx, []scheduler.Status{status})
	a.foresee(views)
	d := JobDetails{Job: views[0].Job, Gate: views[0].gate, Stale: stale}
	var timeout time.Duration
	if a.Define != nil {
		if job, known := a.Define(in.Job); known {
			d.Policies, d.Params, timeout = policiesOf(job), paramsOf(job), job.Timeout
		}
	}
	d.Took = a.durations(ctx, in.Job, timeout)
	if in.Next > 0 {
		if d.Ahead, _, err = a.ahead(ctx, &status, d.Gate, a.Now(), time.Time{}, in.Next); err != nil {
			return nil, refusal(in.Job, err)
		}
	}
	return unless(in.Unless, d)
}
