package admin

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

const (
	defaultRuns = 50
	maxRuns     = 1000
	maxOpen     = 10_000 // runs that have not ended, in one answer
)

// limitOf reads how many items r wants.
func limitOf(r *http.Request, usual, most int) (int, error) {
	text := r.URL.Query().Get("limit")
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, badRequest("limit is a number from 1 to " + strconv.Itoa(most) + ".")
	}
	return n, nil
}

// getRun answers GET /api/v1/runs/{run}.
func (a *API) getRun(r *http.Request) (response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	row, err := a.find(ctx, r.PathValue("run"))
	if err != nil {
		return response{}, err
	}
	return response{body: runOf(row)}, nil
}

// openRuns answers GET /api/v1/runs: all that have not ended.
func (a *API) openRuns(r *http.Request) (response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	runs, err := a.open(ctx, "")
	if err != nil {
		return response{}, err
	}
	return response{body: Runs{Items: runs[:min(len(runs), maxOpen)]}}, nil
}

// open lists the runs that have not ended, of one job or of all, those first that
// are about the latest moment.
func (a *API) open(ctx context.Context, job string) ([]Run, error) {
	rows, err := a.Memory.Journal.Open(ctx)
	if err != nil {
		return nil, silent(err)
	}
	requests, err := a.Memory.Journal.Queued(ctx, journal.MaxQueued)
	if err != nil {
		return nil, silent(err)
	}
	runs := []Run{}
	at := make(map[string]int) // of a run in runs
	for _, row := range rows {
		if job == "" || row.Job == job {
			at[row.ID] = len(runs)
			runs = append(runs, runOf(row))
		}
	}
	for _, q := range requests {
		i, begun := at[q.Run]
		switch {
		case begun:
			runs[i].NotBefore = q.NotBefore.UTC() // of its next attempt
		case job == "" || q.Job == job:
			runs = append(runs, queuedRun(q))
		}
	}
	slices.SortStableFunc(runs, func(x, y Run) int { return cmp.Or(y.Tick.Compare(x.Tick), cmp.Compare(x.ID, y.ID)) })
	return runs, nil
}

// selection is which runs of a job somebody wants to see.
type selection struct {
	verdict scheduler.Verdict // "": any, those that have not ended too
	query   scheduler.Query
	limit   int
}

// selectionOf reads verdict, from, to and limit.
func selectionOf(r *http.Request) (s selection, err error) {
	q := r.URL.Query()
	s.verdict = scheduler.Verdict(q.Get("verdict"))
	if s.verdict != "" && !slices.Contains(scheduler.Verdicts(), s.verdict) {
		return s, badRequest(fmt.Sprintf("verdict is one of %v.", scheduler.Verdicts()))
	}
	if s.query.From, err = moment("from", q.Get("from")); err != nil {
		return s, err
	}
	if s.query.To, err = moment("to", q.Get("to")); err != nil {
		return s, err
	}
	if s.limit, err = limitOf(r, defaultRuns, maxRuns); err != nil {
		return s, err
	}
	s.query.Limit = s.limit
	if s.verdict != "" {
		row := scheduler.Row{Verdict: s.verdict}
		if s.query.Sort = row.Sort(); s.query.Sort != scheduler.GoodRuns {
			s.query.Limit = 0 // others of the same sort are left out only here
		}
	}
	return s, nil
}

// listRuns answers GET /api/v1/jobs/{job}/runs?verdict=&from=&to=&limit=, newest
// tick first.
func (a *API) listRuns(r *http.Request) (response, error) {
	job := r.PathValue("job")
	s, err := selectionOf(r)
	if err != nil {
		return response{}, err
	}
	_, err = a.Engine.Job(job)
	if err != nil && len(job) > maxJobName {
		return response{}, refusal(job, err)
	}
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	runs, asked := a.runs(ctx, job, s)
	switch {
	case asked != nil:
		return response{}, asked
	case len(runs) == 0 && err != nil: // a job that is gone may have left runs
		return response{}, refusal(job, err)
	}
	return response{body: Runs{Items: runs}}, nil
}

// maxJobName is the longest name of a job, in bytes.
const maxJobName = 100

func (a *API) runs(ctx context.Context, job string, s selection) ([]Run, error) {
	runs := []Run{}
	if s.verdict == "" {
		open, err := a.open(ctx, job)
		if err != nil {
			return nil, err
		}
		for i := range open {
			if s.covers(&open[i]) {
				runs = append(runs, open[i])
			}
		}
	}
	rows, err := a.Memory.Journal.Past(ctx, job, s.query)
	if err != nil {
		return nil, silent(err)
	}
	for _, row := range rows {
		if s.verdict == "" || row.Verdict == s.verdict {
			runs = append(runs, runOf(row))
		}
	}
	return runs[:min(len(runs), s.limit)], nil
}

// covers reports whether a run is about a moment that s asks for.
func (s selection) covers(r *Run) bool {
	return (s.query.From.IsZero() || !r.Tick.Before(s.query.From)) && (s.query.To.IsZero() || !r.Tick.After(s.query.To))
}
