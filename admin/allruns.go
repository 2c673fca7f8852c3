package admin

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"
)

type runsInput struct {
	Job       string    `query:"job" doc:"Name of a job." maxLength:"100"`
	Status    string    `query:"status" maxLength:"200" doc:"Some statuses, with commas: queued, running, retrying and the verdicts; open is the first three." example:"failed,timed_out"`
	Trigger   string    `query:"trigger" enum:"schedule,manual,retry,rerun,backfill,dependency" doc:"What the run was wanted for."`
	Replica   string    `query:"replica" maxLength:"300" doc:"ID of the replica that ran it."`
	Since     time.Time `query:"since" doc:"About moments not before."`
	Until     time.Time `query:"until" doc:"About moments not after."`
	PageSize  int       `query:"pageSize" minimum:"1" maximum:"500" default:"50"`
	PageToken string    `query:"pageToken" doc:"What nextPageToken said."`
}

// openStatus stands for all statuses of runs that have not ended.
const openStatus = "open"

// wanted is which runs somebody wants to see.
type wanted struct {
	in       *runsInput
	statuses map[string]bool // nil: any
	after    spot            // the last run of the page before
}

// spot is the place of a run in a list.
type spot struct {
	Tick time.Time `json:"t,omitzero"`
	ID   string    `json:"i"`
}

func (in *runsInput) wanted() (w wanted, err error) {
	w.in = in
	if err := readToken(in.PageToken, &w.after); err != nil {
		return w, err
	}
	if in.Status == "" {
		return w, nil
	}
	w.statuses = map[string]bool{}
	known := knownStatuses()
	for word := range strings.SplitSeq(in.Status, ",") {
		switch {
		case word == openStatus:
			for _, s := range known[:3] {
				w.statuses[s] = true
			}
		case slices.Contains(known, word):
			w.statuses[word] = true
		default:
			return w, notValid("query.status", "is some of "+openStatus+", "+strings.Join(known, ", ")+", with commas", in.Status)
		}
	}
	return w, nil
}

// knownStatuses are the words for how a run stands, first those of open ones.
func knownStatuses() []string {
	words := []string{string(scheduler.RunQueued), string(scheduler.RunRunning), string(scheduler.RunRetrying)}
	for _, v := range scheduler.Verdicts() {
		words = append(words, string(v))
	}
	return words
}

// covers reports whether r is wanted, and on this page or a later one.
func (w *wanted) covers(r *Run) bool {
	return (w.in.Job == "" || r.Job == w.in.Job) &&
		(w.statuses == nil || w.statuses[r.Status]) &&
		(w.in.Trigger == "" || string(r.Cause) == w.in.Trigger) &&
		(w.in.Replica == "" || r.Replica == w.in.Replica) &&
		(w.in.Since.IsZero() || !r.Tick.Before(w.in.Since)) &&
		(w.in.Until.IsZero() || !r.Tick.After(w.in.Until)) &&
		(w.after.ID == "" || latestFirst(Run{Tick: w.after.Tick, ID: w.after.ID}, *r) < 0)
}

// filters reports whether w leaves out runs within its stretch of time.
func (w *wanted) filters() bool {
	return w.statuses != nil || w.in.Trigger != "" || w.in.Replica != ""
}

// past reports whether w may cover runs that have ended.
func (w *wanted) past() bool {
	if w.statuses == nil {
		return true
	}
	for _, v := range scheduler.Verdicts() {
		if w.statuses[string(v)] {
			return true
		}
	}
	return false
}

// query is what is to be asked of the history of one job, for at most so many rows.
func (w *wanted) query(limit int) scheduler.Query {
	q := scheduler.Query{From: w.in.Since, To: w.in.Until, Limit: limit}
	if !w.after.Tick.IsZero() && (q.To.IsZero() || w.after.Tick.Before(q.To)) {
		q.To = w.after.Tick
	}
	return q
}

// allRuns answers GET /runs, newest tick first.
func (a *API) allRuns(ctx context.Context, in *runsInput) (*body[Runs], error) {
	w, err := in.wanted()
	if err != nil {
		return nil, err
	}
	asking, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	runs, err := a.gather(asking, &w)
	if w.filters() || in.PageToken != "" || in.Job != "" || !in.Since.IsZero() || !in.Until.IsZero() {
		if err != nil {
			return nil, silent(err)
		}
		return answer(pageOf(runs, in.PageSize)), nil
	}
	runs, stale, err := a.past.runs.or(runs, err)
	if err != nil {
		return nil, silent(err)
	}
	out := pageOf(runs, in.PageSize)
	out.Stale = stale
	return answer(out), nil
}

// pageOf is the first page of runs, of which there is one more than it holds if another follows.
func pageOf(runs []Run, size int) Runs {
	out := Runs{Items: runs[:min(len(runs), size)]}
	if len(runs) > size {
		last := out.Items[size-1]
		out.NextPageToken = token(spot{last.Tick, last.ID})
	}
	return out
}
