package admin

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// Story is what is known of one tick, as the API shows it. Times are in the job's
// zone, but for those of Run.
type Story struct {
	Job          string            `json:"job"`
	Tick         time.Time         `json:"tick"`
	TimeZone     string            `json:"timeZone"`
	IsTick       bool              `json:"isTick"` // false: the schedule has changed since
	ScheduleNote string            `json:"scheduleNote,omitempty"`
	Release      time.Time         `json:"release,omitzero"` // when it may start
	Excluded     string            `json:"excluded,omitempty"`
	Prev         *time.Time        `json:"prev"`
	Next         *time.Time        `json:"next"`
	Run          *Run              `json:"run"`      // null: nothing is recorded
	Replicas     map[string][]Seen `json:"replicas"` // what each of those that live remembers
	Silent       []string          `json:"silent,omitempty"`
	Story        []string          `json:"story"` // lines for people, in the order of time
}

// Seen is what one replica saw of a tick.
type Seen struct {
	Phase   scheduler.Phase   `json:"phase"`
	At      time.Time         `json:"at"`
	Last    time.Time         `json:"last,omitzero"` // of several in a row
	Count   int               `json:"count,omitempty"`
	Attempt int               `json:"attempt,omitempty"`
	Delay   string            `json:"delay,omitempty"`
	Verdict scheduler.Verdict `json:"verdict,omitempty"`
	Why     scheduler.Reason  `json:"why,omitempty"`
	By      string            `json:"by,omitempty"`
	Note    string            `json:"note,omitempty"`
}

// tickID is the ID of the run of a tick.
func tickID(job string, at time.Time) string { return scheduler.Tick{Job: job, At: at}.ID() }

type tickInput struct {
	AboutJob
	Tick time.Time `path:"tick" doc:"Moment of the schedule, such as 2026-11-29T01:30:00Z."`
}

// why answers GET /jobs/{job}/ticks/{tick}.
func (a *API) why(ctx context.Context, in *tickInput) (*body[Story], error) {
	m, err := a.Engine.Moment(in.Job, in.Tick)
	if err != nil {
		return nil, refusal(in.Job, err)
	}
	e, err := a.evidence(ctx, in.Job, in.Tick, m)
	if err != nil {
		return nil, err
	}
	if !m.IsTick && e.row == nil {
		return nil, notATick(in.Job, in.Tick, m)
	}
	return answer(e.story()), nil
}

func notATick(job string, at time.Time, m scheduler.Moment) *problemError {
	return &problemError{
		Type: "not-a-tick", Title: "Not a tick", Status: http.StatusNotFound,
		Detail: fmt.Sprintf("%s is no moment of the schedule of %s; prev and next are the nearest.", at.Format(time.RFC3339), echo(job)),
		More:   map[string]any{"prev": m.Prev, "next": m.Next, "timeZone": m.TimeZone},
	}
}

// story is e as it is shown.
func (e *evidence) story() Story {
	s := Story{
		Job: e.job, Tick: e.tick.In(e.zone), TimeZone: e.moment.TimeZone, IsTick: e.moment.IsTick,
		ScheduleNote: e.moment.Note, Release: e.moment.Release, Excluded: e.moment.Excluded,
		Prev: e.moment.Prev, Next: e.moment.Next, Replicas: map[string][]Seen{}, Silent: e.silent, Story: e.lines(),
	}
	if e.row != nil {
		run := runOf(*e.row)
		s.Run = &run
	}
	for id, list := range e.seen {
		s.Replicas[id] = []Seen{}
		for _, f := range list {
			s.Replicas[id] = append(s.Replicas[id], e.show(f))
		}
	}
	return s
}

func (e *evidence) show(f journal.Sighting) Seen {
	out := Seen{
		Phase: f.Phase, At: f.At.In(e.zone), Attempt: f.Attempt, Verdict: f.Verdict, Why: f.Reason, By: f.By, Note: f.Note,
	}
	if f.Count > 1 {
		out.Count, out.Last = f.Count, f.Last.In(e.zone)
	}
	if f.Delay != 0 {
		out.Delay = f.Delay.Round(time.Millisecond).String()
	}
	return out
}
