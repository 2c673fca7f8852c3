package charttest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/fake"
)

// Release is what Helm is told at an installation or upgrade.
type Release struct {
	Name      string
	Namespace string
	Values    map[string]any   // laid over those of the chart
	Upgrade   bool             // not the first installation
	Cluster   []runtime.Object // what the cluster holds already, for lookup
}

// Rendered is what Helm makes of a chart.
type Rendered struct {
	Objects []Object // of the templates in the order of their names, hooks included
	Notes   string   // for whoever installs
}

// Load reads the chart in dir.
func Load(dir string) (*chart.Chart, error) {
	c, err := loader.LoadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("chart %s: %w", dir, err)
	}
	return c, nil
}

// Render renders c as a Helm with a cluster would. Values that break the chart's schema,
// a template that refuses them, and an object that Kubernetes has not defined so are
// errors.
func Render(c *chart.Chart, r Release) (Rendered, error) {
	options := chartutil.ReleaseOptions{Name: r.Name, Namespace: r.Namespace, Revision: 1, IsInstall: !r.Upgrade, IsUpgrade: r.Upgrade}
	values, err := chartutil.ToRenderValues(c, r.Values, options, chartutil.DefaultCapabilities.Copy())
	if err != nil {
		return Rendered{}, fmt.Errorf("values: %w", err)
	}
	texts, err := engine.RenderWithClientProvider(c, values, cluster(r.Cluster))
	if err != nil {
		return Rendered{}, fmt.Errorf("render: %w", err)
	}
	var out Rendered
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		if path.Base(file) == "NOTES.txt" {
			out.Notes = texts[file]
			continue
		}
		for _, text := range documents(texts[file]) {
			o, err := read(text)
			if err != nil {
				return Rendered{}, fmt.Errorf("%s: %w\n%s", file, err, text)
			}
			out.Objects = append(out.Objects, o)
		}
	}
	return out, nil
}

// documents splits a stream of YAML; those of nothing but comments are left out.
func documents(stream string) []string {
	var list []string
	for text := range strings.SplitSeq("\n"+stream, "\n---") {
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				list = append(list, strings.TrimSpace(text)+"\n")
				break
			}
		}
	}
	return list
}

// provider answers lookups from memory.
type provider struct{ client dynamic.Interface }

func cluster(objects []runtime.Object) provider {
	return provider{fake.NewSimpleDynamicClient(known(), objects...)}
}

// GetClientFor returns a client for what a template looks up. The chart asks for Secrets
// alone, which belong to a namespace.
func (p provider) GetClientFor(version, kind string) (dynamic.NamespaceableResourceInterface, bool, error) {
	if version != "v1" || kind != "Secret" {
		return nil, false, fmt.Errorf("the chart looks up %s %s, which nobody expects of it", version, kind)
	}
	return p.client.Resource(schema.GroupVersionResource{Version: version, Resource: "secrets"}), true, nil
}
