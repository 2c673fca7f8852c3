package config

import (
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"
)

// defaults reads what holds for all jobs that do not say otherwise. After a
// fault the built-in defaults hold, so that jobs are still checked.
func (l *loader) defaults(n *yaml.Node) {
	if n == nil {
		return
	}
	e := &entry{node: n, at: (*trail)(nil).key("defaults"), policy: true, before: len(l.faults.faults)}
	shape, policies := l.decoder.fields(reflect.TypeFor[Defaults]()), l.decoder.fields(reflect.TypeFor[policyFields]())
	names := slices.Concat(shape.names, policies.names)
	if n.Kind != yaml.MappingNode {
		l.faults.at(n, e.at, "must be a map with %s, not %s", listed(names), what(n))
		return
	}
	d := l.config.Defaults
	e.fields.policyFields = l.policies
	for _, p := range l.decoder.pairs(n, e.at, 0) {
		key := p.key.Value
		switch {
		case shape.index[key] != nil:
			l.setDefault(e, p, reflect.ValueOf(&d).Elem().FieldByIndex(shape.index[key]))
		case policies.index[key] != nil:
			l.setDefault(e, p, reflect.ValueOf(&e.fields.policyFields).Elem().FieldByIndex(policies.index[key]))
		case slices.Contains(l.words.job, key), laterField(key):
			l.faults.at(p.key, e.at.key(key), "cannot have a default: write it in each job")
		default:
			l.faults.at(p.key, e.at.key(key), "is unknown%s", meant(key, names))
		}
	}
	l.checkDefaults(e, d)
}

// setDefault reads p into a field.
func (l *loader) setDefault(e *entry, p pair, into reflect.Value) {
	e.pairs = append(e.pairs, p)
	if !l.decoder.value(p.value, into, e.at.key(p.key.Value)) {
		e.broken = append(e.broken, p.key.Value)
	}
}

// checkDefaults checks d as the fields of a job are, and puts it in force if it is good.
func (l *loader) checkDefaults(e *entry, d Defaults) {
	e.decoded = len(l.faults.faults)
	policies := e.fields.policyFields
	e.fields = jobFields{
		Timeout: d.Timeout, StartingDeadline: d.StartingDeadline, StopGracePeriod: d.StopGracePeriod,
		Labels: d.Labels, policyFields: policies,
	}
	l.checkLimits(e)
	d.Policies = l.checkPolicies(e, nil)
	if n := e.value("timeZone"); n != nil && e.ok("timeZone") {
		if _, err := l.zone(d.TimeZone); err != nil {
			l.faults.at(n, e.at.key("timeZone"), "%s", zoneFault(err))
		}
	}
	if len(e.broken) == 0 && e.decoded == len(l.faults.faults) {
		l.config.Defaults, l.policies = d, policies
	}
}
