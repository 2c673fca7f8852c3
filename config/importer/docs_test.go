package importer_test

import (
	"os"
	"strings"
	"testing"

	"github.com/solocron/solocron/config/importer"
)

// TestTheDocumentsShowWhatTheImporterAnswers compares the examples of docs with
// imports of them; -update writes what is right.
func TestTheDocumentsShowWhatTheImporterAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, input string
		read        func(text string) (importer.Result, error)
	}{
		{"../../docs/migrate-crontab.md", "crontab", func(text string) (importer.Result, error) {
			return importer.Crontab(strings.NewReader(text), importer.Options{Name: "my.crontab", TimeZone: "Europe/Berlin"})
		}},
		{"../../docs/migrate-kubernetes.md", "yaml manifest", func(text string) (importer.Result, error) {
			return importer.CronJob(strings.NewReader(text))
		}},
	} {
		data, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		doc := string(data)
		input, _ := block(t, doc, c.input)
		r, err := c.read(input)
		if err != nil {
			t.Fatal(err)
		}
		loaded(t, r)
		notes := ""
		for _, n := range r.Notes {
			notes += n.String() + "\n"
		}
		right := replace(t, replace(t, doc, "yaml", string(r.YAML)), "notes", notes)
		if *update {
			if err := os.WriteFile(c.file, []byte(right), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if doc != right {
			t.Errorf("%s is stale: go test ./config/importer -run Documents -update", c.file)
		}
	}
}

// block is the first block of a document with a label, and where it begins.
func block(t *testing.T, doc, label string) (text string, start int) {
	t.Helper()
	mark := "```" + label + "\n"
	i := strings.Index(doc, mark)
	if i < 0 {
		t.Fatalf("there is no block %q", label)
	}
	start = i + len(mark)
	end := strings.Index(doc[start:], "```")
	return doc[start : start+end], start
}

func replace(t *testing.T, doc, label, text string) string {
	t.Helper()
	old, start := block(t, doc, label)
	return doc[:start] + text + doc[start+len(old):]
}
