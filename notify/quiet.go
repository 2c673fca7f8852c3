package notify

import (
	"time"

	"github.com/solocron/solocron/config"
)

// Quiet is a time of silence in a zone.
type Quiet struct {
	config.QuietWindow

	Zone *time.Location
}

// end is when the silence around t ends; t itself if there is none.
func (q *Quiet) end(t time.Time) time.Time {
	if !q.Until.IsZero() {
		if t.Before(q.Until) {
			return q.Until
		}
		return t
	}
	// The window around t began today or yesterday, on the wall of the zone.
	for _, ago := range []int{0, 1} {
		day := t.In(q.Zone).AddDate(0, 0, -ago)
		from, to := q.on(day, q.From, 0), q.on(day, q.To, 0)
		if q.To <= q.From {
			to = q.on(day, q.To, 1)
		}
		if q.Days[day.Weekday()] && !t.Before(from) && t.Before(to) {
			return to
		}
	}
	return t
}

// on is so many minutes after midnight as the clock shows them, days after day.
func (q *Quiet) on(day time.Time, minutes, days int) time.Time {
	const hour = 60
	return time.Date(day.Year(), day.Month(), day.Day()+days, minutes/hour, minutes%hour, 0, 0, q.Zone)
}
