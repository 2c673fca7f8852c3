package importer_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/config/importer"
	"github.com/solocron/solocron/jobs"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// crontab imports text and fails the test if it cannot be read.
func crontab(t *testing.T, text string, o importer.Options) importer.Result {
	t.Helper()
	r, err := importer.Crontab(strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func cronJobs(t *testing.T, text string) importer.Result {
	t.Helper()
	r, err := importer.CronJob(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// loaded parses what was imported; a fault fails the test.
func loaded(t *testing.T, r importer.Result) *config.Config {
	t.Helper()
	cfg, err := config.Parse("import.yaml", r.YAML, jobs.Kinds(nil))
	if err != nil {
		t.Fatalf("%v in\n%s", err, r.YAML)
	}
	if len(cfg.Jobs) != r.Jobs {
		t.Fatalf("the file has %d jobs, the result says %d", len(cfg.Jobs), r.Jobs)
	}
	return cfg
}

// says reports whether a note about a line holds all of words.
func says(r importer.Result, line int, s importer.Severity, words ...string) bool {
	for _, n := range r.Notes {
		all := n.Line == line && n.Severity == s
		for _, w := range words {
			all = all && strings.Contains(n.Msg, w)
		}
		if all {
			return true
		}
	}
	return false
}

func TestImportsReadAsTheirGoldenFilesSay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file string
		read func(*os.File) (importer.Result, error)
	}{
		{"user.crontab", func(f *os.File) (importer.Result, error) {
			return importer.Crontab(f, importer.Options{Name: "user.crontab"})
		}},
		{"system.crontab", func(f *os.File) (importer.Result, error) {
			return importer.Crontab(f, importer.Options{Name: "/etc/crontab", System: true, TimeZone: "Europe/Vienna"})
		}},
		{"shop.k8s.yaml", func(f *os.File) (importer.Result, error) { return importer.CronJob(f) }},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(filepath.Join("testdata", c.file))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, err := c.read(f)
			if err != nil {
				t.Fatal(err)
			}
			loaded(t, r)
			notes := ""
			for _, n := range r.Notes {
				notes += n.String() + "\n"
			}
			golden(t, c.file+".golden.yaml", string(r.YAML))
			golden(t, c.file+".golden.notes", notes)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}
