package admin

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/scheduler"
)

const maxLetters = 1000

// letterRoutes are those about runs that nobody will try again.
func (a *API) letterRoutes(b *book) {
	enter(b, route{
		id: "listDeadLetters", path: base + "/dead-letters", summary: "Runs that nobody will try again, the last to end first",
	}.reading(http.StatusServiceUnavailable), a.deadLetters)
	act := func(id, verb, summary string, status int, more ...int) route {
		return route{
			id: id, method: http.MethodPost, path: base + "/dead-letters/{run}/" + verb, role: access.Operator, summary: summary,
			status: status, more: append(more, http.StatusNotFound),
		}
	}
	enter(b, act("acknowledge", "acknowledge", "Take a run off the list of dead letters", 0), a.acknowledge)
	enter(b, act("redrive", "redrive", "Run a dead letter again, and take it off the list", http.StatusAccepted, http.StatusNotImplemented), a.redrive)
}

type lettersInput struct {
	Limit int `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

// deadLetters answers GET /dead-letters.
func (a *API) deadLetters(ctx context.Context, in *lettersInput) (*body[Runs], error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	rows, err := a.Memory.Journal.DeadLetters(ctx, in.Limit)
	if err != nil {
		return nil, silent(err)
	}
	return answer(runsOf(rows)), nil
}

type acknowledgeInput struct {
	AboutRun
	Body *struct{}
}

// acknowledge answers POST /dead-letters/{run}/acknowledge with the run.
func (a *API) acknowledge(ctx context.Context, in *acknowledgeInput) (*body[Run], error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	if err := a.acked(ctx, in.Run); err != nil {
		return nil, err
	}
	row, err := a.find(ctx, in.Run)
	if err != nil {
		return nil, err
	}
	return answer(runOf(row)), nil
}

// acked takes a run off the list, which notes the deed.
func (a *API) acked(ctx context.Context, run string) error {
	done, err := a.Memory.Journal.Acknowledge(ctx, run, requester(ctx))
	switch {
	case done && err != nil:
		a.logs(ctx).Error("a deed could not be noted", "what", "acknowledge", "run", run, "err", err)
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

// redrive answers POST /dead-letters/{run}/redrive: it asks for the run again, and
// takes it off the list when that is kept. Two redrives of one letter ask for one run.
func (a *API) redrive(ctx context.Context, in *rerunInput) (*asked, error) {
	asking, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	rows, err := a.Memory.Journal.DeadLetters(asking, maxLetters)
	if err != nil {
		return nil, silent(err)
	}
	if !slices.ContainsFunc(rows, func(l scheduler.Row) bool { return l.ID == in.Run }) {
		return nil, noLetter(in.Run)
	}
	res, err := a.again(ctx, in, redriven)
	if err != nil {
		return nil, err
	}
	if err := a.acked(asking, in.Run); err != nil {
		a.logs(ctx).Warn("a run was asked for again and may still be on the list of dead letters", "run", in.Run, "err", err)
	}
	return res, nil
}
