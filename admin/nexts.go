package admin

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/solocron/solocron/scheduler"
)

type nextInput struct {
	AboutJob
	N    int       `query:"n" minimum:"1" maximum:"1000" default:"5" doc:"How many moments."`
	From time.Time `query:"from" doc:"Moments not before; left out: after now."`
	To   time.Time `query:"to" doc:"Moments before."`
}

// Nexts is when a job is due.
type Nexts struct {
	Job      string     `json:"job"`
	Schedule string     `json:"schedule"`
	TimeZone string     `json:"timeZone"`
	Items    []Upcoming `json:"items"`
	Reason   string     `json:"reason,omitempty"` // why there are none, or no more
}

// Upcoming is a moment of a schedule.
type Upcoming struct {
	Time    time.Time `json:"time"` // in the job's zone
	UTC     time.Time `json:"utc"`
	Release time.Time `json:"release,omitzero"` // when it may start, if that is later
	Runs    bool      `json:"runs"`             // as things are, it will
	Note    string    `json:"note,omitempty"`   // what is special about it, such as a change of the clocks or why it will not run
}

// nexts answers GET /jobs/{job}/next.
func (a *API) nexts(ctx context.Context, in *nextInput) (*body[Nexts], error) {
	status, err := a.Engine.Job(in.Job)
	if err != nil {
		return nil, refusal(in.Job, err)
	}
	if !in.To.IsZero() && !in.From.IsZero() && !in.To.After(in.From) {
		return nil, notValid("query.to", "comes after from", in.To.Format(time.RFC3339))
	}
	var gate *Gate
	for _, r := range a.records(ctx, []string{in.Job}) {
		g := gateOf(r.Gate)
		gate = &g
	}
	after := a.Now()
	if !in.From.IsZero() {
		after = in.From.Add(-time.Nanosecond)
	}
	out := Nexts{Job: in.Job, Schedule: status.Schedule, TimeZone: status.TimeZone}
	out.Items, out.Reason, err = a.ahead(ctx, &status, gate, after, in.To, in.N)
	if err != nil {
		return nil, refusal(in.Job, err)
	}
	return answer(out), nil
}

// ahead lists up to n moments of a job after one, and before another unless that is
// zero. Reason says why they are not n.
func (a *API) ahead(ctx context.Context, s *scheduler.Status, gate *Gate, after, before time.Time, n int) (list []Upcoming, reason string, err error) {
	list = []Upcoming{}
	for at := after; len(list) < n; {
		m, err := a.Engine.Moment(s.Job, at)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, "", err
		}
		if m.Next == nil || !before.IsZero() && !m.Next.Before(before) {
			return list, cmp.Or(s.NextNote, "the schedule has no further moments in this stretch"), nil
		}
		at = *m.Next
		item, err := a.upcoming(s.Job, at)
		if err != nil {
			return nil, "", err
		}
		if at.After(a.Now()) { // what stops it now did not stop it then
			item.hindered(s.Suspend, gate)
		}
		list = append(list, item)
	}
	return list, "", nil
}

// upcoming is a moment of a job's schedule as that has it.
func (a *API) upcoming(job string, at time.Time) (Upcoming, error) {
	m, err := a.Engine.Moment(job, at)
	if err != nil {
		return Upcoming{}, err
	}
	u := Upcoming{Time: at, UTC: at.UTC(), Note: m.Note, Runs: m.Excluded == ""}
	if m.Release.After(at) {
		u.Release = m.Release
	}
	if m.Excluded != "" && u.Note == "" {
		u.Note = "calendar " + m.Excluded + " excludes it"
	}
	return u, nil
}

// hindered notes what else will keep a moment from running.
func (u *Upcoming) hindered(suspended bool, gate *Gate) {
	why := ""
	switch {
	case suspended:
		why = "the job is suspended in its definition"
	case gate != nil && gate.Closed && (gate.Until.IsZero() || u.Time.Before(gate.Until)):
		why = "paused by " + gate.By + colon(gate.Reason)
	default:
		return
	}
	u.Runs = false
	if u.Note != "" {
		why = u.Note + "; " + why
	}
	u.Note = why
}
