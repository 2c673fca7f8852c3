package effective

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

// text is a scalar whose value is a text, whatever it looks like.
func text(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

// plain is a scalar that is written as it is: a number, or true or false.
func plain(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: value} }

// add adds an entry to a map; a nil value adds none.
func add(m *yaml.Node, key string, value *yaml.Node) { tell(m, key, value, "") }

// tell adds an entry, and in a comment where it comes from; "": nobody said it.
func tell(m *yaml.Node, key string, value *yaml.Node, whence string) {
	if value == nil {
		return
	}
	name := text(key)
	switch {
	case whence == "":
	case value.Kind != yaml.ScalarNode && value.Style&yaml.FlowStyle == 0 || value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		name.HeadComment = whence // behind it would be in it
	default:
		value.LineComment = whence
	}
	m.Content = append(m.Content, name, value)
}

func line(n *yaml.Node) string { return "line " + strconv.Itoa(n.Line) }

// target follows an alias.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// entry is one of a map.
type entry struct {
	key   string
	value *yaml.Node
}

// maxMerge is how deep maps may be merged into each other.
const maxMerge = 100

// entries are those of the map n, aliases followed, and after them those that << merges
// in and that n does not have itself.
func entries(n *yaml.Node, depth int) []entry {
	if n == nil || n.Kind != yaml.MappingNode || depth > maxMerge {
		return nil
	}
	var own []entry
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := target(n.Content[i]), target(n.Content[i+1])
		switch {
		case key.Tag != "!!merge":
			own = append(own, entry{key.Value, value})
		case value.Kind == yaml.SequenceNode:
			for _, item := range value.Content {
				merged = append(merged, target(item))
			}
		default:
			merged = append(merged, value)
		}
	}
	for _, m := range merged {
		for _, e := range entries(m, depth+1) {
			if !slices.ContainsFunc(own, func(o entry) bool { return o.key == e.key }) {
				own = append(own, e)
			}
		}
	}
	return own
}

// child is the value of key in the map n; nil if there is none, or it is empty.
func child(n *yaml.Node, key string) *yaml.Node {
	for _, e := range entries(n, 0) {
		if e.key == key && e.value.Tag != "!!null" {
			return e.value
		}
	}
	return nil
}
