package charttest_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	core "k8s.io/api/core/v1"

	"github.com/solocron/solocron/deploy/charttest"
)

// fresh compares a file with what is made for it, or writes it with -update.
func fresh(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err == nil && string(got) == want {
		return
	}
	if !*update {
		t.Errorf("%s is stale: make chart-update writes it anew", path)
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTheReadmeListsTheValues(t *testing.T) {
	t.Parallel()
	want, err := charttest.Readme(text(t, chartDir+"/README.md"), text(t, chartDir+"/values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	fresh(t, chartDir+"/README.md", want)
}

// Helm packs only what lies below the chart; so the rules and dashboards are copied.
func TestTheChartHasTheRulesAndDashboardsOfDeploy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to string }{
		{"../prometheus/*.yaml", chartDir + "/files/rules"},
		{"../grafana/*.json", chartDir + "/files/dashboards"},
	} {
		from, err := filepath.Glob(c.from)
		if err != nil || len(from) == 0 {
			t.Fatalf("%s: got %v, %v, want a file at least", c.from, from, err)
		}
		want := map[string]bool{}
		for _, path := range from {
			want[filepath.Base(path)] = true
			fresh(t, filepath.Join(c.to, filepath.Base(path)), text(t, path))
		}
		have, err := os.ReadDir(c.to)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range have {
			if !want[e.Name()] {
				t.Errorf("%s/%s is not in %s any more", c.to, e.Name(), c.from)
			}
		}
	}
}

func TestEveryAlertOfDeployIsInThePrometheusRule(t *testing.T) {
	t.Parallel()
	r := render(t, "{redis: {addr: 'redis:6379'}, prometheusRule: {enabled: true}, grafanaDashboard: {enabled: true}}")
	var rules, alerts int
	for _, g := range only(t, charttest.All[*monitoring.PrometheusRule](r)).Spec.Groups {
		rules += len(g.Rules)
	}
	files, err := filepath.Glob("../prometheus/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		alerts += strings.Count(text(t, f), "- alert:") + strings.Count(text(t, f), "- record:")
	}
	if rules != alerts || rules == 0 {
		t.Errorf("got %d rules, want %d", rules, alerts)
	}
	boards := named(t, r, "ConfigMap", "solocron-dashboards").Typed.(*core.ConfigMap).Data
	for _, name := range slices.Sorted(maps.Keys(boards)) {
		if got, want := boards[name], text(t, "../grafana/"+name); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s is not what it was", name)
		}
	}
	if len(boards) == 0 {
		t.Error("there is no dashboard")
	}
}

// The plain manifests are the chart's, for those without Helm.
func TestThePlainManifestsAreThoseOfTheChart(t *testing.T) {
	t.Parallel()
	r, err := charttest.Render(load(t), charttest.Release{
		Name: "solocron", Namespace: "solocron", Values: values(t, text(t, "../kubernetes/values.yaml")),
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# Made of deploy/helm/solocron with values.yaml beside this file, by make chart-update.\n" +
		"# README.md says how to apply it: two Secrets come first.\n")
	for _, o := range r.Objects {
		if _, hook := o.GetAnnotations()["helm.sh/hook"]; hook {
			continue
		}
		if o.Kind == "Secret" {
			t.Errorf("Secret %s would be the same for everybody", o.GetName())
		}
		b.WriteString("---\n" + o.Text)
	}
	fresh(t, "../kubernetes/solocron.yaml", strings.ReplaceAll(b.String(), "app.kubernetes.io/managed-by: Helm", "app.kubernetes.io/managed-by: kubectl"))
}
