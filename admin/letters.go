package admin

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/solocron/solocron/scheduler"
)

const (
	defaultLetters = 100
	maxLetters     = 1000
)

// deadLetters answers GET /api/v1/dead-letters?limit=: the runs that nobody will
// try again, the last to end first.
func (a *API) deadLetters(r *http.Request) (response, error) {
	limit, err := limitOf(r, defaultLetters, maxLetters)
	if err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	rows, err := a.Memory.Journal.DeadLetters(ctx, limit)
	if err != nil {
		return response{}, silent(err)
	}
	return response{body: runsOf(rows)}, nil
}

// acknowledge answers POST /api/v1/dead-letters/{run}/acknowledge with the run.
func (a *API) acknowledge(r *http.Request) (response, error) {
	run := r.PathValue("run")
	if err := decodeBody(r, new(struct{}), "{}"); err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	if err := a.acked(ctx, run); err != nil {
		return response{}, err
	}
	row, err := a.find(ctx, run)
	if err != nil {
		return response{}, err
	}
	return response{body: runOf(row)}, nil
}

// acked takes a run off the list, which notes the deed.
func (a *API) acked(ctx context.Context, run string) error {
	done, err := a.Memory.Journal.Acknowledge(ctx, run, requester)
	switch {
	case done && err != nil:
		a.Log.Error("a deed could not be noted", "what", "acknowledge", "run", run, "err", err)
	case err != nil:
		return silent(err)
	case !done:
		return noLetter(run)
	}
	return nil
}

func noLetter(run string) *problemError {
	return &problemError{
		Type: "not-a-dead-letter", Title: "Not a dead letter", Status: http.StatusNotFound,
		Detail: fmt.Sprintf("%s is not on the list; GET /api/v1/dead-letters shows it.", echo(run)),
	}
}

// redrive answers POST /api/v1/dead-letters/{run}/redrive: it asks for the run
// again, and takes it off the list when that is kept. Two redrives of one letter
// ask for one run.
func (a *API) redrive(r *http.Request) (response, error) {
	run := r.PathValue("run")
	ctx, cancel := context.WithTimeout(r.Context(), askLimit)
	defer cancel()
	rows, err := a.Memory.Journal.DeadLetters(ctx, maxLetters)
	if err != nil {
		return response{}, silent(err)
	}
	if !slices.ContainsFunc(rows, func(l scheduler.Row) bool { return l.ID == run }) {
		return response{}, noLetter(run)
	}
	res, err := a.again(r, redriven)
	if err != nil {
		return res, err
	}
	if err := a.acked(ctx, run); err != nil {
		a.Log.Warn("a run was asked for again and may still be on the list of dead letters", "run", run, "err", err)
	}
	return res, nil
}
