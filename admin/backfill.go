package admin

import (
	"context"
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
}

// backfill answers POST /jobs/{job}/backfill with the runs it has asked for.
func (a *API) backfill(ctx context.Context, in *backfillInput) (*body[Runs], error) {
	span, err := in.Body.span()
	if err != nil {
		return nil, err
	}
	o, err := in.Body.order(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	asking, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	rows, err := a.Engine.Backfill(asking, in.Job, span, o)
	if err != nil {
		return nil, refusal(in.Job, err)
	}
	a.note(ctx, journal.Deed{What: "backfill", Job: in.Job, Note: o.Note})
	return answer(runsOf(rows)), nil
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
