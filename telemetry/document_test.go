package telemetry_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/telemetry"
)

var update = flag.Bool("update", false, "write docs/metrics.md")

const document = "../docs/metrics.md"

func TestTheDocumentOfMetricsIsFresh(t *testing.T) {
	t.Parallel()
	want := written(telemetry.NewMetrics(prometheus.NewRegistry()).Catalogue())
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil { //nolint:gosec // a document
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/metrics.md is stale: go test ./telemetry -run Document -update")
	}
}

const preamble = `<!-- Written by go test ./telemetry -run Document -update. Edit the help of the metrics instead. -->
# Metrics

Every replica serves its metrics at ` + "`/metrics`" + `, beside the probes, without a token. Each counts what it did itself: sum counters over
replicas, and take the maximum of what every replica knows of a job or the cluster. A cluster is what shares the labels
` + "`namespace` and `job`" + ` that Prometheus gives its targets; a job of Solocron is ` + "`job_name`" + `, never ` + "`job`" + `.

* **Rules**: [deploy/prometheus](../deploy/prometheus) has alerts and recording rules, each with tests; a dashboard is in
  [deploy/grafana](../deploy/grafana).
* **Bounds**: labels come from closed sets. Beyond 1,000 jobs the later ones share histograms under the job_name ` + "`_other`" + `; beyond
  5,000 all jobs share all series there, unless ` + "`metrics.perJob`" + ` is ` + "`always`" + `; with ` + "`never`" + ` they do so from the first on.
  Alerts about single jobs need series of single jobs.
* **Reloads**: the series of a job that the configuration no longer has go at once; what its last run still says is said of ` + "`_other`" + `.
* **After a start** a replica reads from the journal when each job last succeeded and failed. With more than 1,000 jobs, counters
  of verdicts appear with the first verdict of their kind, and a rate does not see that first one.
* Beside these there are the metrics of the Go runtime (` + "`go_*`" + `) and of the process (` + "`process_*`" + `).
* **Traces** go to ` + "`tracing.endpoint`" + `, a receiver of OTLP over HTTP: the span ` + "`tick JOB`" + ` from the moment to the verdict, below it
  ` + "`claim JOB`" + ` of every replica and ` + "`run JOB`" + ` of every attempt. The trace is made of the job and the moment, so all replicas share it.
  A run is told its place in it: commands by the variable ` + "`TRACEPARENT`" + `, HTTP servers by the header of that name.

`

// written is the document about the metrics of list.
func written(list []telemetry.Info) string {
	var b strings.Builder
	b.WriteString(preamble)
	b.WriteString("| metric | type | labels | meaning | there is a series |\n|---|---|---|---|---|\n")
	for _, i := range list {
		labels := "none"
		if len(i.Labels) > 0 {
			labels = "`" + strings.Join(i.Labels, "`, `") + "`"
		}
		upon := "from the start"
		if strings.HasPrefix(strings.Join(i.Labels, ","), "job_name") {
			upon = "from the start, for each job"
		}
		if i.Upon != "" {
			upon = "with " + i.Upon
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", i.Name, i.Type, labels, i.Help, upon)
	}
	b.WriteString("\n## Buckets\n\n| histogram | upper bounds, in seconds |\n|---|---|\n")
	for _, i := range list {
		if i.Type != "histogram" {
			continue
		}
		bounds := make([]string, len(i.Buckets))
		for n, f := range i.Buckets {
			bounds[n] = strconv.FormatFloat(f, 'g', -1, 64)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", i.Name, strings.Join(bounds, ", "))
	}
	b.WriteString(verdicts())
	return b.String()
}

// verdicts is the table of the labels of solocron_ticks_total.
func verdicts() string {
	var b strings.Builder
	b.WriteString("\n## Verdicts\n\n`solocron_ticks_total` has these pairs, and `other`, `other` for what this version does not know:\n\n| verdict | reasons |\n|---|---|\n")
	var order []string
	reasons := map[string][]string{}
	for _, p := range telemetry.Pairs() {
		if _, ok := reasons[p[0]]; !ok {
			order = append(order, p[0])
		}
		reasons[p[0]] = append(reasons[p[0]], cmp.Or(p[1], "none"))
	}
	for _, v := range order {
		if v != "other" {
			fmt.Fprintf(&b, "| `%s` | %s |\n", v, strings.Join(reasons[v], ", "))
		}
	}
	return b.String()
}
