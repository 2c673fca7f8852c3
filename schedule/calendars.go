package schedule

import (
	"time"
)

// Calendar is a named set of spans of time, such as the holidays of a country
// or a maintenance window, that Rules may exclude. It does not change and may
// be used by any number of goroutines at once.
type Calendar struct {
	name   string
	zone   *time.Location
	spans  []stretch  // joined, in Unix seconds
	days   []stretch  // joined, days of zone counted from 1970-01-01
	yearly [13]uint32 // per month: bit d for day d of every year
	weekly uint8      // bit d for weekday d
	hash   string     // of all of the above but the name
}

// Name returns the name the calendar was made with.
func (c *Calendar) Name() string { return c.name }

// Covers says whether t lies in the calendar.
func (c *Calendar) Covers(t time.Time) bool {
	_, ok := c.piece(t.Unix())
	return ok
}

// End returns the end of the uninterrupted stretch of the calendar that covers
// t, in UTC: the first moment after t that is free again. A t that is not
// covered is its own end. The search stops after 100 years, which it then
// returns as if they were the end.
func (c *Calendar) End(t time.Time) time.Time {
	from := t.Unix()
	if end := stretchEnd([]*Calendar{c}, from); end != from {
		return time.Unix(end, 0).UTC()
	}
	return t.UTC()
}

// piece returns an end of something in c that covers t. What comes right after
// it may be covered too.
func (c *Calendar) piece(t int64) (end int64, ok bool) {
	s, ok := stretchAt(c.spans, t)
	if !c.hasDays() {
		return s.end, ok
	}
	shown := segmentAt(c.zone, t)
	day, _ := floorDiv(t+shown.offset, daySeconds)
	if last, covered := c.lastDay(day); covered {
		return max(s.end, min((last+1)*daySeconds-shown.offset, shown.end)), true
	}
	return s.end, ok
}

// hasDays says whether c depends on the date in its zone.
func (c *Calendar) hasDays() bool {
	return len(c.days) > 0 || c.weekly != 0 || c.yearly != [13]uint32{}
}

// lastDay says whether day is one of c, and returns a day until which all are.
func (c *Calendar) lastDay(day int64) (last int64, ok bool) {
	if s, ok := stretchAt(c.days, day); ok {
		return s.end - 1, true
	}
	_, weekday := floorDiv(day+4, 7) // 1970-01-01 was a Thursday
	if c.weekly>>weekday&1 != 0 {
		return day, true
	}
	if c.yearly == [13]uint32{} {
		return 0, false
	}
	_, m, d := civil(day)
	return day, c.yearly[m]>>d&1 != 0
}

// Limits on how far the end of a stretch is looked for.
const (
	maxStretch = 100 * 366 * daySeconds
	maxJoins   = 50_000 // pieces that follow one another
)

// stretchEnd returns when none of the calendars covers t any more: t itself if
// none does.
func stretchEnd(calendars []*Calendar, t int64) int64 {
	limit := min(t+maxStretch, maxUnix)
	end := t
	for range maxJoins {
		before := end
		for _, c := range calendars {
			if e, ok := c.piece(end); ok {
				end = max(end, e)
			}
		}
		if end >= limit {
			return limit
		}
		if end == before {
			return end
		}
	}
	return limit
}

// covering returns the first of the calendars that covers t.
func covering(calendars []*Calendar, t int64) (*Calendar, bool) {
	for _, c := range calendars {
		if _, ok := c.piece(t); ok {
			return c, true
		}
	}
	return nil, false
}
