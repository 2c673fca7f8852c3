package cli

import (
	"fmt"
	"math"
	"time"
)

// Moment writes a time in the style of v; "" for none.
func (v *View) Moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	switch v.style {
	case "utc":
		return at.UTC().Format(time.RFC3339)
	case "iso":
		if v.zone != nil {
			at = at.In(v.zone)
		}
		return at.Format(time.RFC3339)
	}
	return FromNow(at.Sub(v.now())) + " " + v.clock(at)
}

// Until writes a time that may be missing.
func (v *View) Until(at *time.Time) string {
	if at == nil {
		return ""
	}
	return v.Moment(*at)
}

// clock is a time on the wall of v's zone, or of its own if that has one; with the
// day if it is not today's.
func (v *View) clock(at time.Time) string {
	zone := v.zone
	if zone == nil {
		if zone = at.Location(); zone == time.UTC {
			zone = time.Local
		}
	}
	at = at.In(zone)
	switch now := v.now().In(zone); {
	case at.Format(time.DateOnly) == now.Format(time.DateOnly):
		return at.Format("15:04")
	case at.Sub(now).Abs() < 6*24*time.Hour:
		return at.Format("Mon 15:04")
	}
	return at.Format("2006-01-02 15:04")
}

// FromNow says how far away something is that is d ahead.
func FromNow(d time.Duration) string {
	switch {
	case d == math.MaxInt64 || d == math.MinInt64: // 292 years are all that fit
		return "far away"
	case d < 0:
		return Span(-d) + " ago"
	}
	return "in " + Span(d)
}

// Span is d for people: its two largest units, or one if the other is zero.
func Span(d time.Duration) string {
	d = d.Round(time.Second)
	for _, u := range []struct {
		large, small time.Duration
		names        string
	}{{24 * time.Hour, time.Hour, "dh"}, {time.Hour, time.Minute, "hm"}, {time.Minute, time.Second, "ms"}} {
		n, rest := d/u.large, d%u.large/u.small
		switch {
		case n > 0 && rest > 0:
			return fmt.Sprintf("%d%c %d%c", n, u.names[0], rest, u.names[1])
		case n > 0:
			return fmt.Sprintf("%d%c", n, u.names[0])
		}
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

// Seconds is a length of time in seconds for people; "" for none.
func Seconds(s float64) string {
	if s <= 0 {
		return ""
	}
	d := time.Duration(s * float64(time.Second))
	if d < time.Minute {
		return d.Round(time.Millisecond).String()
	}
	return Span(d)
}
