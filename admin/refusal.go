package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// refusal says in HTTP why the engine did not do what was asked about a job or a
// run.
func refusal(about string, err error) error {
	if p, ok := errors.AsType[*problemError](err); ok { // it is said already
		return p
	}
	if busy, ok := errors.AsType[*scheduler.BusyError](err); ok {
		return alreadyRunning(about, busy)
	}
	if params, ok := errors.AsType[*scheduler.ParamsError](err); ok {
		return invalidParams(about, params)
	}
	switch {
	case errors.Is(err, scheduler.ErrUnknownJob):
		return noSuchJob(about)
	case errors.Is(err, scheduler.ErrUnknownRun):
		return noSuchRun(about)
	case errors.Is(err, scheduler.ErrEnded):
		return conflict("run-ended", "Run has ended", fmt.Sprintf("%s has ended: there is nothing to stop.", echo(about)))
	case errors.Is(err, scheduler.ErrNoTick):
		return conflict("no-next-tick", "No next tick", fmt.Sprintf("%s has no next tick that could be skipped.", echo(about)))
	case errors.Is(err, scheduler.ErrTooMany):
		return unprocessable("too-many-ticks", "Too many ticks", sentence(err))
	case errors.Is(err, scheduler.ErrBadOrder):
		return badRequest(sentence(err))
	case errors.Is(err, scheduler.ErrNoJournal):
		return noJournal()
	}
	return away(about, err)
}

// away says that it may work later.
func away(about string, err error) error {
	switch {
	case errors.Is(err, scheduler.ErrStopping):
		return stopping()
	case errors.Is(err, scheduler.ErrFull):
		return unavailable("replica-full", "Replica is full",
			"As many runs as this replica may have are on.", 5*time.Second)
	case errors.Is(err, journal.ErrFull):
		return unavailable("journal-full", "Too many requests wait",
			"So many requests wait that no more are taken.", 30*time.Second)
	case errors.Is(err, scheduler.ErrNoAnswer):
		return unavailable("store-unavailable", "Store gave no answer",
			"It is not known whether what you asked for is kept. "+echo(err.Error()), 5*time.Second)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return unavailable("timeout", "No answer in time",
			"It is not known whether what you asked for is kept; look before you repeat this, or repeat it with the same Idempotency-Key.", 5*time.Second)
	}
	return fmt.Errorf("%s: %w", about, err)
}

// silent is a journal that did not say what it was asked.
func silent(err error) *problemError {
	if p, ok := errors.AsType[*problemError](err); ok { // it is said already
		return p
	}
	return unavailable("store-unavailable", "Store gave no answer", echo(err.Error()), 5*time.Second)
}

func alreadyRunning(job string, busy *scheduler.BusyError) *problemError {
	remaining := max(busy.Remaining, 0).Round(time.Millisecond)
	who := "held by " + busy.By
	if busy.By == "" {
		who = "closed after a run that was not ended properly"
	}
	p := conflict("job-already-running", "Job is already running",
		fmt.Sprintf("The lease of %s is %s, for another %s unless it is renewed.", job, who, remaining))
	p.More = map[string]any{
		"holder": busy.By, "remaining": remaining.String(), "remainingSeconds": remaining.Seconds(),
	}
	if busy.Run != "" {
		p.More["run"] = busy.Run
	}
	return p
}

func invalidParams(about string, err *scheduler.ParamsError) *problemError {
	faults := make([]Fault, len(err.Faults))
	for i, f := range err.Faults {
		faults[i] = Fault{Location: "body.params", Message: f.Error()}
		if p, ok := errors.AsType[*jobs.ParamError](f); ok {
			faults[i] = Fault{Location: "body.params." + p.Param, Param: p.Param, Message: p.Msg}
		}
	}
	p := unprocessable("invalid-params", "Invalid parameters", fmt.Sprintf("%s cannot be run with these parameters: see errors.", echo(about)))
	p.More = map[string]any{"errors": faults}
	return p
}

func noSuchRun(run string) *problemError {
	return &problemError{
		Type: "run-not-found", Title: "No such run", Status: http.StatusNotFound,
		Detail: fmt.Sprintf("There is no run %q, or it is no longer remembered; GET /api/v1/jobs/{job}/runs lists those of a job.", echo(run)),
	}
}

func conflict(kind, title, detail string) *problemError {
	return &problemError{Type: kind, Title: title, Status: http.StatusConflict, Detail: detail}
}

func unprocessable(kind, title, detail string) *problemError {
	return &problemError{Type: kind, Title: title, Status: http.StatusUnprocessableEntity, Detail: detail}
}

// noJournal is the answer where nothing keeps what is asked for.
func noJournal() *problemError {
	return &problemError{
		Type: "no-journal", Title: "Nothing keeps this", Status: http.StatusNotImplemented,
		Detail: "This replica runs without a store that could keep what is asked for.",
	}
}

// turnAway says in HTTP why somebody may not even ask.
func (a *API) turnAway(w http.ResponseWriter, r *http.Request, no *access.Refusal) {
	p := &problemError{Type: no.Type, Title: no.Title, Status: no.Status, Detail: no.Detail, header: no.Header()}
	a.fail(w, r, p)
}

// sentence is what an error says, for people.
func sentence(err error) string { return echo(err.Error()) + "." }
