package config

import (
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/solocron/solocron/schedule"
	"go.yaml.in/yaml/v3"
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

// plan reads the schedule of a job in its zone. A job whose zone has a fault
// has its schedule checked too.
func (l *loader) plan(e *entry) (planned *schedule.Schedule, zoneName string) {
	f := &e.fields
	f.Schedule = strings.TrimSpace(f.Schedule)
	loc, err := l.zone(f.TimeZone)
	if n := e.value("timeZone"); err != nil && n != nil && e.ok("timeZone") {
		l.faults.at(n, e.at.key("timeZone"), "%s", zoneFault(err))
	}
	if !e.ok("schedule") {
		return nil, f.TimeZone
	}
	if f.Schedule == "" {
		l.faults.at(e.place("schedule"), e.at.key("schedule"), `is missing: write one such as "30 2 * * *" or "@every 15m"`)
		return nil, f.TimeZone
	}
	planned, err = l.schedule(f.Schedule, loc, f.Name)
	if err != nil {
		l.blameSchedule(e, err)
	}
	return planned, f.TimeZone
}

// spec is a schedule that does not depend on whose it is.
type spec struct {
	text string
	zone *time.Location
}

// schedule parses a schedule. One of digits and signs only is the same for
// every job, so jobs share it: a large file holds few distinct ones. A letter
// may stand for something that depends on the job's name, such as H or @every.
func (l *loader) schedule(text string, zone *time.Location, name string) (*schedule.Schedule, error) {
	shared := !strings.ContainsFunc(text, unicode.IsLetter)
	if s, ok := l.specs[spec{text, zone}]; ok && shared {
		return s, nil
	}
	s, err := schedule.Parse(text, schedule.Options{Zone: zone, Key: l.config.Namespace + "/" + name})
	if err == nil && shared {
		l.specs[spec{text, zone}] = s
	}
	return s, err
}

// blameSchedule reports err at the schedule, or at the time zone if the
// schedule brings one of its own that disagrees.
func (l *loader) blameSchedule(e *entry, err error) {
	field, msg := "schedule", strings.TrimPrefix(err.Error(), "schedule ")
	if p, ok := errors.AsType[*schedule.ParseError](err); ok && strings.Contains(p.Token, "TZ=") && e.value("timeZone") != nil {
		field, msg = "timeZone", err.Error()
	}
	l.faults.at(e.place(field), e.at.key(field), "%s", msg)
}

// zoneFault words an error of LoadZone for a place that says timeZone already.
func zoneFault(err error) string { return strings.TrimPrefix(err.Error(), "time zone ") }

// checkName reports a bad name, and a name that another job has.
func (l *loader) checkName(e *entry) {
	if !e.ok("name") {
		return
	}
	name, n := e.fields.Name, e.place("name")
	if e.value("name") == nil {
		l.faults.at(n, e.at.key("name"), "is missing: every job needs a name")
		return
	}
	if msg := badName(name); msg != "" {
		l.faults.at(n, e.at.key("name"), "%s", msg)
		name = strings.ToLower(name) // what the message tells to write: it may be taken too
		if badName(name) != "" {
			return
		}
	}
	if line, taken := l.names[name]; taken {
		l.faults.at(n, e.at.key("name"), "%s", twice(line, n.Line))
		return
	}
	l.names[name] = n.Line
}

// badName returns what is wrong with the name of a job, "" if nothing.
func badName(s string) string {
	const rule = "must be of a-z, 0-9, dots, dashes and underscores, and begin and end with a letter or digit"
	if strings.TrimSpace(s) == "" {
		return "is empty: every job needs a name"
	}
	if len(s) > maxName {
		return quote(s) + " is too long: at most 100 characters"
	}
	good := edge(s[0]) && edge(s[len(s)-1])
	for i := range len(s) {
		good = good && inner(s[i])
	}
	switch lower := strings.ToLower(s); {
	case good:
		return ""
	case lower != s && badName(lower) == "":
		return quote(s) + " has capital letters: write " + lower
	}
	return quote(s) + " " + rule
}

// checkLimits reports fields whose values are well formed but not allowed.
func (l *loader) checkLimits(e *entry) {
	f := &e.fields
	for _, c := range []struct{ field, msg string }{
		{"timeout", tooLong(f.Timeout, maxSpan, "366d")},
		{"startingDeadline", badDeadline(f.StartingDeadline)},
		{"stopGracePeriod", badStop(f.StopGracePeriod)},
		{"overlapPolicy", badOverlap(f.OverlapPolicy)},
		{"labels", badLabels(f.Labels)},
	} {
		if n := e.value(c.field); n != nil && c.msg != "" && e.ok(c.field) {
			l.faults.at(n, e.at.key(c.field), "%s", c.msg)
			e.broken = append(e.broken, c.field)
		}
	}
	if n := e.value("retry"); n != nil && e.ok("retry") {
		if msg := badAttempts(f.Retry.MaxAttempts); msg != "" {
			l.faults.at(nearestNode(n, "maxAttempts"), e.at.key("retry").key("maxAttempts"), "%s", msg)
		}
	}
}

func nearestNode(n *yaml.Node, key string) *yaml.Node {
	if below := find(n, key); below != nil {
		return below
	}
	return n
}

func badDeadline(d time.Duration) string {
	if d == 0 {
		return "must be more than 0: a tick starts a moment late at best"
	}
	return tooLong(d, maxSpan, "366d")
}

func badStop(d time.Duration) string {
	if d == 0 {
		return "must be more than 0: write 1ms to have a process killed at once"
	}
	return tooLong(d, maxStop, "1h")
}

func badOverlap(policy string) string {
	switch strings.ToLower(policy) {
	case "skip", "forbid":
		return ""
	case "queue", "replace", "allow", "buffer_one":
		return quote(policy) + " is not supported yet: this version knows skip"
	}
	return quote(policy) + " is unknown: this version knows skip"
}

func badAttempts(n int) string {
	if msg := outside(n, 1, 1000); msg != "" {
		return msg
	}
	if n > 1 {
		return "must be 1: retry comes with a later version"
	}
	return ""
}

const (
	maxLabels     = 64
	maxLabelKey   = 100  // bytes
	maxLabelValue = 1000 // bytes
)

func badLabels(labels map[string]string) string {
	if len(labels) > maxLabels {
		return "has too many entries: at most 64"
	}
	for k, v := range labels {
		if k == "" || len(k) > maxLabelKey || len(v) > maxLabelValue {
			return "must have keys of 1 to 100 bytes and values of at most 1000"
		}
	}
	return ""
}
