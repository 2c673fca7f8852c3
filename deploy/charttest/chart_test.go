package charttest_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"

	"github.com/solocron/solocron/deploy/charttest"
)

func TestTheChartIsLintedWithEveryValuesFile(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, yamlValues string, _ charttest.Rendered) {
		for _, m := range lint.All(chartDir, values(t, yamlValues), "jobs", true).Messages {
			if m.Severity > support.InfoSev {
				t.Error(m)
			}
		}
	})
}

func TestAValueThatDoesNotExistIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, values, want string }{
		{"misspelled", "replicacount: 2", "replicacount"},
		{"misspelled below", "redis: {adr: 'redis:6379'}", "adr"},
		{"type", "replicaCount: three", "replicaCount"},
		{"address without port", "redis: {addr: redis}", "addr"},
		{"digest", "image: {digest: latest}", "digest"},
		{"length of time", "shutdownGrace: 30", "shutdownGrace"},
		{"job without name", "jobs: [{schedule: '@daily'}]", "name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := charttest.Render(load(t), charttest.Release{Name: "a", Namespace: "b", Values: values(t, c.values)})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "schema") {
				t.Errorf("got %v, want an error of the schema about %s", err, c.want)
			}
		})
	}
}

func TestWhatCannotWorkIsRefusedWithTheRemedy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, values, want string }{
		{"no Redis", "{}", "Set redis.addr"},
		{"two of Redis", "redis: {addr: 'a:1', deploy: {enabled: true}}", "keep one of them"},
		{"addresses of what", "redis: {addrs: ['a:1']}", "redis.sentinelMaster or redis.cluster"},
		{"nobody signs in", "{redis: {addr: 'a:1'}, auth: {enabled: false}}", "config.admin.oidc"},
		{"tokens and everybody", "{redis: {addr: 'a:1'}, config: {admin: {insecureNoAuth: true}}}", "keep one of them"},
		{"listener", "{redis: {addr: 'a:1'}, config: {admin: {listen: ':9090'}}}", "config.admin.listen is the chart's"},
		{"no jobs", "{redis: {addr: 'a:1'}, jobs: []}", "there are no jobs"},
		{"jobsFile is none", "{redis: {addr: 'a:1'}, jobsFile: 'jobs: [}'}", "jobsFile is not YAML"},
		{"settings in jobsFile", "{redis: {addr: 'a:1'}, jobsFile: 'redis: {addr: x}'}", "jobsFile has the key redis"},
		{"defaults twice", "{redis: {addr: 'a:1'}, jobsFile: 'jobs: []', defaults: {timeout: 1h}}", "defaults stands beside jobsFile"},
		{"killed while it stops", "{redis: {addr: 'a:1'}, shutdownGrace: 46s}", "are 61 s"},
		{"killed for a job's sake", "{redis: {addr: 'a:1'}, jobs: [{name: a, shell: x, stopGracePeriod: 1m}]}", "are 95 s"},
		{"killed for the default's sake", `{redis: {addr: 'a:1'}, jobsFile: "jobs: [{name: a, command: [x]}]\ndefaults: {stopGracePeriod: 0.5m}"}`, "are 65 s"},
		{"killed for a setting's sake", "{redis: {addr: 'a:1'}, config: {shutdownGrace: 1h}}", "are 3615 s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := charttest.Render(load(t), charttest.Release{Name: "a", Namespace: "b", Values: values(t, c.values)})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestWhatJustFitsIsTaken(t *testing.T) {
	t.Parallel()
	render(t, "{redis: {addr: 'a:1'}, shutdownGrace: 45s}")                             // 45 + 10 + 5
	render(t, "{redis: {addr: 'a:1'}, shutdownGrace: 55s, jobs: [{name: a, func: x}]}") // starts no process
	render(t, "{redis: {addr: 'a:1'}, auth: {enabled: false}, config: {admin: {insecureNoAuth: true}}}")
}

// The schema has the keys of values.yaml, all of them and no others, as far as the
// chart says what they are.
func TestTheSchemaKnowsTheValuesOfTheChart(t *testing.T) {
	t.Parallel()
	var top node
	if err := json.Unmarshal([]byte(text(t, chartDir+"/values.schema.json")), &top); err != nil {
		t.Fatal(err)
	}
	delete(top.Properties, "global") // Helm's own
	compareKeys(t, "", top, values(t, text(t, chartDir+"/values.yaml")))
}

type node struct {
	Properties map[string]node `json:"properties"`
}

func compareKeys(t *testing.T, path string, n node, v map[string]any) {
	t.Helper()
	got, want := slices.Sorted(maps.Keys(n.Properties)), slices.Sorted(maps.Keys(v))
	if !slices.Equal(got, want) {
		t.Errorf("schema below %q: got %v, want %v", path, got, want)
	}
	for key, below := range n.Properties {
		if m, ok := v[key].(map[string]any); ok && below.Properties != nil {
			compareKeys(t, path+key+".", below, m)
		}
	}
}
