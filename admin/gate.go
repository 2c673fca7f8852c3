package admin

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// maxPause is how far ahead a pause may end, unless it ends by hand.
const maxPause = 366 * 24 * time.Hour

// Gate says whether a job is closed for its ticks, as the API shows it.
type Gate struct {
	Closed bool      `json:"closed"`
	Until  time.Time `json:"until,omitzero"` // left out: until somebody opens it
	By     string    `json:"by,omitempty"`
	Reason string    `json:"reason,omitempty"`
}

func gateOf(g election.Gate) Gate {
	return Gate{Closed: g.Closed, Until: g.Until.UTC(), By: g.By, Reason: g.Reason}
}

// AboutJob is a request about one job.
type AboutJob struct {
	Job string `path:"job" doc:"Name of the job."`
}

// steerRoutes are those that change what becomes of a job's ticks.
func (a *API) steerRoutes(b *book) {
	gate := []int{http.StatusNotFound, http.StatusNotImplemented}
	r := func(id, verb, summary string, status int, more ...int) route {
		return route{
			id: id, method: http.MethodPost, path: base + "/jobs/{job}/" + verb, role: access.Operator,
			summary: summary, status: status, more: slices.Concat(gate, more),
		}
	}
	enter(b, r("pauseJob", "pause", "Skip the ticks of a job, until a moment or until it is resumed", 0), a.pause)
	enter(b, r("resumeJob", "resume", "Run the ticks of a job again", 0, http.StatusConflict), a.resume)
	enter(b, r("skipNextTick", "skip-next", "Skip the next tick of a job", 0, http.StatusConflict), a.skipNext)
	enter(b, r("snoozeJob", "snooze", "Skip the ticks of a job for some time", 0), a.snooze)
	enter(b, r("backfillJob", "backfill", "Run past moments of a schedule", http.StatusAccepted), a.backfill)
}

type pauseInput struct {
	AboutJob
	Body *Pause
}

// Pause is the body of a pause.
type Pause struct {
	Why
	Until time.Time `json:"until,omitzero" doc:"Left out: until somebody resumes the job."`
}

// pause answers POST /jobs/{job}/pause.
func (a *API) pause(ctx context.Context, in *pauseInput) (*body[Gate], error) {
	if in.Body == nil {
		in.Body = new(Pause)
	}
	until := in.Body.Until
	if now := a.Now(); !until.IsZero() && (!until.After(now) || until.Sub(now) > maxPause) {
		return nil, notValid("body.until", "is in the future, by at most 366 days; leave it out to pause until somebody resumes", until.Format(time.RFC3339))
	}
	return a.close(ctx, in.Job, "pause", &in.Body.Why, until)
}

type snoozeInput struct {
	AboutJob
	Body Snooze
}

// Snooze is the body of a snooze.
type Snooze struct {
	Why
	For string `json:"for" doc:"A length of time such as 90m." example:"2h"`
}

// snooze answers POST /jobs/{job}/snooze.
func (a *API) snooze(ctx context.Context, in *snoozeInput) (*body[Gate], error) {
	span, err := length("body.for", in.Body.For, maxPause)
	if err != nil {
		return nil, err
	}
	return a.close(ctx, in.Job, "snooze", &in.Body.Why, a.Now().Add(span))
}

// close closes a job for its ticks before until, for ever if that is zero.
func (a *API) close(ctx context.Context, job, what string, why *Why, until time.Time) (*body[Gate], error) {
	return steer(ctx, a, job, what, why, func(ctx context.Context, o scheduler.Order) (Gate, string, error) {
		g, err := a.Engine.Pause(ctx, job, until, o)
		return gateOf(g), "", err
	})
}

// steer does something with a job and notes it. Act returns the answer, and the run
// that it is about, if any.
func steer[T any](ctx context.Context, a *API, job, what string, why *Why, act func(ctx context.Context, o scheduler.Order) (T, string, error)) (*body[T], error) {
	o, err := why.order(ctx)
	if err != nil {
		return nil, err
	}
	asking, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	out, run, err := act(asking, o)
	if err != nil {
		return nil, refusal(job, err)
	}
	a.note(ctx, journal.Deed{What: what, Job: job, Run: run, Note: o.Note})
	return answer(out), nil
}

type whyInput struct {
	AboutJob
	Body *Why
}

// resume answers POST /jobs/{job}/resume. A job that is suspended in its definition
// cannot be resumed here.
func (a *API) resume(ctx context.Context, in *whyInput) (*body[Gate], error) {
	if s, err := a.Engine.Job(in.Job); err == nil && s.Suspend {
		return nil, a.suspended(in.Job)
	}
	return steer(ctx, a, in.Job, "resume", in.Body, func(ctx context.Context, o scheduler.Order) (Gate, string, error) {
		g, err := a.Engine.Resume(ctx, in.Job, o)
		return gateOf(g), "", err
	})
}

// Skipped is the answer to a wish to skip the next tick.
type Skipped struct {
	Tick time.Time `json:"tick"`
}

// skipNext answers POST /jobs/{job}/skip-next with the tick.
func (a *API) skipNext(ctx context.Context, in *whyInput) (*body[Skipped], error) {
	return steer(ctx, a, in.Job, "skip-next", in.Body, func(ctx context.Context, o scheduler.Order) (Skipped, string, error) {
		at, err := a.Engine.SkipNext(ctx, in.Job, o)
		return Skipped{Tick: at.UTC()}, tickID(in.Job, at), err
	})
}

// records reads what the store knows of jobs, with one question for all of them; nil
// if that is not known now.
func (a *API) records(ctx context.Context, names []string) []election.Record {
	if a.Ledger == nil || len(names) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	asked := time.Now()
	records, err := a.Ledger.Read(ctx, names)
	if err == nil {
		a.past.latency.Store(new(time.Since(asked).Seconds()))
	}
	if err == nil && len(records) != len(names) {
		err = fmt.Errorf("%d records of %d jobs", len(records), len(names))
	}
	if err != nil {
		a.logs(ctx).Warn("leases not read", "path", callerOf(ctx).path, "err", err)
		return nil
	}
	return records
}
