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
	e := &entry{node: n, at: (*trail)(nil).key("defaults")}
	shape := l.decoder.fields(reflect.TypeFor[Defaults]())
	if n.Kind != yaml.MappingNode {
		l.faults.at(n, e.at, "must be a map with %s, not %s", listed(shape.names), what(n))
		return
	}
	e.pairs = l.decoder.pairs(n, e.at, 0)
	d := l.config.Defaults
	for _, p := range e.pairs {
		key := p.key.Value
		index, known := shape.index[key]
		switch {
		case known:
			if !l.decoder.value(p.value, reflect.ValueOf(&d).Elem().FieldByIndex(index), e.at.key(key)) {
				e.broken = append(e.broken, key)
			}
		case slices.Contains(l.words.job, key), laterField(key):
			l.faults.at(p.key, e.at.key(key), "cannot have a default: write it in each job")
		default:
			l.faults.at(p.key, e.at.key(key), "is unknown%s", meant(key, shape.names))
		}
	}
	l.checkDefaults(e, d)
}

// checkDefaults checks d as the fields of a job are, and puts it in force if it is good.
func (l *loader) checkDefaults(e *entry, d Defaults) {
	before := len(l.faults.faults)
	e.fields = jobFields{
		Timeout: d.Timeout, StartingDeadline: d.StartingDeadline, StopGracePeriod: d.StopGracePeriod,
		OverlapPolicy: "skip", Labels: d.Labels,
	}
	l.checkLimits(e)
	if n := e.value("timeZone"); n != nil && e.ok("timeZone") {
		if _, err := l.zone(d.TimeZone); err != nil {
			l.faults.at(n, e.at.key("timeZone"), "%s", zoneFault(err))
		}
	}
	if len(e.broken) == 0 && before == len(l.faults.faults) {
		l.config.Defaults = d
	}
}
