package main

import (
	"fmt"
	"io"
	"time"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/schedule"
)

// view is a schedule and some of its moments, in the form that -o json has.
type view struct {
	Expression  string   `json:"expression"`
	TimeZone    string   `json:"timeZone"`
	Description string   `json:"description"`
	Items       []moment `json:"items"`
	more        bool     // there are moments after these
}

// moment is one of them.
type moment struct {
	Time string `json:"time"` // RFC 3339 in the zone of the schedule
	UTC  string `json:"utc"`
	Note string `json:"note"` // what is unusual about it; may be empty
	at   time.Time
}

// look returns up to n moments of sched after the given time.
func look(sched *schedule.Schedule, after time.Time, n int) view {
	v := view{
		Expression: sched.Spec(), TimeZone: sched.Location().String(), Description: sched.Explain(),
		Items: []moment{}, more: true,
	}
	for at := after; len(v.Items) < n; {
		if at = sched.Next(at); at.IsZero() {
			v.more = false
			break
		}
		v.Items = append(v.Items, moment{
			Time: at.In(sched.Location()).Format(time.RFC3339), UTC: at.Format(time.RFC3339),
			Note: sched.Note(at), at: at.In(sched.Location()),
		})
	}
	return v
}

// table writes v for people, who read how far its moments are from now.
func (v view) table(out io.Writer, now time.Time) error {
	return columns(out, func(w io.Writer) {
		fmt.Fprintf(w, "schedule   %s\nzone       %s\nmeans      %s\n\n", v.Expression, v.TimeZone, v.Description)
		fmt.Fprintln(w, "#\tLOCAL\tUTC\tFROM NOW\tNOTE")
		for i, m := range v.Items {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", i+1, m.at.Format(wallLayout), m.UTC, cli.FromNow(m.at.Sub(now)), m.Note)
		}
		if !v.more {
			fmt.Fprintln(w, "no further moments")
		}
	})
}

// wallLayout is how people read a moment.
const wallLayout = "Mon 2006-01-02 15:04:05 -0700"
