package admin

import (
	"context"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// find returns the row of a run in whatever state it is.
func (a *API) find(ctx context.Context, run string) (scheduler.Row, error) {
	row, known, err := a.look(ctx, run)
	switch {
	case err != nil:
		return row, silent(err)
	case !known:
		return row, noSuchRun(run)
	}
	return row, nil
}

// look returns the row of a run in whatever state it is; false: there is none.
func (a *API) look(ctx context.Context, run string) (scheduler.Row, bool, error) {
	if _, _, ok := scheduler.JobOf(run); !ok || len(run) > journal.MaxRunID {
		return scheduler.Row{}, false, nil
	}
	for _, look := range []func(context.Context, string) (scheduler.Row, bool, error){
		a.Memory.Journal.Find, a.queued, a.begun,
		a.Memory.Journal.Find, // it may have begun, or ended, since it was asked for first
	} {
		row, known, err := look(ctx, run)
		if known || err != nil {
			return row, known, err
		}
	}
	return scheduler.Row{}, false, nil
}

// queued finds a run that nobody has begun.
func (a *API) queued(ctx context.Context, run string) (scheduler.Row, bool, error) {
	requests, err := a.Memory.Journal.Queued(ctx, journal.MaxQueued)
	row := requested(requests, run, scheduler.RunQueued)
	return row, row.ID != "", err
}

// begun finds a run that has begun in this moment: it has no row yet.
func (a *API) begun(ctx context.Context, run string) (scheduler.Row, bool, error) {
	inbox, err := a.Memory.Journal.Poll(ctx, journal.MaxPoll)
	row := requested(inbox.Begun, run, scheduler.RunRunning)
	return row, row.ID != "", err
}

// requested is the run among those that requests ask for; one with no ID if it is
// not there.
func requested(requests []scheduler.Request, run string, state scheduler.RowState) scheduler.Row {
	for _, q := range requests {
		if q.Run == run {
			return rowOf(q, state)
		}
	}
	return scheduler.Row{}
}
