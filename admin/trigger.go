package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

const (
	maxBody        = 64 << 10         // bytes of a request's body
	maxReason      = 500              // characters of a reason
	triggerTimeout = 15 * time.Second // until a triggered run must have started
	requester      = "api"            // who asks, as long as nobody can say who they are
)

// order is the optional body of a trigger.
type order struct {
	Reason string `json:"reason"`
}

// accepted says which run a trigger has started.
type accepted struct {
	ID      string    `json:"id"`
	Job     string    `json:"job"`
	Tick    time.Time `json:"tick"`
	Manual  bool      `json:"manual"`
	Attempt int       `json:"attempt"`
	Token   int64     `json:"token"`
	Replica string    `json:"replica"`
	By      string    `json:"by"`
	Reason  string    `json:"reason,omitempty"`
}

// trigger answers POST /api/v1/jobs/{job}/trigger. The run goes on after the
// answer, whether or not the client stays for it.
func (a *api) trigger(r *http.Request) (response, error) {
	name := r.PathValue("job")
	o, err := readOrder(r.Body)
	if err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), triggerTimeout)
	defer cancel()
	run, err := a.engine.Trigger(ctx, name, requester)
	if err != nil {
		return response{}, refusal(name, err)
	}
	a.log.Info("run triggered", "job", run.Job, "tick", run.Tick.UTC().Format(time.RFC3339), "run", run.ID,
		"token", run.Token, "attempt", run.Attempt, "replica", run.Replica, "requested_by", requester, "note", o.Reason)
	return response{
		status:   http.StatusAccepted,
		location: "/api/v1/jobs/" + url.PathEscape(run.Job),
		body:     acceptedOf(run, o),
	}, nil
}

func acceptedOf(run jobs.Run, o order) accepted {
	return accepted{
		ID: run.ID, Job: run.Job, Tick: run.Tick, Manual: run.Manual, Attempt: run.Attempt,
		Token: run.Token, Replica: run.Replica, By: requester, Reason: o.Reason,
	}
}

// readOrder reads the body of a trigger: nothing, or one JSON object without
// members that nobody knows, so that a misspelt wish is not silently ignored.
func readOrder(body io.Reader) (order, error) {
	var o order
	text, err := io.ReadAll(body)
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return o, &problemError{
			Type: "too-large", Title: "Body too large", Status: http.StatusRequestEntityTooLarge,
			Detail: fmt.Sprintf("A body has at most %d bytes.", tooLarge.Limit),
		}
	}
	if err != nil {
		return o, badRequest("The body could not be read.")
	}
	if strings.TrimSpace(string(text)) == "" {
		return o, nil
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		return o, badRequest(`The body is not {"reason": "..."}: ` + echo(err.Error()))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return o, badRequest("The body goes on after its JSON object.")
	}
	if utf8.RuneCountInString(o.Reason) > maxReason {
		return o, badRequest(fmt.Sprintf("A reason has at most %d characters.", maxReason))
	}
	return o, nil
}

// refusal says in HTTP why the engine did not do what was asked about job.
func refusal(job string, err error) error {
	held, isHeld := errors.AsType[*election.HeldError](err)
	switch {
	case errors.Is(err, scheduler.ErrUnknownJob):
		return noSuchJob(job)
	case isHeld:
		return alreadyRunning(job, held.By, held.Remaining)
	case errors.Is(err, scheduler.ErrStopping):
		return unavailable("stopping", "Replica is shutting down",
			"This replica takes no new work; another one will.", time.Second)
	case errors.Is(err, scheduler.ErrNoAnswer):
		return unavailable("store-unavailable", "Lease store gave no answer",
			"Without a lease nothing is run. "+echo(err.Error()), 5*time.Second)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return unavailable("timeout", "Run did not start in time",
			"It is not known whether the run will start; look at the job before you repeat this.", 5*time.Second)
	}
	return fmt.Errorf("job %s: %w", job, err)
}
