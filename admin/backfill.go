package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

const (
	maxSpacing = 24 * time.Hour            // between two runs of a backfill
	maxStretch = 10 * 366 * 24 * time.Hour // of a schedule
)

type backfillInput struct {
	AboutJob
	Keyed
	Body Backfill
}

// Backfill is the body of a backfill: a stretch of the schedule.
type Backfill struct {
	Wish
	From    time.Time `json:"from" doc:"The first moment that may be in it."`
	To      time.Time `json:"to" doc:"The first moment after it."`
	Max     int       `json:"max,omitempty" minimum:"0" maximum:"1000" doc:"How many runs at most; left out: 100."`
	Spacing string    `json:"spacing,omitempty" doc:"A length of time between two runs becoming due." example:"1m"`
	DryRun  bool      `json:"dryRun,omitempty" doc:"Say which runs there would be, and ask for none."`
}

// backfill answers POST /jobs/{job}/backfill with the runs it has asked for.
func (a *API) backfill(ctx context.Context, in *backfillInput) (*filled, error) {
	span, err := in.Body.span()
	if err != nil {
		return nil, err
	}
	o, err := in.Body.order(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	if in.Body.DryRun {
		return a.rehearseBackfill(ctx, in.Job, span, o)
	}
	asking, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	rows, err := a.Engine.Backfill(asking, in.Job, span, o)
	if err != nil {
		return nil, refusal(in.Job, err)
	}
	a.note(ctx, journal.Deed{What: "backfill", Job: in.Job, Note: o.Note})
	return &filled{http.StatusAccepted, runsOf(rows)}, nil
}

// filled is the answer to a backfill.
type filled struct {
	Status int
	Body   Runs
}

// rehearseBackfill lists the runs that a backfill would ask for.
func (a *API) rehearseBackfill(ctx context.Context, job string, span scheduler.Range, o scheduler.Order) (*filled, error) {
	if a.Define != nil {
		if def, known := a.Define(job); known {
			all, faults := def.ResolveParams(o.Params)
			if len(faults) > 0 {
				return nil, invalidParams(job, &scheduler.ParamsError{Faults: faults})
			}
			o.Params = all
		}
	}
	now := a.Now().UTC()
	moments, err := a.moments(ctx, job, span, now)
	if err != nil {
		return nil, refusal(job, err)
	}
	out := &filled{http.StatusOK, Runs{Items: make([]Run, len(moments))}}
	for i, at := range moments {
		r := runOf(scheduler.Row{Job: job, Tick: at, Cause: scheduler.ByBackfill, By: o.By, Note: o.Note, Params: o.Params, State: scheduler.RunQueued})
		r.DryRun, r.NotBefore = true, now.Add(time.Duration(i)*span.Spacing)
		out.Body.Items[i] = r
	}
	return out, nil
}

// maxPassed is how many excluded moments are passed over.
const maxPassed = 100_000

// moments are those of a job's schedule that a backfill takes: in span, before now, and
// not excluded. The error matches scheduler.ErrTooMany as that of a backfill does.
func (a *API) moments(ctx context.Context, job string, span scheduler.Range, now time.Time) ([]time.Time, error) {
	limit := min(cmp.Or(span.Max, scheduler.DefaultBackfill), scheduler.MaxBackfill)
	end := span.To
	if now.Before(end) {
		end = now
	}
	var all []time.Time
	for at, looked := span.From.Add(-time.Nanosecond), 0; ; looked++ {
		m, err := a.Engine.Moment(job, at)
		switch err = errors.Join(err, ctx.Err()); {
		case err != nil:
			return nil, err
		case m.Next == nil, !m.Next.Before(end):
			return all, nil
		}
		at = *m.Next
		if m, err = a.Engine.Moment(job, at); err != nil {
			return nil, err
		}
		if m.Excluded != "" && looked < maxPassed {
			continue
		}
		if len(all) == limit || looked == maxPassed {
			return nil, fmt.Errorf("%w: more than %d between %s and %s", scheduler.ErrTooMany, limit,
				span.From.UTC().Format(time.RFC3339), span.To.UTC().Format(time.RFC3339))
		}
		all = append(all, at)
	}
}

// span is b in the words of the engine.
func (b *Backfill) span() (scheduler.Range, error) {
	span := scheduler.Range{From: b.From, To: b.To, Max: b.Max}
	switch {
	case b.From.IsZero():
		return span, notValid("body.from", "is no moment of a schedule", nil)
	case !b.To.After(b.From):
		return span, notValid("body.to", "comes after from", b.To.Format(time.RFC3339))
	case b.To.Sub(b.From) > maxStretch:
		return span, notValid("body.to", "is at most ten years after from", b.To.Format(time.RFC3339))
	case b.Spacing == "":
		return span, nil
	}
	var err error
	span.Spacing, err = length("body.spacing", b.Spacing, maxSpacing)
	return span, err
}
