package charttest_test

import (
	"strings"
	"testing"

	core "k8s.io/api/core/v1"

	"github.com/solocron/solocron/deploy/charttest"
)

// configOf returns the file that the pods read.
func configOf(t *testing.T, r charttest.Rendered) string {
	t.Helper()
	return named(t, r, "ConfigMap", "solocron").Typed.(*core.ConfigMap).Data["config.yaml"]
}

func TestOnlyAChangeOfSettingsRollsThePods(t *testing.T) {
	t.Parallel()
	pods := func(values string) string {
		return charttest.Pods(render(t, values))["Deployment/solocron"].Annotations["checksum/settings"]
	}
	before := pods(plain)
	if before == "" {
		t.Fatal("the pods do not know of the settings")
	}
	for _, c := range []struct {
		name, values string
		rolls        bool
	}{
		{"job", "{redis: {addr: 'redis:6379'}, jobs: [{name: other, schedule: '@daily', func: x}]}", false},
		{"defaults", "{redis: {addr: 'redis:6379'}, defaults: {timeout: 5m}}", false},
		{"text of the jobs", "{redis: {addr: 'redis:6379'}, jobsFile: 'jobs: [{name: other}]'}", false},
		{"generation", "{redis: {addr: 'redis:6379'}, generation: 1795990000}", false},
		{"lease", "{redis: {addr: 'redis:6379'}, config: {lease: {ttl: 15s}}}", true},
		{"redis", "{redis: {addr: 'other:6379'}}", true},
		{"grace", "{redis: {addr: 'redis:6379'}, shutdownGrace: 20s}", true},
	} {
		if got := pods(c.values) != before; got != c.rolls {
			t.Errorf("a change of %s: rolls the pods is %v, want %v", c.name, got, c.rolls)
		}
	}
}

func TestTheTextOfTheJobsStaysAsItIs(t *testing.T) {
	t.Parallel()
	const jobs = "# mine\njobs:\n  - name: a # here\n    schedule: '010 * * * *'\n    command: [echo, \"{{ .Tick }}\", 010]\n"
	r, err := charttest.Render(load(t), charttest.Release{Name: "solocron", Namespace: "jobs", Values: map[string]any{
		"redis": map[string]any{"addr": "redis:6379"}, "jobsFile": jobs,
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := configOf(t, r)
	if want := jobs; len(got) < len(want) || got[len(got)-len(want):] != want {
		t.Errorf("got\n%s\nwant it to end in\n%s", got, want)
	}
}

func TestTwoReleasesDoNotShareKeys(t *testing.T) {
	t.Parallel()
	name := func(r charttest.Release) any {
		r.Values = values(t, plain)
		out, err := charttest.Render(load(t), r)
		if err != nil {
			t.Fatal(err)
		}
		cm := only(t, charttest.All[*core.ConfigMap](out))
		return values(t, cm.Data["config.yaml"])["namespace"]
	}
	a, b := name(charttest.Release{Name: "a", Namespace: "x"}), name(charttest.Release{Name: "a", Namespace: "y"})
	if a != "x/a" || b != "y/a" {
		t.Errorf("got %v and %v, want x/a and y/a", a, b)
	}
}

func TestSettingsOfTheUserCountBeforeThoseOfTheChart(t *testing.T) {
	t.Parallel()
	cfg := values(t, configOf(t, render(t, "{redis: {addr: 'redis:6379'}, config: {log: {format: text}, redis: {db: 3}, shutdownGrace: 20s}}")))
	redis, log := cfg["redis"].(map[string]any), cfg["log"].(map[string]any)
	if redis["addr"] != "redis:6379" || redis["db"] != float64(3) || log["format"] != "text" || cfg["shutdownGrace"] != "20s" {
		t.Errorf("got %v, want db 3 beside the address, the format text and a grace of 20s", cfg)
	}
}

func TestTheGenerationIsWrittenInDigits(t *testing.T) {
	t.Parallel()
	cfg := configOf(t, render(t, "{redis: {addr: 'redis:6379'}, generation: 1795990000}"))
	if !strings.Contains(cfg, "\ngeneration: 1795990000\n") {
		t.Errorf("got\n%s", cfg)
	}
	if cfg := configOf(t, render(t, plain)); strings.Contains(cfg, "generation") {
		t.Errorf("got a generation that nobody has set:\n%s", cfg)
	}
}
