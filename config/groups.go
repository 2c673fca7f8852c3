package config

import (
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v3"
)

const (
	maxGroups     = 1000
	maxGroupLimit = 1000 // runs at once
)

// groupFields is what YAML may say about a concurrency group.
type groupFields struct {
	Name  string `yaml:"name"`
	Limit int    `yaml:"limit"`
}

// readGroups reads the list of concurrency groups.
func (l *loader) readGroups(n *yaml.Node) {
	at := (*trail)(nil).key("concurrencyGroups")
	switch {
	case n == nil:
		return
	case n.Kind != yaml.SequenceNode:
		l.faults.at(n, at, "must be a list of maps with name and limit, not %s", what(n))
		return
	case len(n.Content) > maxGroups:
		l.faults.at(n, at, "holds %d groups: at most %d", len(n.Content), maxGroups)
		return
	}
	for i, item := range n.Content {
		l.readGroup(target(item), at.key("["+strconv.Itoa(i)+"]"))
	}
}

// readGroup reads one group and adds it to the configuration. One with a fault is
// known by its name all the same: jobs that name it are right to.
func (l *loader) readGroup(n *yaml.Node, at *trail) {
	if name := find(n, "name"); name != nil && name.Kind == yaml.ScalarNode && badName(name.Value) == "" {
		at = at.up.key("[" + name.Value + "]")
	}
	f := groupFields{Limit: 1}
	ok := l.decoder.value(n, reflect.ValueOf(&f).Elem(), at)
	if n.Kind != yaml.MappingNode {
		return
	}
	name, limit := nearestNode(n, "name"), nearestNode(n, "limit")
	switch msg := badName(f.Name); {
	case find(n, "name") == nil:
		l.faults.at(n, at.key("name"), "is missing: jobs name the group by it")
	case msg != "" && ok:
		l.faults.at(name, at.key("name"), "%s", msg)
	case l.groups[f.Name] != 0:
		l.faults.at(name, at.key("name"), "%s", twice(l.groups[f.Name], name.Line))
		return
	}
	if msg := outside(f.Limit, 1, maxGroupLimit); ok && (msg != "" || find(n, "limit") == nil) {
		l.faults.at(limit, at.key("limit"), "must be from 1 to %d: so many runs at once", maxGroupLimit)
	}
	if f.Name != "" {
		l.groups[f.Name] = name.Line
	}
	l.config.Groups = append(l.config.Groups, Group(f))
}
