package admin

import (
	"context"
	"fmt"
	"net/http"
	"time"

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

// pause answers POST /api/v1/jobs/{job}/pause.
func (a *API) pause(r *http.Request) (response, error) {
	var b struct {
		reasonOnly
		Until string `json:"until"`
	}
	if err := decodeBody(r, &b, `{"until": "2026-12-01T00:00:00Z", "reason": "..."}`); err != nil {
		return response{}, err
	}
	until, err := moment("until", b.Until)
	if err != nil {
		return response{}, err
	}
	if now := a.Now(); !until.IsZero() && (!until.After(now) || until.Sub(now) > maxPause) {
		return response{}, badRequest("until is in the future, by at most 366 days; leave it out to pause until somebody resumes.")
	}
	return a.close(r, "pause", b.Reason, until)
}

// snooze answers POST /api/v1/jobs/{job}/snooze.
func (a *API) snooze(r *http.Request) (response, error) {
	var b struct {
		reasonOnly
		For string `json:"for"`
	}
	if err := decodeBody(r, &b, `{"for": "2h", "reason": "..."}`); err != nil {
		return response{}, err
	}
	span, err := length("for", b.For, maxPause)
	if err != nil {
		return response{}, err
	}
	return a.close(r, "snooze", b.Reason, a.Now().Add(span))
}

// close closes a job for its ticks before until, for ever if that is zero.
func (a *API) close(r *http.Request, what, reason string, until time.Time) (response, error) {
	job := r.PathValue("job")
	o, err := wish{Reason: reason}.order(r)
	if err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), askLimit)
	defer cancel()
	g, err := a.Engine.Pause(ctx, job, until, o)
	if err != nil {
		return response{}, refusal(job, err)
	}
	a.note(r, journal.Deed{What: what, Job: job, Note: o.Note})
	return response{body: gateOf(g)}, nil
}

// steer reads who wants what of a job and why, does it, and notes it. Act returns
// the answer, and the run that it is about, if any.
func (a *API) steer(r *http.Request, what string, act func(ctx context.Context, job string, o scheduler.Order) (body any, run string, err error)) (response, error) {
	job := r.PathValue("job")
	o, err := readReason(r)
	if err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), askLimit)
	defer cancel()
	body, run, err := act(ctx, job, o)
	if err != nil {
		return response{}, refusal(job, err)
	}
	a.note(r, journal.Deed{What: what, Job: job, Run: run, Note: o.Note})
	return response{body: body}, nil
}

// resume answers POST /api/v1/jobs/{job}/resume.
func (a *API) resume(r *http.Request) (response, error) {
	return a.steer(r, "resume", func(ctx context.Context, job string, o scheduler.Order) (any, string, error) {
		g, err := a.Engine.Resume(ctx, job, o)
		return gateOf(g), "", err
	})
}

// Skipped is the answer to a wish to skip the next tick.
type Skipped struct {
	Tick time.Time `json:"tick"`
}

// skipNext answers POST /api/v1/jobs/{job}/skip-next with the tick.
func (a *API) skipNext(r *http.Request) (response, error) {
	return a.steer(r, "skip-next", func(ctx context.Context, job string, o scheduler.Order) (any, string, error) {
		at, err := a.Engine.SkipNext(ctx, job, o)
		return Skipped{Tick: at.UTC()}, tickID(job, at), err
	})
}

// gates reads whether jobs are closed, with one question for all of them; nil if
// that is not known now.
func (a *API) gates(r *http.Request, names []string) []election.Gate {
	if a.Ledger == nil || len(names) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	records, err := a.Ledger.Read(ctx, names)
	if err == nil && len(records) != len(names) {
		err = fmt.Errorf("%d records of %d jobs", len(records), len(names))
	}
	if err != nil {
		a.Log.Warn("gates not read", "path", r.URL.Path, "err", err)
		return nil
	}
	list := make([]election.Gate, len(records))
	for i := range records {
		list[i] = records[i].Gate
	}
	return list
}
