package config

import (
	"errors"
	"strings"
	"time"

	"github.com/solocron/solocron/schedule"
)

// zone is what LoadZone said about a name.
type zone struct {
	loc *time.Location
	err error
}

// zone loads a time zone, each only once.
func (l *loader) zone(name string) (*time.Location, error) {
	z, ok := l.zones[name]
	if !ok {
		z.loc, z.err = schedule.LoadZone(name)
		l.zones[name] = z
	}
	return z.loc, z.err
}

// manual as the schedule of a job says that it is meant to have none. That is not
// what an omission says: a job that was to run every night would never run.
const manual = "manual"

const noSchedule = `is missing: write one such as "30 2 * * *" or "@every 15m", or ` + manual +
	` for a job that people or other jobs' triggers start`

// plan reads the schedule of a job in its zone and applies its rules. A job
// whose zone has a fault has its schedule checked too; the zone is nil then.
func (l *loader) plan(e *entry) (planned *schedule.Schedule, zone *time.Location) {
	f := &e.fields
	zone, err := l.zone(f.TimeZone)
	if n := e.value("timeZone"); err != nil && n != nil && e.ok("timeZone") {
		l.faults.at(n, e.at.key("timeZone"), "%s", zoneFault(err))
	}
	texts := f.texts()
	f.Schedule = strings.Join(texts, " | ")
	rules, ruled := l.rules(e, zone)
	if !e.ok("schedule") || !e.ok("seconds") || !e.ok("dst") {
		return nil, zone
	}
	if e.value("schedule") == nil || f.Schedule == manual {
		e.byHand, f.Schedule = true, ""
		return nil, zone
	}
	if strings.Trim(f.Schedule, " |") == "" {
		l.faults.at(e.place("schedule"), e.at.key("schedule"), noSchedule)
		return nil, zone
	}
	planned, err = l.schedule(texts, f.options(zone, l.key(f.Name)))
	switch {
	case err != nil:
		l.blameSchedule(e, texts, f.options(zone, l.key(f.Name)), err)
		return nil, zone
	case ruled:
		planned = l.ruled(e, planned, rules)
	}
	return planned, zone
}

// key is the identity of a job.
func (l *loader) key(name string) string { return l.config.Namespace + "/" + name }

// texts returns the schedules of a job, without spaces around them.
func (f *jobFields) texts() []string {
	if f.Schedules == nil {
		return []string{strings.TrimSpace(f.Schedule)}
	}
	texts := make([]string, len(f.Schedules))
	for i, text := range f.Schedules {
		texts[i] = strings.TrimSpace(text)
	}
	return texts
}

// options returns how the schedules of a job are read.
func (f *jobFields) options(zone *time.Location, key string) schedule.Options {
	return schedule.Options{Zone: zone, Key: key, Seconds: f.Seconds, Gap: f.DST.Gap, Overlap: f.DST.Overlap}
}

// spec is a schedule that does not depend on whose it is: its options have no key.
type spec struct {
	text    string
	options schedule.Options
}

// schedule parses the schedules of a job. Jobs share those that are the same for
// every job: a large file holds few distinct ones.
func (l *loader) schedule(texts []string, o schedule.Options) (*schedule.Schedule, error) {
	s := spec{texts[0], o}
	s.options.Key = ""
	if len(texts) > 1 {
		s.text = strings.Join(texts, "\n")
	}
	shared := !schedule.NeedsKey(s.text)
	if parsed, ok := l.specs[s]; ok && shared {
		return parsed, nil
	}
	parsed, err := schedule.ParseAll(texts, o)
	if err == nil && shared {
		l.specs[s] = parsed
	}
	return parsed, err
}

// blameSchedule reports err at the schedule, or at each one of a list that is
// bad by itself.
func (l *loader) blameSchedule(e *entry, texts []string, o schedule.Options, err error) {
	n, at := e.place("schedule"), e.at.key("schedule")
	before := len(l.faults.faults)
	for i, text := range texts {
		if _, err := schedule.Parse(text, o); err != nil && e.fields.Schedules != nil && len(texts) <= len(n.Content) {
			l.faults.at(n.Content[i], at.index(i), "%s", scheduleFault(err))
		}
	}
	if len(l.faults.faults) > before {
		return
	}
	// A zone in the schedule that disagrees is reported where the zone is given.
	if p, ok := errors.AsType[*schedule.ParseError](err); ok && strings.Contains(p.Token, "TZ=") && e.value("timeZone") != nil {
		l.faults.at(e.place("timeZone"), e.at.key("timeZone"), "%s", err)
		return
	}
	l.faults.at(n, at, "%s", scheduleFault(err))
}

// scheduleFault words an error of Parse for a place that says schedule already.
func scheduleFault(err error) string { return strings.TrimPrefix(err.Error(), "schedule ") }

// zoneFault words an error of LoadZone for a place that says timeZone already.
func zoneFault(err error) string { return strings.TrimPrefix(err.Error(), "time zone ") }
