package telemetry_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// retried is an attempt that failed and is followed by another in 10 s.
func retried(job string) scheduler.Event {
	e := ended(job, scheduler.Failed, scheduler.ReasonNone, 3*time.Second)
	e.Phase, e.Retry, e.Err = scheduler.Retried, 10*time.Second, errors.New("exit status 7")
	return e
}

func TestAnAttemptThatIsRetriedIsCountedAndGivesNoVerdict(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Observe(started("report", 0))
	m.Observe(retried("report"))
	for line, want := range map[string]string{
		`solocron_run_retries_total{job_name="report"}`:                      "1",
		`solocron_running{job_name="report"}`:                                "0",
		`solocron_run_duration_seconds_sum{job_name="report"}`:               "3",
		`solocron_ticks_total{job_name="report",reason="",verdict="failed"}`: "absent",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestAnAttemptOfADeadReplicaThatIsRetriedIsNotARunOfThisOne(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	e := retried("report")
	e.Run.Replica = "dead"
	m.Observe(e)
	for line, want := range map[string]string{
		`solocron_run_retries_total{job_name="report"}`:          "1",
		`solocron_running{job_name="report"}`:                    "0",
		`solocron_run_duration_seconds_count{job_name="report"}`: "0",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestEveryReasonOfTheEngineHasALabelOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verdict scheduler.Verdict
		reasons []scheduler.Reason
	}{
		{scheduler.Skipped, []scheduler.Reason{
			scheduler.ReasonOverlap, scheduler.ReasonPaused, scheduler.ReasonExcluded, scheduler.ReasonSuperseded, scheduler.ReasonShadow,
		}},
		{scheduler.Missed, []scheduler.Reason{
			scheduler.ReasonDeadline, scheduler.ReasonStore, scheduler.ReasonCatchup, scheduler.ReasonDependency, scheduler.ReasonUnrecorded,
		}},
		{scheduler.Cancelled, []scheduler.Reason{scheduler.ReasonNone, scheduler.ReasonReplaced}},
		{scheduler.LeaseLost, []scheduler.Reason{scheduler.ReasonNone, scheduler.ReasonCrash}},
		{scheduler.Failed, []scheduler.Reason{scheduler.ReasonNone, scheduler.ReasonPanic}},
	} {
		for _, reason := range c.reasons {
			reg := prometheus.NewRegistry()
			telemetry.NewMetrics(reg).Observe(ended("report", c.verdict, reason, 0))
			line := `solocron_ticks_total{job_name="report",reason="` + string(reason) + `",verdict="` + string(c.verdict) + `"}`
			if got := value(t, reg, line); got != "1" {
				t.Errorf("%s: got %s, want 1", line, got)
			}
		}
	}
}

func TestARetryIsAWarningThatSaysWhichAttemptAndWhenTheNext(t *testing.T) {
	t.Parallel()
	line := logged(t, slog.LevelInfo, retried("report"))
	for key, want := range map[string]any{
		"level": "WARN", "msg": "run is retried", "attempt": 1.0, "retry": "10s", "err": "exit status 7", "verdict": "failed",
		"job": "report", "token": 41.0,
	} {
		if got := line[key]; got != want {
			t.Errorf("%s: got %v, want %v", key, got, want)
		}
	}
}

func TestALineOfARequestSaysWhoAskedAndWhyItRuns(t *testing.T) {
	t.Parallel()
	e := started("report", 0)
	e.Tick.Manual, e.Tick.Cause, e.Tick.By = true, scheduler.ByBackfill, "ann"
	e.Run.Params = map[string]string{"token": "hunter2"}
	line := logged(t, slog.LevelInfo, e)
	if line["cause"] != "backfill" || line["requested_by"] != "ann" {
		t.Errorf("got %v", line)
	}
	e.Phase, e.Run.ID, e.Verdict, e.By, e.Note = scheduler.Ended, "", scheduler.Cancelled, "bob", "enough"
	line = logged(t, slog.LevelInfo, e)
	if line["msg"] != "request cancelled" || line["by"] != "bob" || line["note"] != "enough" || line["run"] == nil {
		t.Errorf("without a run: got %v", line)
	}
	e.Tick.Cause = ""
	if got := logged(t, slog.LevelInfo, e)["cause"]; got != "manual" {
		t.Errorf("cause by default: got %v, want manual", got)
	}
}

func TestParametersAreInNoLineAndNoMetric(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	log := telemetry.NewLog(slog.New(telemetry.NewHandler(&b, "json", slog.LevelDebug)))
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	for _, e := range []scheduler.Event{started("report", 0), retried("report"), ended("report", scheduler.Failed, "", 0)} {
		e.Run.Params = map[string]string{"password": "hunter2"}
		log.Observe(e)
		m.Observe(e)
	}
	if all := b.String() + text(t, reg); strings.Contains(all, "hunter2") || strings.Contains(all, "password") {
		t.Errorf("a parameter is told:\n%s", b.String())
	}
}

func TestAJobThatWasPausedAfterFailuresIsSaidHoweverMuchWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		log := telemetry.NewLog(slog.New(telemetry.NewHandler(&b, "json", slog.LevelInfo)))
		waits := scheduler.Event{Phase: scheduler.Waiting, Err: errors.New("journal: refused"), Retry: time.Second, Note: "9 entries wait"}
		for range 100 {
			log.Observe(waits)
		}
		log.Observe(scheduler.Event{Phase: scheduler.Waiting, Tick: scheduler.Tick{Job: "report", At: at}, Note: "paused after failures in a row"})
		if got := b.String(); !strings.Contains(got, `"msg":"notice","job":"report"`) || !strings.Contains(got, "paused after failures") {
			t.Errorf("got %s", got)
		}
		if got := b.String(); !strings.Contains(got, `"msg":"replica waits"`) || !strings.Contains(got, "9 entries wait") {
			t.Errorf("got %s", got)
		}
	})
}
