package telemetry_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

func TestARunThatGoesOnIsAnErrorWithItsStackAndCounted(t *testing.T) {
	t.Parallel()
	e := started("report", 0)
	e.Phase, e.Note = scheduler.Overran, "goroutine 7 [sleep]:\n"+strings.Repeat("main.work()\n", 600)
	line := logged(t, slog.LevelError, e)
	if line["msg"] != "run goes on although its lease has ended" || line["token"] != 41.0 || line["stack"] != e.Note {
		t.Errorf("got %v, want the run, its token and the whole stack", line)
	}
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Observe(started("report", 0))
	m.Observe(e)
	m.Observe(e)
	for series, want := range map[string]string{
		`solocron_run_overruns_total{job_name="report"}`: "2", `solocron_running{job_name="report"}`: "1",
	} {
		if got := value(t, reg, series); got != want {
			t.Errorf("%s: got %s, want %s", series, got, want)
		}
	}
}
