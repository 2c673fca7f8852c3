package admin

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/solocron/solocron/scheduler"
)

// maxQuestions is how many histories are asked for at the same time.
const maxQuestions = 16

// gather returns the first runs that w covers, of all jobs: one more than its page
// holds if there are more.
func (a *API) gather(ctx context.Context, w *wanted) ([]Run, error) {
	open, err := a.open(ctx, w.in.Job)
	if err != nil {
		return nil, err
	}
	runs := []Run{}
	for i := range open {
		if w.covers(&open[i]) {
			runs = append(runs, open[i])
		}
	}
	if !w.past() {
		return first(runs, w.in.PageSize+1), nil
	}
	if w.in.Job != "" {
		return a.addPast(ctx, w, runs, w.in.Job)
	}
	return a.addAll(ctx, w, runs)
}

// addAll adds the runs of all jobs that have ended. The histories of jobs whose
// latest run comes after the page are not read.
func (a *API) addAll(ctx context.Context, w *wanted, runs []Run) ([]Run, error) {
	statuses := a.Engine.Jobs()
	heads := make([]Run, len(statuses))
	asking, asked := errgroup.WithContext(ctx)
	asking.SetLimit(maxQuestions)
	for i := range statuses {
		asking.Go(func() error {
			rows, err := a.Memory.Journal.Past(asked, statuses[i].Job, w.query(1))
			if err == nil && len(rows) > 0 {
				heads[i] = runOf(rows[0])
			}
			return err
		})
	}
	if err := asking.Wait(); err != nil {
		return nil, err
	}
	heads = slices.DeleteFunc(heads, func(r Run) bool { return r.ID == "" })
	slices.SortFunc(heads, latestFirst)
	size := w.in.PageSize + 1
	for i := range heads {
		if len(runs) >= size && heads[i].Tick.Before(runs[size-1].Tick) {
			break
		}
		var err error
		if runs, err = a.addPast(ctx, w, runs, heads[i].Job); err != nil {
			return nil, err
		}
	}
	return first(runs, size), nil
}

// addPast adds the runs of one job that have ended.
func (a *API) addPast(ctx context.Context, w *wanted, runs []Run, job string) ([]Run, error) {
	limit := w.in.PageSize + 1
	if w.after.ID != "" {
		limit += maxSameMoment // those about the same moment may have been shown
	}
	if w.filters() {
		limit = 0
	}
	rows, err := a.Memory.Journal.Past(ctx, job, w.query(limit))
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if r := runOf(rows[i]); w.covers(&r) {
			runs = append(runs, r)
		}
	}
	return first(runs, w.in.PageSize+1), nil
}

// maxSameMoment is how many runs of one job about the same moment are looked past.
const maxSameMoment = 100

// first sorts runs and cuts them to n. A run that has ended while the lists were read
// is in both: it is kept once, as ended.
func first(runs []Run, n int) []Run {
	slices.SortStableFunc(runs, latestFirst)
	var out []Run
	for _, r := range runs {
		if last := len(out) - 1; last >= 0 && out[last].ID == r.ID {
			if r.State == scheduler.RunEnded {
				out[last] = r
			}
			continue
		}
		out = append(out, r)
	}
	if out == nil {
		out = []Run{}
	}
	return out[:min(len(out), n)]
}
