package prometheus_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/deploy/prometheus"
	"github.com/solocron/solocron/telemetry"
)

// rule is an alert or a recording rule.
type rule struct {
	Alert       string            `yaml:"alert"`
	Record      string            `yaml:"record"`
	Expr        string            `yaml:"expr"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// rules is all of a file.
func rules(t *testing.T, name string) []rule {
	t.Helper()
	text, err := prometheus.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Rules []rule `yaml:"rules"`
		} `yaml:"groups"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var all []rule
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

// promtool runs Debian's promtool, without which the rules are not tested.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		if os.Getenv("SOLOCRON_ALLOW_SKIP") == "1" {
			t.Skip("no promtool: install Debian's package prometheus")
		}
		t.Fatal("no promtool: install Debian's package prometheus, or set SOLOCRON_ALLOW_SKIP=1")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, path, args...).CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func TestPromtoolAcceptsTheRules(t *testing.T) {
	t.Parallel()
	promtool(t, "check", "rules", "alerts.yaml", "recording.yaml")
}

func TestEachTroubleFiresItsAlertAndNoOther(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("tests/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("tests of rules: got %v, %v", files, err)
	}
	promtool(t, append([]string{"test", "rules"}, files...)...)
}

// check is a question of a test of rules and what is to be answered.
type check struct {
	Samples []struct {
		Labels string `yaml:"labels"`
	} `yaml:"exp_samples"`
}

func TestEachAlertIsSeenToFireAndToClear(t *testing.T) {
	t.Parallel()
	fires, clears := map[string]bool{}, map[string]bool{}
	files, _ := filepath.Glob("tests/*.yaml")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Tests []struct {
				Checks []check `yaml:"promql_expr_test"`
			} `yaml:"tests"`
		}
		if err := yaml.Unmarshal(text, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, test := range file.Tests {
			note(test.Checks, fires, clears)
		}
	}
	for _, r := range rules(t, "alerts.yaml") {
		if !fires[r.Alert] {
			t.Errorf("%s: no test sees it fire", r.Alert)
		}
		if !clears[r.Alert] {
			t.Errorf("%s: no test sees it clear after it has fired", r.Alert)
		}
	}
}

// note takes down which alerts fire in the checks of a test, and which of those do
// not in a later one.
func note(checks []check, fires, clears map[string]bool) {
	here := map[string]bool{}
	for _, c := range checks {
		var now []string
		for _, s := range c.Samples {
			if name, ok := strings.CutPrefix(s.Labels, `{alertname="`); ok {
				now = append(now, strings.TrimSuffix(name, `"}`))
			}
		}
		for name := range here {
			clears[name] = clears[name] || !slices.Contains(now, name)
		}
		for _, name := range now {
			here[name], fires[name] = true, true
		}
	}
}

func TestEachAlertSaysWhatItIsAndWhereToRead(t *testing.T) {
	t.Parallel()
	runbook, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules(t, "alerts.yaml") {
		if !strings.Contains(string(runbook), "\n### "+r.Alert+"\n") {
			t.Errorf("%s: docs/operations.md does not say what to do", r.Alert)
		}
		if !slices.Contains([]string{"critical", "warning", "info"}, r.Labels["severity"]) {
			t.Errorf("%s: severity %q", r.Alert, r.Labels["severity"])
		}
		for _, a := range []string{"summary", "description"} {
			if r.Annotations[a] == "" {
				t.Errorf("%s: no %s", r.Alert, a)
			}
		}
		if want := "docs/operations.md#" + strings.ToLower(r.Alert); !strings.HasSuffix(r.Annotations["runbook_url"], want) {
			t.Errorf("%s: runbook %q, want one that ends in %s", r.Alert, r.Annotations["runbook_url"], want)
		}
	}
}

func TestRulesAskOnlyForMetricsThatExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, i := range telemetry.NewMetrics(client.NewRegistry()).Catalogue() {
		known[i.Name] = true
		if i.Type == "histogram" {
			known[i.Name+"_bucket"], known[i.Name+"_count"], known[i.Name+"_sum"] = true, true, true
		}
	}
	name := regexp.MustCompile(`\bsolocron_[a-z0-9_]+`)
	for _, r := range append(rules(t, "alerts.yaml"), rules(t, "recording.yaml")...) {
		for _, m := range name.FindAllString(r.Expr, -1) {
			if !known[m] {
				t.Errorf("%s%s asks for %s, which does not exist", r.Alert, r.Record, m)
			}
		}
	}
}
