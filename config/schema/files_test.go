package schema_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// plain turns YAML into what an editor has a schema judge: the values of the core
// schema of YAML, merges done.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.DocumentNode:
		return plain(n.Content[0])
	case yaml.AliasNode:
		return plain(n.Alias)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = plain(item)
		}
		return list
	case yaml.MappingNode:
		own, merged := map[string]any{}, map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Tag == "!!merge" {
				if m, ok := plain(n.Content[i+1]).(map[string]any); ok {
					maps.Copy(merged, m)
				}
				continue
			}
			own[n.Content[i].Value] = plain(n.Content[i+1])
		}
		maps.Copy(merged, own)
		return merged
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil {
			return f
		}
	}
	return n.Value
}

// verdict is what the schema says to a text, nil if it is YAML and valid.
func verdict(s *jsonschema.Schema, text []byte) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("not YAML: %w", err)
	}
	if doc.Kind == 0 {
		return s.Validate(nil)
	}
	return s.Validate(plain(&doc))
}

// beyond lists the cases that the loader refuses for reasons that no schema sees,
// with the reason.
func beyond() map[string]string {
	return map[string]string{
		"16-duplicate-key":       "a parser's business: an object has each key once",
		"17-duplicate-jobs-key":  "the same",
		"28g-timeout":            "a length that does not fit is well formed",
		"40-escaped-nul":         "a control character in a text",
		"43-missing-schedule":    "a job that another one triggers needs none",
		"46a-timezone":           "which zones there are",
		"46b-timezone":           "the same",
		"46c-timezone":           "the same",
		"46f-timezone":           "the same",
		"46h-timezone":           "the same",
		"47-zone-twice":          "what stands in a schedule",
		"48-crontab-line-pasted": "the same",
		"49-never-fires":         "the same",
		"50-panic-spec":          "the same",
		"55-windows-path":        "control characters in a text",
	}
}

func TestTheSchemaJudgesTheSharedCasesAsTheLoaderDoes(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	list := files(t, "../testdata/cases/*.yaml")
	if len(list) < 60 {
		t.Fatalf("got %d cases, want them all", len(list))
	}
	used := 0
	for _, file := range list {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if name == "41-alias-bomb" || name == "42-deep-nesting" {
			continue // no editor unfolds them either; the loader's own tests have them
		}
		_, loaded := config.Parse(file, data, kinds())
		got := verdict(s, data)
		reason, known := beyond()[name]
		switch {
		case loaded == nil && got != nil:
			t.Errorf("%s: the loader accepts it, the schema says %v", name, got)
		case loaded != nil && got == nil && reason == "":
			t.Errorf("%s: the schema accepts what the loader refuses: %v", name, loaded)
		case known && (loaded == nil || got != nil):
			t.Errorf("%s is listed as beyond the schema (%s), and is not: loader %v, schema %v", name, reason, loaded, got)
		}
		if known {
			used++
		}
	}
	if used != len(beyond()) {
		t.Errorf("met %d cases that are beyond the schema, want %d", used, len(beyond()))
	}
}

func TestTheSchemaAcceptsTheSample(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := verdict(compiled(t), data); err != nil {
		t.Error(err)
	}
}

// TestTheSchemaAcceptsTheExamplesOfTheDocuments takes each key of a block by itself
// where the block shows parts of a file.
func TestTheSchemaAcceptsTheExamplesOfTheDocuments(t *testing.T) {
	t.Parallel()
	s, blocks := compiled(t), 0
	for _, file := range files(t, "../../README.md", "../../docs/*.md", "../../docs/adr/*.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split(string(data), "```yaml\n")[1:] {
			block, _, _ := strings.Cut(part, "```")
			var doc yaml.Node
			if err := yaml.Unmarshal([]byte(block), &doc); err != nil {
				t.Errorf("%s, block %d: %v", file, i+1, err)
				continue
			}
			blocks++
			for _, whole := range completed(doc.Content[0]) {
				if err := s.Validate(whole); err != nil {
					t.Errorf("%s, block %d: %v\n%v", file, i+1, err, whole)
				}
			}
		}
	}
	if blocks < 15 {
		t.Errorf("found %d blocks, want all", blocks)
	}
}

// completed makes whole files of what a block shows: a file, a job, or keys of either.
func completed(n *yaml.Node) []any {
	if n.Kind == yaml.SequenceNode {
		return []any{map[string]any{"jobs": plain(n)}}
	}
	var list []any
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "jobs" {
			return []any{plain(n)}
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		job := map[string]any{"name": "a", "schedule": "@daily"}
		whole := map[string]any{"jobs": []any{job}}
		switch {
		case slices.ContainsFunc(config.Layout(nil).Parts, func(p config.Part) bool { return p.Key == key }):
			whole[key] = plain(n.Content[i+1])
			job["shell"] = "true"
		default:
			job[key] = plain(n.Content[i+1])
			if !slices.ContainsFunc(kinds(), func(k jobs.Kind) bool { return k.Name == key }) {
				job["shell"] = "true"
			}
		}
		list = append(list, whole)
	}
	return list
}

func TestWhatNobodyMeansIsRefused(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	const job = "{name: a, schedule: '0 5 * * *', shell: x%s}"
	for _, c := range []struct{ name, text string }{
		{"no kind", "jobs: [{name: a, schedule: '0 5 * * *'}]"},
		{"two kinds", "jobs: [" + fmt.Sprintf(job, ", func: f") + "]"},
		{"unknown field", "jobs: [" + fmt.Sprintf(job, ", timezon: UTC") + "]"},
		{"bare number of seconds", "jobs: [" + fmt.Sprintf(job, ", timeout: 90") + "]"},
		{"unknown word", "jobs: [" + fmt.Sprintf(job, ", overlapPolicy: never") + "]"},
		{"unknown short form", "jobs: [" + fmt.Sprintf(job, ", catchup: some") + "]"},
		{"no jobs", "namespace: a"},
		{"empty list", "jobs: []"},
		{"too many attempts", "jobs: [" + fmt.Sprintf(job, ", retry: {maxAttempts: 101}") + "]"},
		{"secret from nowhere", "jobs: [" + fmt.Sprintf(job, ", env: {A: {vault: x}}") + "]"},
		{"secret from two places", "jobs: [" + fmt.Sprintf(job, ", env: {A: {env: x, file: y}}") + "]"},
		{"command as a text", "jobs: [{name: a, schedule: '0 5 * * *', command: /bin/true}]"},
	} {
		_, loaded := config.Parse("c.yaml", []byte(c.text), kinds())
		if err := verdict(s, []byte(c.text)); err == nil || loaded == nil {
			t.Errorf("%s: got the schema's %v and the loader's %v, want both to refuse", c.name, err, loaded)
		}
	}
}

func TestWhatTheLoaderTakesInMoreThanOneFormIsAccepted(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	for _, extra := range []string{
		"timeout: 0", "timeout: '0'", "timeout: 1.5h", "timeout: 1d12h", "suspend: 'true'", "schedule: ['0 5 * * *', '@daily']",
		"retry: {maxAttempts: '3'}", "catchup: none", "dependsOn: b", "dependsOn: [b, {job: c, window: 1h}]", "triggers: b",
		"env: {A: {env: B}, C: {file: /d}, E: true, F: 1}", "startAt: 2026-01-01", "startAt:", "logs: {maxBytes: 65536}", "logs: {maxBytes: 1Mi}",
		"overlapPolicy: Forbid", "labels: {tier: 1}", "successExitCodes: [2, 3]", "params: [{name: a, type: int, default: 1, choices: [1, 2]}]",
	} {
		text := "jobs:\n- {name: b, schedule: manual, shell: x}\n- {name: c, schedule: manual, shell: x}\n- name: a\n  shell: x\n  " + extra + "\n"
		if !strings.HasPrefix(extra, "schedule") {
			text += "  schedule: 0 5 * * *\n"
		}
		if _, err := config.Parse("c.yaml", []byte(text), kinds()); err != nil {
			t.Errorf("%s: the loader says %v", extra, err)
		}
		if err := verdict(s, []byte(text)); err != nil {
			t.Errorf("%s: the schema says %v", extra, err)
		}
	}
}
