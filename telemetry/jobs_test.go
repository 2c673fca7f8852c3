package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// defined is what a configuration says of jobs that run every ten minutes.
func defined(t *testing.T, names ...string) map[string]telemetry.Job {
	t.Helper()
	all := map[string]telemetry.Job{}
	for _, name := range names {
		times, err := schedule.Parse("*/10 * * * *", schedule.Options{Key: name})
		if err != nil {
			t.Fatal(err)
		}
		all[name] = telemetry.Job{Timeout: time.Hour, Deadline: time.Minute, Times: times}
	}
	return all
}

// moment is a value of a scrape as a moment.
func moment(t *testing.T, reg *prometheus.Registry, line string) time.Time {
	t.Helper()
	text := value(t, reg, line)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("%s: got %q, want a number", line, text)
	}
	return time.UnixMilli(int64(f * 1000)).UTC()
}

func TestTheSeriesOfARemovedJobGoAndItsLastRunIsOneOfOthers(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Jobs(defined(t, "old", "kept"), true)
	m.Observe(started("old", time.Second))
	m.Observe(started("kept", time.Second))
	m.Observe(ended("kept", scheduler.Succeeded, "", time.Second))

	m.Jobs(defined(t, "kept", "new"), true)
	if strings.Contains(text(t, reg), `job_name="old"`) {
		t.Error("the removed job has series still")
	}
	m.Observe(ended("old", scheduler.Failed, "", time.Minute)) // the run that was in progress
	if strings.Contains(text(t, reg), `job_name="old"`) {
		t.Error("the end of its last run has brought series of the removed job back")
	}
	for line, want := range map[string]string{
		`solocron_ticks_total{job_name="_other",reason="",verdict="failed"}`:  "1",
		`solocron_running{job_name="_other"}`:                                 "0",
		`solocron_ticks_total{job_name="kept",reason="",verdict="succeeded"}`: "1",
		`solocron_run_duration_seconds_count{job_name="kept"}`:                "1",
		`solocron_ticks_total{job_name="new",reason="",verdict="succeeded"}`:  "0",
		`solocron_job_timeout_seconds{job_name="new"}`:                        "3600",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestWithTooManyJobsNoneHasSeriesOfItsOwn(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	jobs := defined(t, "a", "b")
	m.Jobs(jobs, true)
	m.Observe(started("a", 0))
	m.Jobs(jobs, false)
	m.Observe(ended("a", scheduler.Succeeded, "", 0))
	m.Observe(started("b", 0))
	scrape := text(t, reg)
	for _, name := range []string{"a", "b"} {
		if strings.Contains(scrape, `job_name="`+name+`"`) {
			t.Errorf("job %s has series of its own", name)
		}
	}
	if got := value(t, reg, `solocron_running{job_name="_other"}`); got != "1" {
		t.Errorf("running: got %s, want the run of b alone", got)
	}
	if got := value(t, reg, `solocron_ticks_total{job_name="_other",reason="",verdict="succeeded"}`); got != "1" {
		t.Errorf("verdicts: got %s, want 1", got)
	}
}

func TestRemovedJobsGiveTheirHistogramsToOthers(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	for generation := range 3 {
		jobs := map[string]telemetry.Job{}
		for i := range telemetry.MaxHistogramJobs {
			jobs[fmt.Sprint("job-", generation, "-", i)] = telemetry.Job{}
		}
		m.Jobs(jobs, true)
	}
	if got, _ := testutil.GatherAndCount(reg, "solocron_run_duration_seconds"); got != telemetry.MaxHistogramJobs {
		t.Errorf("histograms: got %d, want one for each job that is left", got)
	}
}

func TestATickThatNobodyDecidesIsExpectedInThePast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // it is midnight
		reg := prometheus.NewRegistry()
		m := telemetry.NewMetrics(reg)
		m.Jobs(defined(t, "job"), true)
		midnight := time.Now().UTC()
		first := midnight.Add(10 * time.Minute)
		const by, next = `solocron_job_expected_by_timestamp_seconds{job_name="job"}`, `solocron_job_next_run_timestamp_seconds{job_name="job"}`

		time.Sleep(25 * time.Minute)
		if got, want := moment(t, reg, by), first.Add(time.Minute); !got.Equal(want) {
			t.Errorf("expected by, with no tick decided: got %v, want %v", got, want)
		}
		if got, want := moment(t, reg, next), midnight.Add(30*time.Minute); !got.Equal(want) {
			t.Errorf("next: got %v, want %v", got, want)
		}
		m.Jobs(defined(t, "job"), true) // a reload that changes nothing forgives nothing
		if got, want := moment(t, reg, by), first.Add(time.Minute); !got.Equal(want) {
			t.Errorf("expected by, after a reload: got %v, want %v", got, want)
		}
		m.Observe(scheduler.Event{Phase: scheduler.Yielded, Tick: scheduler.Tick{Job: "job", At: midnight.Add(20 * time.Minute)}})
		if got, want := moment(t, reg, by), midnight.Add(31*time.Minute); !got.Equal(want) {
			t.Errorf("expected by, after another replica took 00:20: got %v, want %v", got, want)
		}
		m.Observe(scheduler.Event{Phase: scheduler.Ended, Verdict: scheduler.Missed, Tick: scheduler.Tick{Job: "job", At: first}})
		if got, want := moment(t, reg, by), midnight.Add(31*time.Minute); !got.Equal(want) {
			t.Errorf("expected by, after late news of an older tick: got %v, want %v", got, want)
		}
	})
}

func TestARunWithoutALimitHasNoLeaseToMeasure(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Jobs(defined(t, "alone", "endless"), true)
	m.Observe(started("alone", 0))
	e := started("endless", 0)
	e.Run.Link = jobs.Hooks{}
	m.Observe(e)
	for _, job := range []string{"alone", "endless"} {
		if got := value(t, reg, `solocron_running{job_name="`+job+`"}`); got != "1" {
			t.Errorf("%s: got %s running, want 1", job, got)
		}
	}
	if got := value(t, reg, "solocron_lease_remaining_seconds"); got != "absent" {
		t.Errorf("got %s seconds left of a lease, want no series", got)
	}
}

func TestARunThatGoesOnLongAfterItsTimeoutIsStuck(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reg := prometheus.NewRegistry()
		m := telemetry.NewMetrics(reg)
		m.Jobs(defined(t, "job"), true)
		e := started("job", 0)
		e.At = time.Now()
		e.Run.Link = jobs.Hooks{Left: func() time.Duration { return 7 * time.Second }}
		m.Observe(e)
		time.Sleep(time.Hour + time.Minute)
		if got := value(t, reg, `solocron_runs_stuck{job_name="job"}`); got != "0" {
			t.Errorf("a minute after its timeout: got %s, want 0", got)
		}
		time.Sleep(2 * time.Minute)
		for line, want := range map[string]string{
			`solocron_runs_stuck{job_name="job"}`: "1",
			`solocron_running{job_name="job"}`:    "1",
			`solocron_lease_remaining_seconds`:    "7",
		} {
			if got := value(t, reg, line); got != want {
				t.Errorf("%s: got %s, want %s", line, got, want)
			}
		}
		if got := moment(t, reg, `solocron_oldest_run_start_timestamp_seconds{job_name="job"}`); !got.Equal(e.At.UTC()) {
			t.Errorf("oldest run: got %v, want %v", got, e.At)
		}
		over := ended("job", scheduler.TimedOut, "", time.Hour)
		over.At = time.Now()
		m.Observe(over)
		for line, want := range map[string]string{
			`solocron_runs_stuck{job_name="job"}`:                          "0",
			`solocron_lease_remaining_seconds`:                             "absent",
			`solocron_oldest_run_start_timestamp_seconds{job_name="job"}`:  "absent",
			`solocron_runs_near_timeout_total{job_name="job"}`:             "1",
			`solocron_job_last_success_timestamp_seconds{job_name="job"}`:  "absent",
			`solocron_leases_lost_total{job_name="job"}`:                   "0",
			`solocron_run_duration_seconds_bucket{job_name="job",le="60"}`: "0",
		} {
			if got := value(t, reg, line); got != want {
				t.Errorf("%s: got %s, want %s", line, got, want)
			}
		}
		if got := moment(t, reg, `solocron_job_last_failure_timestamp_seconds{job_name="job"}`); !got.Equal(over.At.UTC()) {
			t.Errorf("last failure: got %v, want %v", got, over.At)
		}
	})
}

func TestAReplicaThatHasJustBegunKnowsFromTheJournalWhatFailedLast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reg := prometheus.NewRegistry()
		m := telemetry.NewMetrics(reg)
		m.Jobs(defined(t, "job"), true)
		long := time.Now().Add(-time.Hour)
		away := errors.New("away")
		tries := 0
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			m.Watch(ctx, telemetry.Sources{
				Live:  func() []string { return []string{"a", "b"} },
				Ready: func() error { return away },
				Letters: func(context.Context, int) ([]scheduler.Row, error) {
					return make([]scheduler.Row, 3), nil
				},
				Queued: func(context.Context, int) ([]scheduler.Request, error) {
					return []scheduler.Request{
						{Made: time.Now().Add(-time.Minute)},
						{Made: time.Now().Add(-time.Hour), NotBefore: time.Now().Add(time.Minute)}, // a retry that is not due
					}, nil
				},
				Past: func(_ context.Context, job string, q scheduler.Query) ([]scheduler.Row, error) {
					if tries++; tries == 1 {
						return nil, away
					}
					if q.Sort != scheduler.OtherRuns {
						return nil, nil
					}
					return []scheduler.Row{{Job: job, Verdict: scheduler.Failed, Ended: long}}, nil
				},
			})
		}()
		time.Sleep(20 * time.Second)
		synctest.Wait()
		for line, want := range map[string]string{
			"solocron_requests_queued":             "2",
			"solocron_request_oldest_wait_seconds": "60",
			"solocron_dead_letters":                "3",
			"solocron_replicas_live":               "2",
			"solocron_replica_ready":               "0",
			"solocron_journal_up":                  "1",
			"solocron_timer_lag_seconds":           "0",
		} {
			if got := value(t, reg, line); got != want {
				t.Errorf("%s: got %s, want %s", line, got, want)
			}
		}
		if got := moment(t, reg, `solocron_job_last_failure_timestamp_seconds{job_name="job"}`); !got.Equal(long.UTC()) {
			t.Errorf("last failure: got %v, want what the journal says, %v", got, long)
		}
		stop()
		<-done
	})
}
