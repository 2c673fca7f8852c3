package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strconv"

	"github.com/solocron/solocron/schedule"
	"go.yaml.in/yaml/v3"
)

// hashDigits is how many hexadecimal digits tell definitions of one job apart.
const hashDigits = 16

// common is what the section defaults says, field by field, as a hash takes it.
type common struct {
	key   string
	whole bool // it is merged into what a job says, not replaced by it
	text  []byte
}

// commons reads the section defaults, which may be nil.
func commons(n *yaml.Node) []common {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var list []common
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := target(n.Content[i]), target(n.Content[i+1])
		list = append(list, common{key.Value, value.Kind == yaml.MappingNode, appendNode(nil, value)})
	}
	slices.SortFunc(list, func(a, b common) int { return cmp.Compare(a.key, b.key) })
	return list
}

// hash is the same for two definitions of a job if they say the same, whatever their
// layout, order and comments, and the rest of their files: it is made of what the job
// says, of what the defaults add to that, and of the moments that come of it. So it
// does not depend on how this program keeps a job in memory. What does not change a
// run, as tests and texts for people, counts too, but for the tests: replicas that
// differ in it show different things.
func (l *loader) hash(e *entry, planned *schedule.Schedule) string {
	own := slices.SortedFunc(slices.Values(e.pairs), func(a, b pair) int { return cmp.Compare(a.key.Value, b.key.Value) })
	h := sha256.New()
	var text []byte
	for _, p := range own {
		if p.key.Value == "tests" {
			continue
		}
		text = strconv.AppendQuote(text[:0], p.key.Value)
		_, _ = h.Write(appendNode(text, p.value)) // never fails
	}
	for i := range l.commons {
		if c := &l.commons[i]; c.whole || e.value(c.key) == nil {
			text = strconv.AppendQuote(append(text[:0], "default "...), c.key)
			_, _ = h.Write(append(text, c.text...))
		}
	}
	if planned != nil {
		_, _ = io.WriteString(h, planned.String())
	}
	return hex.EncodeToString(h.Sum(nil))[:hashDigits]
}

// appendNode writes what n says, without how: no style, order of keys, anchors or
// comments. What differs in it differs in what it says, or in how a scalar is written.
func appendNode(b []byte, n *yaml.Node) []byte {
	n = target(n)
	switch n.Kind {
	case yaml.MappingNode:
		order := make([]int, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			order = append(order, i)
		}
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Compare(target(n.Content[i]).Value, target(n.Content[j]).Value)
		})
		b = append(b, '{')
		for _, i := range order {
			b = appendNode(b, n.Content[i])
			b = appendNode(b, n.Content[i+1])
		}
		return append(b, '}')
	case yaml.SequenceNode:
		b = append(b, '[')
		for _, item := range n.Content {
			b = appendNode(b, item)
		}
		return append(b, ']')
	}
	b = append(append(b, n.ShortTag()...), ' ')
	return strconv.AppendQuote(b, n.Value)
}
