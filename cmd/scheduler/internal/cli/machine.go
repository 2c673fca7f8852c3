package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Machine writes an answer for programs, in the format of v. It may be a *List, raw
// JSON or anything that becomes JSON.
func (v *View) Machine(answer any) error {
	switch v.Format {
	case FormatLines:
		return eachItem(answer, func(item any) error { return writeLine(v.Out, item) })
	case FormatName:
		return eachItem(answer, func(item any) error {
			name, err := nameOf(item)
			if err != nil {
				return err
			}
			return v.Line("%s", name)
		})
	case FormatYAML:
		return writeYAML(v.Out, answer)
	case FormatTable, FormatWide, FormatJSON:
	}
	return WriteJSON(v.Out, answer)
}

// WriteJSON writes an answer as JSON that people can read.
func WriteJSON(out io.Writer, answer any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(answer)
}

func writeLine(out io.Writer, item any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(item)
}

// eachItem does something with each item of a list, or with what is no list.
func eachItem(answer any, do func(any) error) error {
	list, ok := answer.(*List)
	if !ok {
		return do(answer)
	}
	for _, item := range list.Items {
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}

var errNameless = errors.New("-o name: this has no name")

// nameOf is the id, name or job of an item, whichever it has first.
func nameOf(item any) (string, error) {
	text, err := json.Marshal(item)
	if err != nil {
		return "", err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return "", errNameless
	}
	for _, member := range []string{"id", "name", "job", "run"} {
		var name string
		if json.Unmarshal(members[member], &name) == nil && name != "" {
			return name, nil
		}
	}
	return "", errNameless
}

// writeYAML writes an answer as YAML, with its members in the order that JSON has.
func writeYAML(out io.Writer, answer any) error {
	var text bytes.Buffer
	if err := writeLine(&text, answer); err != nil {
		return err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text.Bytes(), &doc); err != nil { // JSON is YAML
		return fmt.Errorf("as YAML: %w", err)
	}
	unquote(&doc)
	e := yaml.NewEncoder(out)
	e.SetIndent(2)
	if err := e.Encode(&doc); err != nil {
		return err
	}
	return e.Close()
}

// unquote has a node written as people write YAML. Texts that look like something
// else stay in quotes: the encoder sees to that by their tag.
func unquote(n *yaml.Node) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!str" && !ambiguous(n.Value) {
		n.Style = 0
	}
	if len(n.Content) == 0 && (n.Kind == yaml.SequenceNode || n.Kind == yaml.MappingNode) {
		n.Style = yaml.FlowStyle
	}
	for _, child := range n.Content {
		unquote(child)
	}
}

// ambiguous reports whether older readers of YAML take a bare word for a truth value.
func ambiguous(word string) bool {
	switch strings.ToLower(word) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}
