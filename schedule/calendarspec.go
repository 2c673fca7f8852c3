package schedule

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// CalendarSpec is what a Calendar is made of. It holds everything that any of its
// parts names.
type CalendarSpec struct {
	Name     string         // what people call it; 1 to 100 bytes
	Zone     *time.Location // in which dates are read; nil: UTC. A zone such as LoadZone returns
	Dates    []string       // whole days: 2026-12-25, or 12-25 for every year
	Ranges   []Range        // from, to
	Weekdays []string       // whole days of every week: sat, Sunday
	ICal     []byte         // an iCalendar file: its events, at most 1 MiB
}

// Range is a stretch of time. Each bound is a date such as 2026-12-24, or an
// RFC 3339 time such as 2026-12-24T18:00:00+01:00. A date as To is
// included, a time is not.
type Range struct{ From, To string }

// Limits on the entries of one calendar.
const (
	maxCalendarName  = 100 // bytes
	maxCalendarItems = 10_000
	maxItemText      = 80 // bytes of one entry
)

// A CalendarError is one fault of a CalendarSpec.
type CalendarError struct {
	Entry string // Dates[3], Ranges[0].To, ICal: the part of the spec
	Msg   string // what is wrong and what to write
}

// Error returns both on one line.
func (e *CalendarError) Error() string { return e.Entry + ": " + e.Msg }

// NewCalendar makes a calendar. The error joins everything that is wrong with
// spec, each a *CalendarError that names the entry and says what to write.
func NewCalendar(spec CalendarSpec) (*Calendar, error) {
	b := &calendarBuilder{c: &Calendar{name: spec.Name, zone: spec.Zone}}
	b.checkSpec(spec)
	if len(b.faults) > 0 {
		return nil, errors.Join(b.faults...)
	}
	for i, text := range spec.Dates {
		b.date(fmt.Sprintf("Dates[%d]", i), text)
	}
	for i, r := range spec.Ranges {
		b.stretch(fmt.Sprintf("Ranges[%d]", i), r)
	}
	for i, text := range spec.Weekdays {
		b.weekday(fmt.Sprintf("Weekdays[%d]", i), text)
	}
	if len(spec.ICal) > 0 {
		b.ical(spec.ICal)
	}
	if b.c.weekly == fullDow {
		b.fault("Weekdays", "all seven days leave no time free: remove one")
	}
	if len(b.faults) > 0 {
		return nil, errors.Join(b.faults...)
	}
	c := b.c
	c.spans, c.days = joined(c.spans), joined(c.days)
	c.hash = c.digest()
	return c, nil
}

// calendarBuilder collects the parts of a calendar and their faults.
type calendarBuilder struct {
	c      *Calendar
	faults []error
}

func (b *calendarBuilder) fault(entry, format string, args ...any) {
	b.faults = append(b.faults, &CalendarError{entry, fmt.Sprintf(format, args...)})
}

// checkSpec judges the name, the zone and the sizes.
func (b *calendarBuilder) checkSpec(spec CalendarSpec) {
	zone, err := Options{Zone: spec.Zone}.zone(spec.Name)
	b.c.zone = zone
	if err != nil {
		b.fault("Zone", "%q is not in the IANA database: use LoadZone", clip(spec.Zone.String()))
	}
	if spec.Name == "" || len(spec.Name) > maxCalendarName {
		b.fault("Name", "must have 1 to %d bytes", maxCalendarName)
	}
	for _, l := range []struct {
		entry string
		n     int
	}{{"Dates", len(spec.Dates)}, {"Ranges", len(spec.Ranges)}, {"Weekdays", len(spec.Weekdays)}} {
		if l.n > maxCalendarItems {
			b.fault(l.entry, "%d entries are too many: at most %d", l.n, maxCalendarItems)
		}
	}
	if len(spec.ICal) > maxICal {
		b.fault("ICal", "%d bytes are too many: at most %d MiB", len(spec.ICal), maxICal>>20)
	}
	if len(spec.Dates)+len(spec.Ranges)+len(spec.Weekdays)+len(spec.ICal) == 0 {
		b.fault("Dates", "the calendar is empty: give it dates, ranges, weekdays or a file")
	}
}

// weekday adds sat, SAT or saturday.
func (b *calendarBuilder) weekday(entry, text string) {
	if len(text) >= 3 {
		if d, ok := dow.named(text[:3]); ok && (len(text) == 3 || strings.EqualFold(text, dayName(d))) {
			b.c.weekly |= 1 << d
			return
		}
	}
	b.fault(entry, "%q is not a weekday: write sun, mon, tue, wed, thu, fri or sat", clip(text))
}
