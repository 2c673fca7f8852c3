package admin

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/solocron/solocron/schedule"
)

// scheduleRoutes are those about schedules of no job.
func (a *API) scheduleRoutes(b *book) {
	enter(b, route{id: "explainSchedule", path: base + "/schedules/explain", summary: "What a schedule means, and when it is due"}.reading(http.StatusBadRequest), a.explain)
}

type explainInput struct {
	Expr     string    `query:"expr" required:"true" maxLength:"1000" doc:"The schedule, as in the configuration." example:"30 2 * * *"`
	TimeZone string    `query:"timeZone" maxLength:"100" default:"UTC" doc:"An IANA name." example:"Europe/Berlin"`
	Key      string    `query:"key" maxLength:"300" doc:"NAMESPACE/NAME of the job it is for: decides H and the phase of @every."`
	Seconds  bool      `query:"seconds" doc:"Six fields, seconds first."`
	From     time.Time `query:"from" doc:"Moments after; left out: after now."`
	N        int       `query:"n" minimum:"1" maximum:"1000" default:"5" doc:"How many moments."`
}

// Explained is a schedule in words, and its next moments.
type Explained struct {
	Expression  string     `json:"expression"`
	TimeZone    string     `json:"timeZone"`
	Description string     `json:"description"`
	Warnings    []string   `json:"warnings"` // what is allowed but hardly meant
	Items       []Upcoming `json:"items"`
	Reason      string     `json:"reason,omitempty"` // why there are none, or no more
}

// explain answers GET /schedules/explain.
func (a *API) explain(_ context.Context, in *explainInput) (*body[Explained], error) {
	zone, err := schedule.LoadZone(in.TimeZone)
	if err != nil {
		return nil, badSchedule("query.timeZone", echo(err.Error()), in.TimeZone)
	}
	s, err := schedule.Parse(strings.TrimSpace(in.Expr), schedule.Options{Zone: zone, Key: in.Key, Seconds: in.Seconds})
	if err != nil {
		return nil, badSchedule("query.expr", strings.ToValidUTF8(err.Error(), "�"), in.Expr)
	}
	out := Explained{
		Expression: s.Spec(), TimeZone: zone.String(), Description: s.Explain(), Items: []Upcoming{}, Warnings: append([]string{}, s.Warnings()...),
	}
	at := in.From
	if at.IsZero() {
		at = a.Now()
	}
	for range in.N {
		if at = s.Next(at); !tellable(at) {
			out.Reason = noMoreMoments
			break
		}
		out.Items = append(out.Items, Upcoming{Time: at.In(zone), UTC: at.UTC(), Note: s.Note(at), Runs: true})
	}
	return answer(out), nil
}

// badSchedule says that a schedule, or its zone, cannot be read.
func badSchedule(location, message, value string) *problemError {
	p := notValid(location, message, value)
	p.Type, p.Title, p.Status = "bad-schedule", "Not a schedule", http.StatusBadRequest
	return p
}
