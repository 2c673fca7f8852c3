package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
)

// icalEvent is one VEVENT, read.
type icalEvent struct {
	entry     string // what messages call it
	uid       string
	start     icalTime
	wall      int64 // its length on the wall, in seconds
	exact     int64 // what real time adds to that
	rules     []string
	more      []icalTime // RDATE
	periods   []stretch  // RDATE;VALUE=PERIOD
	without   []icalTime // EXDATE
	cancelled bool
	broken    bool
}

// icalReader turns the events of one file into stretches.
type icalReader struct {
	b         *calendarBuilder
	zones     map[string]*time.Location // by TZID
	left      int                       // occasions that may still be added
	recurring int                       // events with rules so far
	replaced  map[string][]icalTime     // by UID: the occasions that have an event of their own
	over      bool                      // a fault makes going on useless
}

// read reads the properties of the event with that index.
func (r *icalReader) read(index int, v *ics.VEvent) icalEvent {
	e := icalEvent{entry: fmt.Sprintf("ICal event %d", index+1)}
	if p := v.GetProperty(ics.ComponentPropertySummary); p != nil && p.Value != "" {
		e.entry += fmt.Sprintf(" (%q)", clip(p.Value))
	}
	if p := v.GetProperty(ics.ComponentPropertyUniqueId); p != nil {
		e.uid = p.Value
	}
	if p := v.GetProperty(ics.ComponentPropertyStatus); p != nil {
		e.cancelled = strings.EqualFold(p.Value, "CANCELLED")
	}
	if err := r.when(&e, v); err != nil {
		e.broken = true
		r.b.fault(e.entry, "%s", err)
	}
	return e
}

// when reads the times of v into e.
func (r *icalReader) when(e *icalEvent, v *ics.VEvent) error {
	starts := v.GetProperties(ics.ComponentPropertyDtStart)
	if len(starts) != 1 {
		return fmt.Errorf("has %d DTSTART, must have one", len(starts))
	}
	var err error
	if e.start, err = r.time(starts[0].BaseProperty); err != nil {
		return fmt.Errorf("DTSTART %w", err)
	}
	if err := r.length(e, v); err != nil {
		return err
	}
	if v.HasProperty(ics.ComponentPropertyExrule) {
		return errors.New("has an EXRULE, which RFC 5545 has done away with: write EXDATE")
	}
	for _, p := range v.GetProperties(ics.ComponentPropertyRrule) {
		e.rules = append(e.rules, p.Value)
	}
	for _, p := range v.GetProperties(ics.ComponentPropertyRdate) {
		if err := r.rdate(e, p.BaseProperty); err != nil {
			return fmt.Errorf("RDATE %w", err)
		}
	}
	for _, p := range v.GetProperties(ics.ComponentPropertyExdate) {
		list, err := r.times(p.BaseProperty)
		if err != nil {
			return fmt.Errorf("EXDATE %w", err)
		}
		e.without = append(e.without, list...)
	}
	for _, t := range slices.Concat(e.more, e.without) {
		if t.date && !e.start.date {
			return errors.New("has a date without a time as EXDATE or RDATE, but a time as DTSTART: write the time too")
		}
	}
	return r.replacement(e, v)
}

// replacement notes that v stands for one occasion of the event with its UID.
func (r *icalReader) replacement(e *icalEvent, v *ics.VEvent) error {
	p := v.GetProperty(ics.ComponentPropertyRecurrenceId)
	if p == nil {
		return nil
	}
	if _, ranged := p.ICalParameters["RANGE"]; ranged {
		return errors.New("RECURRENCE-ID has a RANGE, which is not supported: end the rule with UNTIL and begin a new event")
	}
	t, err := r.time(p.BaseProperty)
	if err != nil {
		return fmt.Errorf("RECURRENCE-ID %w", err)
	}
	if len(e.rules) > 0 {
		return errors.New("has a RECURRENCE-ID and a rule: one occasion does not recur")
	}
	r.replaced[e.uid] = append(r.replaced[e.uid], t)
	return nil
}

// length reads DTEND or DURATION.
func (r *icalReader) length(e *icalEvent, v *ics.VEvent) error {
	end, duration := v.GetProperty(ics.ComponentPropertyDtEnd), v.GetProperty(ics.ComponentPropertyDuration)
	switch {
	case end != nil && duration != nil:
		return errors.New("has DTEND and DURATION: remove one")
	case duration != nil:
		var err error
		if e.wall, e.exact, err = icalLength(duration.Value); err != nil {
			return err
		}
		if e.start.date && e.exact != 0 {
			return errors.New("begins with a date, so its DURATION must be in days or weeks")
		}
	case end != nil:
		return r.until(e, end.BaseProperty)
	case e.start.date:
		e.wall = daySeconds
	}
	return nil
}

// until takes the length of e from its DTEND. An end in the zone of the start is
// a time on the wall for every occasion: a window from 22:00 to 06:00
// ends at 06:00 on the day the clock changes too.
func (r *icalReader) until(e *icalEvent, p ics.BaseProperty) error {
	end, err := r.time(p)
	switch {
	case err != nil:
		return fmt.Errorf("DTEND %w", err)
	case end.date != e.start.date:
		return errors.New("has a date and a time as DTSTART and DTEND: make both dates or both times")
	case end.zone == e.start.zone:
		e.wall = end.wall - e.start.wall
	default:
		e.exact = end.unix() - e.start.unix()
	}
	if e.wall < 0 || e.exact < 0 {
		return errors.New("ends before it begins: swap DTSTART and DTEND")
	}
	return nil
}
