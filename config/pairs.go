package config

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// pair is one entry of a map, aliases followed.
type pair struct {
	key   *yaml.Node // a scalar
	value *yaml.Node
}

// target follows an alias.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// pairs returns the entries of the map n, those merged in by << last. A key
// given twice is a fault; a key that is merged and given is the given one.
func (d *decoder) pairs(n *yaml.Node, at *trail, depth int) []pair {
	list := make([]pair, 0, len(n.Content)/2)
	var merged []*yaml.Node
	seen := newKeys(len(n.Content) / 2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := target(n.Content[i]), target(n.Content[i+1])
		switch {
		case key.Kind != yaml.ScalarNode:
			d.faults.at(n.Content[i], at, "a key must be text, not %s", what(key))
		case key.Tag == "!!merge":
			merged = append(merged, value)
		default:
			if first := seen.add(key, list); first != nil {
				d.faults.at(n.Content[i], at.key(key.Value), "%s", twice(first.Line, n.Content[i].Line))
				continue
			}
			list = append(list, pair{key, value})
		}
	}
	for _, m := range merged {
		list = d.merge(list, seen, m, at, depth)
	}
	return list
}

// twice says where two of a thing stand that there may be one of.
func twice(first, second int) string {
	if first == second {
		return "stands twice in line " + strconv.Itoa(first)
	}
	return "stands twice: in lines " + strconv.Itoa(first) + " and " + strconv.Itoa(second)
}

// merge adds to list what the map m, or each map of the list m, has and list has not.
func (d *decoder) merge(list []pair, seen keys, m *yaml.Node, at *trail, depth int) []pair {
	if depth > maxDepth {
		d.faults.at(m, at, "is nested too deep: at most %d levels", maxDepth)
		return list
	}
	switch m.Kind {
	case yaml.MappingNode:
		for _, p := range d.pairs(m, at, depth+1) {
			if seen.add(p.key, list) == nil {
				list = append(list, p)
			}
		}
	case yaml.SequenceNode:
		for _, item := range m.Content {
			list = d.merge(list, seen, target(item), at, depth+1)
		}
	default:
		d.faults.at(m, at.key("<<"), "must be a map to merge, not %s", what(m))
	}
	return list
}

// keys finds a key given before. Few are compared one by one, many are looked up.
type keys map[string]*yaml.Node

const fewKeys = 16

func newKeys(n int) keys {
	if n <= fewKeys {
		return nil
	}
	return make(keys, n)
}

// add returns the key of list equal to key, nil if key is new.
func (k keys) add(key *yaml.Node, list []pair) *yaml.Node {
	if k == nil {
		for _, p := range list {
			if p.key.Value == key.Value {
				return p.key
			}
		}
		return nil
	}
	if first, ok := k[key.Value]; ok {
		return first
	}
	k[key.Value] = key
	return nil
}

// find returns the value of key in the map n, or the item of the list n with
// that index, nil if there is none.
func find(n *yaml.Node, key string) *yaml.Node {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return target(n.Content[i+1])
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Content) {
			return target(n.Content[i])
		}
	}
	return nil
}
