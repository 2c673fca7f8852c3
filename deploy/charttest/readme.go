package charttest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Between these lines of the chart's README stands what Table makes.
const (
	tableBegin = "<!-- made of values.yaml by make chart-update -->\n"
	tableEnd   = "<!-- end -->\n"
)

// Readme returns the README with the table of values put in place.
func Readme(readme, values string) (string, error) {
	head, rest, ok := strings.Cut(readme, tableBegin)
	_, tail, ended := strings.Cut(rest, tableEnd)
	if !ok || !ended {
		return "", fmt.Errorf("the README lacks the line %q or %q", tableBegin, tableEnd)
	}
	table, err := Table(values)
	if err != nil {
		return "", err
	}
	return head + tableBegin + table + tableEnd + tail, nil
}

// Table lists the values of a chart with their defaults and what their comments say, as
// a table of Markdown. A comment counts if it begins with two dashes; a map that has one
// is one value.
func Table(values string) (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(values), &doc); err != nil {
		return "", fmt.Errorf("values: %w", err)
	}
	var b strings.Builder
	b.WriteString("| value | default | |\n|---|---|---|\n")
	if err := rows(&b, "", doc.Content[0]); err != nil {
		return "", err
	}
	return b.String(), nil
}

func rows(b *strings.Builder, prefix string, m *yaml.Node) error {
	for pair := range slices.Chunk(m.Content, 2) {
		key, value := pair[0], pair[1]
		comment := said(key.HeadComment)
		if value.Kind == yaml.MappingNode && len(value.Content) > 0 && value.Style&yaml.FlowStyle == 0 && comment == "" {
			if err := rows(b, prefix+key.Value+".", value); err != nil {
				return err
			}
			continue
		}
		var v any
		if err := value.Decode(&v); err != nil {
			return fmt.Errorf("%s%s: %w", prefix, key.Value, err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("%s%s: %w", prefix, key.Value, err)
		}
		fmt.Fprintf(b, "| `%s%s` | `%s` | %s |\n", prefix, key.Value, text, comment)
	}
	return nil
}

// said is what a comment says of a value.
func said(comment string) string {
	_, text, ok := strings.Cut(comment, "# -- ")
	if !ok {
		return ""
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n# ", " "), "|", `\|`)
}
