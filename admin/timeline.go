package admin

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/solocron/solocron/scheduler"
)

const (
	maxTimeline = 31 * 24 * time.Hour // of a timeline
	maxBars     = 5000                // of one answer, the latest
	maxPlanned  = 500                 // moments ahead
	maxPerJob   = 50                  // moments ahead of one job
	lookBack    = 24 * time.Hour      // how much earlier than a stretch the ticks are of runs that may reach into it
	defaultBack = time.Hour
	defaultOn   = 15 * time.Minute
	byReplica   = "replica"
)

type timelineInput struct {
	From          time.Time `query:"from" doc:"Left out: an hour ago."`
	To            time.Time `query:"to" doc:"After from, by at most 31 days; left out: in a quarter of an hour."`
	By            string    `query:"by" enum:"replica,job" default:"replica" doc:"What lanes are."`
	Job           string    `query:"job" maxLength:"100" doc:"Name of a job."`
	LabelSelector string    `query:"labelSelector" maxLength:"500" doc:"As in the list of jobs."`
}

// Timeline is what ran when and where, and what will.
type Timeline struct {
	From      time.Time `json:"from"`
	To        time.Time `json:"to"`
	Now       time.Time `json:"serverTime"` // of this replica
	By        string    `json:"by"`
	Lanes     []string  `json:"lanes" doc:"Replicas that live or have bars, or jobs that have bars, by name."`
	Bars      []Bar     `json:"bars" doc:"Attempts, and ticks that were not run, by when they began or were decided."`
	Planned   []Planned `json:"planned" doc:"Moments between now and the end of the stretch, by time."`
	Truncated bool      `json:"truncated" doc:"There are more bars, before those that are told, or more moments."`
}

// Planned is a moment at which a job is due.
type Planned struct {
	Job  string    `json:"job"`
	Time time.Time `json:"time"`
	Runs bool      `json:"runs" doc:"As things are, it will."`
}

// timelineRoutes is that of the timeline.
func (a *API) timelineRoutes(b *book) {
	enter(b, route{
		id: "getTimeline", path: base + "/timeline", summary: "What ran when and where, and what will",
		about: "An attempt that follows one whose holder was lost names it in takesOver: the same run on another replica, or the next run of the job.",
	}.reading(http.StatusServiceUnavailable), a.timeline)
}

// stretch is the time that somebody wants to see.
func (in *timelineInput) stretch(now time.Time) (from, to time.Time, err error) {
	from, to = in.From.UTC(), in.To.UTC()
	if in.From.IsZero() {
		from = now.Add(-defaultBack)
	}
	if in.To.IsZero() {
		to = now.Add(defaultOn)
	}
	if !to.After(from) || to.Sub(from) > maxTimeline {
		return from, to, notValid("query.to", "comes after from, by at most 31 days", to.Format(time.RFC3339))
	}
	return from, to, nil
}

// timeline answers GET /timeline.
func (a *API) timeline(ctx context.Context, in *timelineInput) (*body[Timeline], error) {
	now := a.Now().UTC()
	from, to, err := in.stretch(now)
	if err != nil {
		return nil, err
	}
	labels, err := readSelector(in.LabelSelector)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(a.Engine.Jobs(), func(s scheduler.Status) bool {
		return in.Job != "" && s.Job != in.Job || !labels.covers(s.Labels)
	})
	rows, err := a.rowsAbout(ctx, list, from, to)
	if err != nil {
		return nil, silent(err)
	}
	out := Timeline{From: from, To: to, Now: now, By: in.By}
	out.Bars, out.Truncated = barsOf(rows, from, to, now)
	more := false
	if out.Planned, more, err = a.planned(ctx, list, now, from, to); err != nil {
		return nil, refusal("the timeline", err)
	}
	out.Truncated = out.Truncated || more
	out.Lanes = a.lanes(ctx, &out)
	return answer(out), nil
}

// rowsAbout reads the runs of jobs that may reach into a stretch, those that are on too.
func (a *API) rowsAbout(ctx context.Context, list []scheduler.Status, from, to time.Time) ([]scheduler.Row, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	open, err := a.Memory.Journal.Open(ctx)
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(list))
	for i := range list {
		wanted[list[i].Job] = true
	}
	rows := slices.DeleteFunc(slices.Clone(open), func(r scheduler.Row) bool { return !wanted[r.Job] })
	past := make([][]scheduler.Row, len(list))
	asking, asked := errgroup.WithContext(ctx)
	asking.SetLimit(maxQuestions)
	for i := range list {
		asking.Go(func() error {
			var err error
			past[i], err = a.Memory.Journal.Past(asked, list[i].Job, scheduler.Query{From: from.Add(-lookBack), To: to, Limit: maxBars})
			return err
		})
	}
	if err := asking.Wait(); err != nil {
		return nil, err
	}
	return append(rows, slices.Concat(past...)...), nil
}

// planned lists the moments of jobs that lie ahead within a stretch.
func (a *API) planned(ctx context.Context, list []scheduler.Status, now, from, to time.Time) (all []Planned, more bool, err error) {
	all = []Planned{}
	after := now
	if from.After(now) {
		after = from.Add(-time.Nanosecond)
	}
	if !to.After(after) {
		return all, false, nil
	}
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Job
	}
	records := a.records(ctx, names)
	for i := range list {
		var gate *Gate
		if records != nil {
			g := gateOf(records[i].Gate)
			gate = &g
		}
		ahead, _, err := a.ahead(ctx, &list[i], gate, after, to, maxPerJob)
		if err != nil {
			return nil, false, err
		}
		more = more || len(ahead) == maxPerJob
		for _, u := range ahead {
			all = append(all, Planned{list[i].Job, u.UTC, u.Runs})
		}
	}
	slices.SortStableFunc(all, func(x, y Planned) int { return x.Time.Compare(y.Time) })
	return all[:min(len(all), maxPlanned)], more || len(all) > maxPlanned, nil
}

// lanes are the names of the lanes of a timeline.
func (a *API) lanes(ctx context.Context, t *Timeline) []string {
	names := map[string]bool{}
	for i := range t.Bars {
		switch b := &t.Bars[i]; {
		case t.By != byReplica:
			names[b.Job] = true
		case b.Replica != "":
			names[b.Replica] = true
		}
	}
	if t.By == byReplica && a.Memory.Members != nil {
		if list, err := a.roll(ctx); err == nil {
			for _, r := range list.Items {
				names[r.ID] = true
			}
		}
	}
	return append([]string{}, slices.Sorted(maps.Keys(names))...)
}
