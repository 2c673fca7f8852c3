package telemetry_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

var at = time.Date(2026, 11, 29, 1, 30, 0, 0, time.UTC)

func started(job string, delay time.Duration) scheduler.Event {
	tick := scheduler.Tick{Job: job, At: at}
	return scheduler.Event{
		Phase: scheduler.Started, Replica: "a", Tick: tick, Delay: delay,
		Run: jobs.Run{ID: tick.ID(), Job: job, Token: 41, Attempt: 1, Replica: "a"},
	}
}

func ended(job string, v scheduler.Verdict, r scheduler.Reason, took time.Duration) scheduler.Event {
	e := started(job, 0)
	e.Phase, e.Verdict, e.Reason, e.Took = scheduler.Ended, v, r, took
	return e
}

func value(t *testing.T, reg *prometheus.Registry, line string) string {
	t.Helper()
	for l := range strings.SplitSeq(text(t, reg), "\n") {
		if rest, ok := strings.CutPrefix(l, line+" "); ok {
			return rest
		}
	}
	return "absent"
}

func text(t *testing.T, reg *prometheus.Registry) string {
	t.Helper()
	w := httptest.NewRecorder()
	telemetry.Handler(reg).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("scrape: got %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func TestARunIsCountedFromStartToVerdict(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)

	m.Observe(started("report", 40*time.Millisecond))
	if got := value(t, reg, `solocron_running{job_name="report"}`); got != "1" {
		t.Errorf("running during the run: got %s, want 1", got)
	}
	m.Observe(ended("report", scheduler.Succeeded, scheduler.ReasonNone, 3*time.Second))

	for line, want := range map[string]string{
		`solocron_running{job_name="report"}`:                                          "0",
		`solocron_ticks_total{job_name="report",reason="",verdict="succeeded"}`:        "1",
		`solocron_start_delay_seconds_count{job_name="report"}`:                        "1",
		`solocron_start_delay_seconds_bucket{job_name="report",le="0.025"}`:            "0",
		`solocron_start_delay_seconds_bucket{job_name="report",le="0.05"}`:             "1",
		`solocron_run_duration_seconds_sum{job_name="report"}`:                         "3",
		`solocron_leases_lost_total{job_name="report"}`:                                "0",
		`solocron_ticks_total{job_name="report",reason="overlap",verdict="skipped"}`:   "absent",
		`solocron_lease_operations_total{answer="granted",op="claim"}`:                 "0",
		`solocron_lease_operations_total{answer="good",op="claim"}`:                    "absent",
		`solocron_lease_operation_duration_seconds_count{op="renew"}`:                  "0",
		`solocron_lease_renewals_failed_total`:                                         "0",
		`solocron_lease_abnormal_releases_total`:                                       "0",
		`solocron_ticks_total{job_name="report",reason="deadline",verdict="missed"}`:   "absent",
		`solocron_ticks_total{job_name="report",reason="other",verdict="other"}`:       "absent",
		`solocron_ticks_total{job_name="report",reason="crash",verdict="interrupted"}`: "absent",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestATickDecidedWithoutARunMovesNoGauge(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Observe(scheduler.Event{
		Phase: scheduler.Ended, Tick: scheduler.Tick{Job: "slow", At: at},
		Verdict: scheduler.Skipped, Reason: scheduler.ReasonOverlap,
	})
	m.Observe(scheduler.Event{
		Phase: scheduler.Ended, Tick: scheduler.Tick{Job: "slow", At: at},
		Verdict: scheduler.LeaseLost, Reason: scheduler.ReasonCrash, By: "b",
	})
	for line, want := range map[string]string{
		`solocron_ticks_total{job_name="slow",reason="overlap",verdict="skipped"}`: "1",
		`solocron_ticks_total{job_name="slow",reason="crash",verdict="lost"}`:      "1",
		`solocron_running{job_name="slow"}`:                                        "0",
		`solocron_run_duration_seconds_count{job_name="slow"}`:                     "0",
		`solocron_leases_lost_total{job_name="slow"}`:                              "0",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestARunThatAnotherReplicaSpeaksForIsNotATickOfThisOne(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Observe(started("report", 0))
	e := ended("report", scheduler.LeaseLost, scheduler.ReasonNone, time.Second)
	e.Echo = true
	m.Observe(e)
	for line, want := range map[string]string{
		`solocron_ticks_total{job_name="report",reason="",verdict="lost"}`: "absent",
		`solocron_running{job_name="report"}`:                              "0",
		`solocron_run_duration_seconds_count{job_name="report"}`:           "1",
		`solocron_leases_lost_total{job_name="report"}`:                    "1",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestARunFoundAbandonedIsNotARunOfThisReplica(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	e := ended("report", scheduler.LeaseLost, scheduler.ReasonCrash, 0)
	e.By, e.Run.Replica = "b", "b"
	m.Observe(e)
	for line, want := range map[string]string{
		`solocron_ticks_total{job_name="report",reason="crash",verdict="lost"}`: "1",
		`solocron_running{job_name="report"}`:                                   "0",
		`solocron_leases_lost_total{job_name="report"}`:                         "0",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestALostLeaseOfThisReplicaIsCounted(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Observe(started("report", 0))
	m.Observe(ended("report", scheduler.LeaseLost, scheduler.ReasonNone, time.Second))
	if got := value(t, reg, `solocron_leases_lost_total{job_name="report"}`); got != "1" {
		t.Errorf("leases lost: got %s, want 1", got)
	}
}

func TestLabelValuesStayAClosedSet(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	for i := range 50 {
		m.Observe(ended("report", scheduler.Verdict(fmt.Sprint("v", i)), scheduler.Reason(fmt.Sprint("r", i)), 0))
	}
	if got := value(t, reg, `solocron_ticks_total{job_name="report",reason="other",verdict="other"}`); got != "50" {
		t.Errorf("unknown verdicts: got %s, want 50 in one series", got)
	}
	if got, err := testutil.GatherAndCount(reg, "solocron_ticks_total"); err != nil || got != 1 {
		t.Errorf("series: got %d, %v, want 1", got, err)
	}
}

func TestEveryVerdictOfTheEngineHasALabelOfItsOwn(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Expect([]string{"report"})
	for _, v := range scheduler.Verdicts() {
		if !strings.Contains(text(t, reg), fmt.Sprintf(`verdict="%s"`, v)) {
			t.Errorf("no series for verdict %q", v)
		}
	}
	if got := value(t, reg, `solocron_ticks_total{job_name="report",reason="store",verdict="missed"}`); got != "0" {
		t.Errorf("an expected job starts at: got %s, want 0", got)
	}
}

func TestThousandsOfJobsShareHistograms(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	const n = telemetry.MaxHistogramJobs + 500
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("job-", i)
	}
	m.Expect(names)
	if got, _ := testutil.GatherAndCount(reg, "solocron_ticks_total"); got != 0 {
		t.Errorf("series made for %d jobs ahead of events: got %d, want 0", n, got)
	}
	for _, name := range names {
		m.Observe(started(name, time.Millisecond))
	}
	if got := value(t, reg, `solocron_start_delay_seconds_count{job_name="`+telemetry.OtherJobs+`"}`); got != "500" {
		t.Errorf("shared histogram: got %s, want 500", got)
	}
	if got, _ := testutil.GatherAndCount(reg, "solocron_start_delay_seconds"); got != telemetry.MaxHistogramJobs+1 {
		t.Errorf("histograms: got %d, want %d", got, telemetry.MaxHistogramJobs+1)
	}
	if got, _ := testutil.GatherAndCount(reg, "solocron_running"); got != n {
		t.Errorf("gauges: got %d, want %d", got, n)
	}
}

func TestMetricNamesFollowTheRulesOfPrometheus(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Observe(started("report", 0))
	m.Observe(ended("report", scheduler.Succeeded, "", 0))
	problems, err := testutil.GatherAndLint(reg)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestReplicasOfOneProcessShareARegistryByALabel(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	for _, name := range []string{"a", "b"} {
		telemetry.NewMetrics(telemetry.Labelled(reg, "replica", name)).Observe(started("report", 0))
	}
	for _, name := range []string{"a", "b"} {
		if got := value(t, reg, `solocron_running{job_name="report",replica="`+name+`"}`); got != "1" {
			t.Errorf("replica %s: got %s, want 1", name, got)
		}
	}
}

func TestManyGoroutinesCountOneJobExactly(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 1000 {
				m.Observe(ended(fmt.Sprint("job-", i%3), scheduler.Succeeded, "", 0))
			}
		})
	}
	wg.Wait()
	// 334 of every 1,000 go to job-0.
	if got := value(t, reg, `solocron_ticks_total{job_name="job-0",reason="",verdict="succeeded"}`); got != "2672" {
		t.Errorf("got %s, want 2672", got)
	}
}

func BenchmarkObserve(b *testing.B) {
	m := telemetry.NewMetrics(prometheus.NewRegistry())
	s, e := started("report", time.Millisecond), ended("report", scheduler.Succeeded, "", time.Second)
	b.ReportAllocs()
	for b.Loop() {
		m.Observe(s)
		m.Observe(e)
	}
}
