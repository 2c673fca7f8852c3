package importer

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// draft is one job while it is made.
type draft struct {
	line     int
	name     string
	comments []string // above it, without the #
	user     string   // as whom it ran; "": the one whose crontab it is
	zoneless bool     // nobody named the zone that it is in
	body     yaml.Node
}

func newDraft(line int, name string) *draft {
	d := &draft{line: line, name: name, body: yaml.Node{Kind: yaml.MappingNode}}
	d.text("name", name)
	return d
}

// set adds a field.
func (d *draft) set(key string, value *yaml.Node) {
	d.body.Content = append(d.body.Content, word(key), value)
}

// text adds a field whose value is text, in quotes where YAML would read something else.
func (d *draft) text(key, value string) { d.set(key, word(value)) }

// quoted adds text that always stands in quotes, as a schedule should.
func (d *draft) quoted(key, value string) {
	d.set(key, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: value})
}

// plain adds a value that is no text: a number, a length of time, true.
func (d *draft) plain(key, value string) { d.set(key, &yaml.Node{Kind: yaml.ScalarNode, Value: value}) }

// word is a text as YAML has it.
func word(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.Contains(s, "\n") {
		n.Style = yaml.LiteralStyle
	}
	return n
}

// flow is a list on one line.
func flow(items ...string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, item := range items {
		n.Content = append(n.Content, word(item))
	}
	return n
}

// pairs is a map.
func pairs(list ...*yaml.Node) *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Content: list} }

// render writes d as an item of the list of jobs.
func (d *draft) render() (string, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&d.body); err != nil {
		return "", fmt.Errorf("job %q: %w", d.name, err)
	}
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		switch {
		case i == 0:
			out.WriteString("  - " + line + "\n")
		case line == "":
			out.WriteByte('\n')
		default:
			out.WriteString("    " + line + "\n")
		}
	}
	return out.String(), nil
}
