package config

import (
	"errors"
	"time"

	"github.com/solocron/solocron/schedule"
	"go.yaml.in/yaml/v3"
)

// exclude is what YAML says about the calendars of a job.
type exclude struct {
	Calendars []string `yaml:"calendars"`
	Action    string   `yaml:"action"` // skip or defer
}

// test is a Test as written.
type test struct {
	From string   `yaml:"from"`
	Next []string `yaml:"next"`
}

// ruleFields returns the fields of a job that schedule.Rules are made of.
func ruleFields() [4]string { return [...]string{"jitter", "startAt", "endAt", "exclude"} }

// rules reads what narrows and shifts the moments of a job in its zone. It is
// not ok if there is nothing, or if that has a fault.
func (l *loader) rules(e *entry, zone *time.Location) (r schedule.Rules, ok bool) {
	f := &e.fields
	for _, field := range ruleFields() {
		ok = ok || e.value(field) != nil
	}
	if !ok {
		return r, false
	}
	before := len(l.faults.faults)
	r = schedule.Rules{Jitter: f.Jitter, Key: l.key(f.Name)}
	for _, b := range []struct {
		field, text string
		into        *time.Time
	}{{"startAt", f.StartAt, &r.StartAt}, {"endAt", f.EndAt, &r.EndAt}} {
		if n := e.value(b.field); n != nil && n.Tag != "!!null" && e.ok(b.field) && zone != nil {
			*b.into = l.moment(n, e.at.key(b.field), b.text, zone)
		}
	}
	if n := e.value("exclude"); n != nil && e.ok("exclude") {
		r.Exclude, r.Defer = l.excluded(n, e.at.key("exclude"), f.Exclude)
	}
	ok = before == len(l.faults.faults) && zone != nil
	for _, field := range ruleFields() {
		ok = ok && e.ok(field)
	}
	return r, ok
}

// excluded finds the calendars that x names.
func (l *loader) excluded(n *yaml.Node, at *trail, x exclude) (calendars []*schedule.Calendar, deferring bool) {
	switch x.Action {
	case "", "skip":
	case "defer":
		deferring = true
	default:
		l.faults.at(nearestNode(n, "action"), at.key("action"), "%s is unknown: write skip, or defer to run at the end of the excluded window", quote(x.Action))
	}
	list := nearestNode(n, "calendars")
	if len(x.Calendars) == 0 {
		l.faults.at(list, at.key("calendars"), "names no calendar: write [name], or remove exclude")
	}
	for i, name := range x.Calendars {
		c, known := l.calendars[name]
		switch {
		case !known && list.Kind == yaml.SequenceNode:
			l.faults.at(list.Content[i], at.key("calendars").index(i), "%s", l.noCalendar(name))
		case !known:
			l.faults.at(list, at.key("calendars"), "%s", l.noCalendar(name))
		case c != nil:
			calendars = append(calendars, c)
		}
	}
	return calendars, deferring
}

// ruled applies r to the schedule of a job.
func (l *loader) ruled(e *entry, s *schedule.Schedule, r schedule.Rules) *schedule.Schedule {
	ruled, err := s.With(r)
	if err == nil {
		return ruled
	}
	p, ok := errors.AsType[*schedule.ParseError](err)
	if !ok {
		l.faults.at(e.place("schedule"), e.at.key("schedule"), "%s", scheduleFault(err))
		return nil
	}
	msg := p.Msg
	if p.Fix != "" {
		msg += "; " + p.Fix
	}
	l.faults.at(e.place(p.Field), e.at.key(p.Field), "%s", msg)
	return nil
}

const notMoment = "%s is not a moment in the zone %s: write one such as 2027-03-01, 2027-03-01T09:00:00 or 2027-03-01T09:00:00+01:00, from 1970 on"

// moment reads a time with an offset, a time on the wall of zone, or a date: the
// moment at which that begins. It is zero after a fault.
func (l *loader) moment(n *yaml.Node, at *trail, text string, zone *time.Location) time.Time {
	once := text
	if len(text) == len(time.DateOnly) {
		once += "T00:00"
	}
	s, err := schedule.Parse("@at "+once, schedule.Options{Zone: zone})
	if err != nil {
		l.faults.at(n, at, notMoment, quote(text), zone)
		return time.Time{}
	}
	return s.Next(time.Time{})
}

const maxTests = 100 // of a job, and moments of a test

// tests reads the tests of a job in its zone.
func (l *loader) tests(e *entry, zone *time.Location) []Test {
	n := e.value("tests")
	if n == nil || !e.ok("tests") || zone == nil {
		return nil
	}
	at := e.at.key("tests")
	if len(e.fields.Tests) > maxTests {
		l.faults.at(n, at, "has %d tests: at most %d", len(e.fields.Tests), maxTests)
		return nil
	}
	var list []Test
	for i, written := range e.fields.Tests {
		list = append(list, l.test(target(n.Content[i]), at.index(i), written, zone))
	}
	return list
}

func (l *loader) test(n *yaml.Node, at *trail, written test, zone *time.Location) Test {
	t := Test{Line: n.Line}
	if written.From == "" {
		l.faults.at(n, at.key("from"), "is missing: write the moment after which the test looks")
	} else {
		t.From = l.moment(nearestNode(n, "from"), at.key("from"), written.From, zone)
	}
	next := nearestNode(n, "next")
	if len(written.Next) == 0 || len(written.Next) > maxTests {
		l.faults.at(next, at.key("next"), "must hold 1 to %d moments", maxTests)
		return t
	}
	for i, text := range written.Next {
		place := next
		if next.Kind == yaml.SequenceNode {
			place = target(next.Content[i])
		}
		t.Next = append(t.Next, l.moment(place, at.key("next").index(i), text, zone))
	}
	return t
}
