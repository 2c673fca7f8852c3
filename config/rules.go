package config

import (
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

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
		{"labels", badLabels(f.Labels)},
	} {
		if n := e.value(c.field); n != nil && c.msg != "" && e.ok(c.field) {
			l.faults.at(n, e.at.key(c.field), "%s", c.msg)
			e.broken = append(e.broken, c.field)
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
