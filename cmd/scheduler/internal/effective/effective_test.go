package effective_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/cmd/scheduler/internal/effective"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

func kinds() []jobs.Kind { return jobs.Kinds(map[string]jobs.Func{"demo.seed": nil}) }

// shown is s as text.
func shown(t *testing.T, s effective.Source) string {
	t.Helper()
	s.Layout = config.Layout(kinds())
	doc, err := s.Document()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWhatIsWrittenOutMeansTheSame loads what each file that is good becomes, and
// compares it with the file.
func TestWhatIsWrittenOutMeansTheSame(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../../config/testdata/cases/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../../../../config.yaml", "testdata/all.yaml")
	now, good := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC), 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Parse(file, text, kinds())
		if err != nil {
			continue
		}
		good++
		again, err := config.Parse(file, []byte(shown(t, effective.Source{Text: text, Loaded: cfg})), kinds())
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, c := range config.Diff(cfg, again, now) {
			for _, f := range c.Fields {
				if f.Path != "retry.maxInterval" && !strings.Contains(f.Old, "[secret]") { // 0 stands for what is written out
					t.Errorf("%s: %s of %q: got %q, want %q", file, f.Path, c.Job, f.New, f.Old)
				}
			}
			if c.Kind != config.Changed {
				t.Errorf("%s: job %s: %s", file, c.Job, c.Kind)
			}
		}
	}
	if good < 15 {
		t.Errorf("%d files are good, want more of them", good)
	}
}

func TestCommentsTellWhoSaidSo(t *testing.T) {
	t.Parallel()
	text := []byte(strings.TrimLeft(`
redis: { addr: "127.0.0.1:6380", password: hunter2 }
lease: { ttl: 30s }
defaults: { timeout: 2h, labels: { team: billing, tier: "1" }, retry: { maxAttempts: 3 } }
jobs:
  - name: a
    schedule: "@hourly"
    labels: { tier: "2" }
    http: { url: "https://u:hunter4@example.org/a", headers: { Auth: hunter5 } }
  - name: b
    schedule: manual
    env: { KEY: hunter3, OTHER: { env: OTHER } }
    shell: "true"
`, "\n"))
	env := func(name string) (string, bool) {
		value, ok := map[string]string{"SCHEDULER_LEASE_TTL": "1m", "POD_NAME": "pod-7"}[name]
		return value, ok
	}
	flags := map[string]string{"namespace": "prod"}
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(file, config.Overrides{Env: env, Flags: flags}, kinds())
	if err != nil {
		t.Fatal(err)
	}
	got := shown(t, effective.Source{Text: text, Loaded: cfg, Env: env, Flags: flags})
	for _, want := range []string{
		"namespace: prod # --set\n",
		"\nreplica: pod-7 # $POD_NAME\n",
		"\n  addr: 127.0.0.1:6380 # line 1\n",
		"\n  password: '[secret]' # line 1\n",
		"\n  ttl: 1m # $SCHEDULER_LEASE_TTL\n",
		"\n  renewEvery: 20s\n", // derived from it
		"\n      tier: \"2\" # line 7\n",
		"\n      team: billing # defaults, line 3\n",
		"\n    timeout: 2h # defaults, line 3\n",
		"\n      maxAttempts: 3 # defaults, line 3\n",
		"\n      maxInterval: 5m\n",
		"\n    overlapPolicy: skip\n",
		"\n    env: {KEY: '[secret]', OTHER: {env: OTHER}} # line 11\n",
		"\n      url: \"https://secret@example.org/a\" # line 8\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(got, "hunter") {
		t.Error("a secret is shown")
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestMapsThatAreMergedAreWrittenOut(t *testing.T) {
	t.Parallel()
	text := []byte(strings.TrimLeft(`
jobs:
  - &a
    name: a
    schedule: "@hourly"
    timeout: 5m
    shell: echo a
  - <<: *a
    name: b
    timeout: 6m
`, "\n"))
	cfg, err := config.Parse("c.yaml", text, kinds())
	if err != nil {
		t.Fatal(err)
	}
	got := shown(t, effective.Source{Text: text, Loaded: cfg})
	for _, want := range []string{"- name: b # line 8\n", "timeout: 6m # line 9\n", "timeout: 5m # line 5\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "shell: echo a # line 6\n"); n != 2 {
		t.Errorf("got %d shells, want 2:\n%s", n, got)
	}
}

func TestAFileThatAliasesMakeTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("jobs:\n  - &a\n    name: a\n    schedule: manual\n    shell: x\n    labels: {")
	for i := range 64 {
		fmt.Fprintf(&text, "l%d: x, ", i)
	}
	text.WriteString("}\n")
	cfg := &config.Config{}
	const many = 100
	for i := range many {
		fmt.Fprintf(&text, "  - { <<: *a, name: a%d }\n", i)
	}
	cfg.Jobs = make([]config.Job, many+1)
	s := effective.Source{Text: []byte(text.String()), Loaded: cfg, Layout: config.Layout(kinds()), Most: 5000}
	if _, err := s.Document(); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("got %v", err)
	}
}
