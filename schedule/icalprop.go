package schedule

import (
	"fmt"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
)

// rdate reads more occasions of e, or periods of time.
func (r *icalReader) rdate(e *icalEvent, p ics.BaseProperty) error {
	if kind := p.ICalParameters["VALUE"]; len(kind) == 0 || !strings.EqualFold(kind[0], "PERIOD") {
		list, err := r.times(p)
		e.more = append(e.more, list...)
		return err
	}
	zone, err := r.zone(p)
	if err != nil {
		return err
	}
	for text := range strings.SplitSeq(p.Value, ",") {
		from, to, _ := strings.Cut(text, "/")
		start, err := icalMoment(from, zone)
		if err != nil {
			return err
		}
		if wall, exact, err := icalLength(to); err == nil {
			e.periods = append(e.periods, stretch{start.unix(), firstOf(start.zone, start.wall+wall) + exact})
			continue
		}
		end, err := icalMoment(to, zone)
		if err != nil {
			return err
		}
		e.periods = append(e.periods, stretch{start.unix(), end.unix()})
	}
	return nil
}

// times reads a list of times.
func (r *icalReader) times(p ics.BaseProperty) ([]icalTime, error) {
	var list []icalTime
	zone, err := r.zone(p)
	if err != nil {
		return nil, err
	}
	for text := range strings.SplitSeq(p.Value, ",") {
		t, err := icalMoment(text, zone)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

func (r *icalReader) time(p ics.BaseProperty) (icalTime, error) {
	zone, err := r.zone(p)
	if err != nil {
		return icalTime{}, err
	}
	return icalMoment(p.Value, zone)
}

// zone returns the zone that p names; one that names none is in the calendar's.
func (r *icalReader) zone(p ics.BaseProperty) (*time.Location, error) {
	ids := p.ICalParameters["TZID"]
	if len(ids) == 0 {
		return r.b.c.zone, nil
	}
	if zone, ok := r.zones[ids[0]]; ok {
		return zone, nil
	}
	zone, err := LoadZone(ids[0])
	if err != nil {
		return nil, fmt.Errorf("has the TZID %q, which is no IANA name such as Europe/Berlin", clip(ids[0]))
	}
	r.zones[ids[0]] = zone
	return zone, nil
}
