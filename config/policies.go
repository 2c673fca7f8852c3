package config

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/solocron/solocron/jobs"
	"go.yaml.in/yaml/v3"
)

// checkPolicies reports what is wrong with the policies of a job, or of defaults,
// and returns them.
func (l *loader) checkPolicies(e *entry, runner jobs.Runner) jobs.Policies {
	if common := l.config.Defaults.Policies; !e.policy && common.Overlap != jobs.AllowOverlap {
		return common // most jobs; only allow does not go with every job
	}
	f := &e.fields
	l.checkWritten(e)
	l.checkTrouble(e)
	j := jobs.Job{Name: f.Name, Runner: runner, Policies: f.policyFields.policies()}
	if written(e.value("catchup"), "max") {
		j.Catchup.Max = f.Catchup.Max
	}
	if written(e.value("catchup"), "spacing") {
		j.Catchup.Spacing = f.Catchup.Spacing
	}
	if j.Overlap == jobs.QueueOverlap || e.value("queueLimit") != nil {
		j.QueueLimit = f.QueueLimit
	}
	j.Group, j.Params = l.group(e), e.params
	j.DependsOn, j.Triggers = f.dependsOn(), f.triggers()
	j.Shadow = l.shadow(e)
	l.blamePolicies(e, j.CheckPolicies())
	return inForce(j.Policies)
}

// inForce takes out of p what has no effect, and what is the default of package
// jobs: most jobs have the zero Policies.
func inForce(p jobs.Policies) jobs.Policies {
	if p.Retry.MaxAttempts <= 1 {
		p.Retry = jobs.Retry{}
	}
	if p.History == (jobs.History{}).WithDefaults() {
		p.History = jobs.History{}
	}
	if p.LogLimit == jobs.DefaultLogLimit {
		p.LogLimit = 0
	}
	return p
}

// blamePolicies reports what err says, but for what is said already. A part of a
// field with a fault may be missing from its value; that is no second fault.
func (l *loader) blamePolicies(e *entry, err error) {
	if err == nil {
		return
	}
	for _, one := range parts(err) {
		field, ok := errors.AsType[*jobs.FieldError](one)
		if !ok || !l.known(e, field.Field) {
			l.blameFields(one, target(e.node), e.at)
		}
	}
}

// parts returns the errors that err joins, or err.
func parts(err error) []error {
	if many, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // the parts are what is wanted
		return many.Unwrap()
	}
	return []error{err}
}

// known reports whether reading the fields of e found a fault at a field such as
// params[0].name, around it, or at the same item of a list.
func (l *loader) known(e *entry, field string) bool {
	own := l.faults.faults[e.before:e.decoded]
	if len(own) == 0 {
		return false
	}
	at := e.at.String() + "."
	item := field
	if i := strings.IndexByte(field, ']'); i > 0 {
		item = field[:i+1]
	}
	return slices.ContainsFunc(own, func(f Fault) bool {
		path, ok := strings.CutPrefix(f.Path, at)
		return ok && (strings.HasPrefix(path, item) || strings.HasPrefix(field, path+".") || strings.HasPrefix(field, path+"["))
	})
}

// checkWritten reports zeros and empty words, which package jobs takes for "not
// said", where they are written. What is not written has a value by now.
func (l *loader) checkWritten(e *entry) {
	f := &e.fields
	for _, c := range []struct {
		field, below string
		zero         bool
		msg          string
	}{
		{"overlapPolicy", "", f.OverlapPolicy == "", "is empty: write skip, queue, replace or allow"},
		{"queueLimit", "", f.QueueLimit == 0, "must be from 1 to 1000"},
		{"catchup", "policy", f.Catchup.Policy == "", "is empty: write latest, none or all"},
		{"catchup", "max", f.Catchup.Max == 0, "must be from 1 to 1000"},
		{"retry", "maxAttempts", f.Retry.MaxAttempts == 0, "must be from 1 to 100"},
		{"retry", "initialInterval", f.Retry.InitialInterval == 0, "must be from 100ms to 24h"},
		{"retry", "backoffCoefficient", f.Retry.BackoffCoefficient == 0, "must be from 1 to 10"},
		{"retry", "maxInterval", f.Retry.MaxInterval == 0, "must not be less than initialInterval"},
		{"history", "succeeded", f.History.Succeeded == 0, "must be from 1 to 10000: the last one is kept in any case"},
		{"history", "failed", f.History.Failed == 0, "must be from 1 to 10000: the last one is kept in any case"},
		{"history", "maxAge", f.History.MaxAge == 0, "must be more than 0"},
	} {
		if !c.zero {
			continue
		}
		n, at := e.value(c.field), e.at.key(c.field)
		if c.below != "" && n != nil {
			n, at = find(n, c.below), at.key(c.below)
		}
		if n != nil {
			l.faults.at(n, at, "%s", c.msg)
		}
	}
	l.checkItems(e)
}

// checkItems does the same for the items of lists.
func (l *loader) checkItems(e *entry) {
	for _, field := range []string{"params", "dependsOn", "triggers"} {
		n := e.value(field)
		if n == nil || n.Kind != yaml.SequenceNode {
			continue
		}
		for i, item := range n.Content[:min(len(n.Content), e.items(field))] {
			if !l.known(e, field+"["+strconv.Itoa(i)+"]") {
				l.checkItem(e, target(item), e.at.key(field).index(i), field, i)
			}
		}
	}
}

// items is how many items of a list have been read.
func (e *entry) items(field string) int {
	switch field {
	case "params":
		return len(e.fields.Params)
	case "dependsOn":
		return len(e.fields.DependsOn)
	}
	return len(e.fields.Triggers)
}

func (l *loader) checkItem(e *entry, n *yaml.Node, at *trail, field string, i int) {
	empty := func(key, msg string) {
		if v := find(n, key); v != nil {
			l.faults.at(v, at.key(key), "%s", msg)
		}
	}
	const condition = "is empty: write succeeded, failed or finished"
	switch f := &e.fields; {
	case field == "params" && f.Params[i].Type == "":
		empty("type", "is empty: write string, int, number or bool")
	case field == "triggers" && f.Triggers[i].Condition == "":
		empty("condition", condition)
	case field == "dependsOn":
		if f.DependsOn[i].Condition == "" {
			empty("condition", condition)
		}
		if f.DependsOn[i].Window == 0 {
			empty("window", "must be more than 0")
		}
	}
}

// written reports whether key stands below n, which may be nil.
func written(n *yaml.Node, key string) bool { return n != nil && find(n, key) != nil }

// shadow reads the mode of a job.
func (l *loader) shadow(e *entry) bool {
	n := e.value("mode")
	if n == nil || !e.ok("mode") {
		return false
	}
	switch mode := e.fields.Mode; mode {
	case "active":
		return false
	case "shadow":
		return true
	default:
		l.faults.at(n, e.at.key("mode"), "%s is no mode%s", quote(mode), meantName(mode, []string{"active", "shadow"}, ""))
		return false
	}
}

// group returns the concurrency group of a job, "" if it has none or none that is known.
func (l *loader) group(e *entry) string {
	n, name := e.value("concurrencyGroup"), e.fields.ConcurrencyGroup
	if n == nil || !e.ok("concurrencyGroup") {
		return ""
	}
	if _, known := l.groups[name]; known {
		return name
	}
	names := slices.Sorted(maps.Keys(l.groups))
	l.faults.at(n, e.at.key("concurrencyGroup"), "%s is no concurrency group%s", quote(name), meantName(name, names, "below the key concurrencyGroups at the top of the file"))
	return ""
}

// meantName says what name may have been meant to be.
func meantName(name string, names []string, where string) string {
	switch guess := jobs.Nearest(name, names); {
	case guess != "":
		return ": did you mean " + guess + "?"
	case len(names) == 0:
		return ": there are none " + where
	}
	return ": there are " + listed(names)
}
