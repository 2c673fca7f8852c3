package admin

import (
	"context"
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

// stretch is the body of a backfill.
type stretch struct {
	wish
	From    string `json:"from"`
	To      string `json:"to"`
	Max     int    `json:"max"`
	Spacing string `json:"spacing"`
}

// backfill answers POST /api/v1/jobs/{job}/backfill with the runs it has asked for.
func (a *API) backfill(r *http.Request) (response, error) {
	job := r.PathValue("job")
	var s stretch
	if err := decodeBody(r, &s, `{"from": "2026-11-01T00:00:00Z", "to": "...", "max": 100, "spacing": "1m", "params": {}, "reason": "..."}`); err != nil {
		return response{}, err
	}
	span, err := s.span()
	if err != nil {
		return response{}, err
	}
	o, err := s.order(r)
	if err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), askLimit)
	defer cancel()
	rows, err := a.Engine.Backfill(ctx, job, span, o)
	if err != nil {
		return response{}, refusal(job, err)
	}
	a.note(r, journal.Deed{What: "backfill", Job: job, Note: o.Note})
	return response{status: http.StatusAccepted, body: runsOf(rows)}, nil
}

// span is s in the words of the engine.
func (s stretch) span() (span scheduler.Range, err error) {
	if span.From, err = moment("from", s.From); err != nil {
		return span, err
	}
	if span.To, err = moment("to", s.To); err != nil {
		return span, err
	}
	if span.From.IsZero() || !span.To.After(span.From) {
		return span, badRequest("from and to are needed, and to comes after from.")
	}
	if span.To.Sub(span.From) > maxStretch {
		return span, badRequest("from and to are at most ten years apart.")
	}
	if s.Max < 0 || s.Max > scheduler.MaxBackfill {
		return span, badRequest(fmt.Sprintf("max is from 1 to %d.", scheduler.MaxBackfill))
	}
	span.Max = s.Max
	if s.Spacing != "" {
		span.Spacing, err = length("spacing", s.Spacing, maxSpacing)
	}
	return span, err
}
