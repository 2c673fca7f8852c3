package charttest_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/solocron/solocron/deploy/charttest"
)

const chartDir = "../helm/solocron"

var update = flag.Bool("update", false, "write what is made of the chart anew")

func load(t *testing.T) *chart.Chart {
	t.Helper()
	c, err := charttest.Load(chartDir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// text reads a file.
func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// values reads YAML.
func values(t *testing.T, text string) map[string]any {
	t.Helper()
	v := map[string]any{}
	if err := yaml.UnmarshalStrict([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// render renders the chart with values in YAML, in a cluster that holds some objects.
func render(t *testing.T, yamlValues string, cluster ...runtime.Object) charttest.Rendered {
	t.Helper()
	r, err := charttest.Render(load(t), charttest.Release{
		Name: "solocron", Namespace: "jobs", Values: values(t, yamlValues), Cluster: cluster, Upgrade: len(cluster) > 0,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// each runs a test on what the chart makes of each values file.
func each(t *testing.T, test func(t *testing.T, yamlValues string, r charttest.Rendered)) {
	t.Helper()
	files, err := filepath.Glob(chartDir + "/ci/*-values.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("values files: got %v, %v, want four or more", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), "-values.yaml"), func(t *testing.T) {
			t.Parallel()
			v := text(t, file)
			test(t, v, render(t, v))
		})
	}
}

// only returns the one item of a list.
func only[T any](t *testing.T, list []T) T {
	t.Helper()
	if len(list) != 1 {
		t.Fatalf("got %d of %T, want 1", len(list), list)
	}
	return list[0]
}

// named returns the object of that kind and name.
func named(t *testing.T, r charttest.Rendered, kind, name string) charttest.Object {
	t.Helper()
	for _, o := range r.Objects {
		if o.Kind == kind && o.GetName() == name {
			return o
		}
	}
	t.Fatalf("there is no %s %s", kind, name)
	return charttest.Object{}
}
