package schedule

import (
	"time"
)

// date adds 2026-12-25, or 12-25 for every year.
func (b *calendarBuilder) date(entry, text string) {
	if day, ok := readDate(text); ok {
		b.c.days = append(b.c.days, stretch{day, day + 1})
		return
	}
	if len(text) == len("12-25") {
		if t, err := time.Parse(time.DateOnly, "2000-"+text); err == nil { // a leap year
			b.c.yearly[t.Month()] |= 1 << t.Day()
			return
		}
	}
	b.fault(entry, "%q is not a date that exists: write one such as 2026-12-25, or 12-25 for every year", clip(text))
}

// readDate reads 2026-12-25 as a day counted from 1970-01-01.
func readDate(text string) (day int64, ok bool) {
	if len(text) != len(time.DateOnly) {
		return 0, false
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 1 {
		return 0, false
	}
	return t.Unix() / daySeconds, t.Year() >= 1970
}

// stretch adds a range: as days if both of its bounds are dates, else as time.
func (b *calendarBuilder) stretch(entry string, r Range) {
	from, fromDate, ok := b.bound(entry+".From", r.From)
	to, toDate, alsoOK := b.bound(entry+".To", r.To)
	if !ok || !alsoOK {
		return
	}
	if fromDate && toDate {
		if from > to {
			b.fault(entry+".To", "%s is before %s: swap them", clip(r.To), clip(r.From))
			return
		}
		b.c.days = append(b.c.days, stretch{from, to + 1})
		return
	}
	if fromDate {
		from = firstOf(b.c.zone, from*daySeconds)
	}
	if toDate {
		to = firstOf(b.c.zone, (to+1)*daySeconds)
	}
	if from >= to {
		b.fault(entry+".To", "%s is not after %s: swap them, or write a later time", clip(r.To), clip(r.From))
		return
	}
	b.c.spans = append(b.c.spans, stretch{from, to})
}

// bound reads one bound of a range: a day, or a moment in Unix seconds. A part
// of a second counts as a whole one: ticks have none.
func (b *calendarBuilder) bound(entry, text string) (v int64, isDate, ok bool) {
	if text == "" {
		b.fault(entry, "is missing: write a date such as 2026-12-24 or a time such as 2026-12-24T18:00:00+01:00")
		return 0, false, false
	}
	if day, ok := readDate(text); ok {
		return day, true, true
	}
	t, err := time.Parse(time.RFC3339, text)
	if len(text) > maxItemText || err != nil || t.Year() < 1970 {
		b.fault(entry, "%q is neither a date such as 2026-12-24 nor a time such as 2026-12-24T18:00:00+01:00, from 1970 on", clip(text))
		return 0, false, false
	}
	return ceilUnix(t), false, true
}

// firstOf returns the first moment at which the wall in zone shows the time w or,
// if the clock jumps over it, something later.
func firstOf(zone *time.Location, w int64) int64 {
	for u := w - farWall; ; {
		s := segmentAt(zone, u)
		if t := max(u, w-s.offset); t < s.end {
			return t
		}
		u = s.end
	}
}
