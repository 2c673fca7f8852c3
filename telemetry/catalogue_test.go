package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// everything is a registry in which each metric has a series.
func everything(t *testing.T) (*prometheus.Registry, *telemetry.Metrics) {
	t.Helper()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	cfg, err := config.Parse("test", []byte("jobs:\n  - {name: report, schedule: '@hourly', command: [/bin/true]}\n"), kinds())
	if err != nil {
		t.Fatal(err)
	}
	m.Configure(cfg)
	m.StoreChecked(nil)
	for _, v := range []scheduler.Verdict{scheduler.Succeeded, scheduler.Failed} {
		e := ended("report", v, "", 0)
		e.At = at
		m.Observe(e)
	}
	e := started("report", 0)
	e.Run.Link = jobs.Hooks{Left: func() time.Duration { return time.Second }}
	m.Observe(e)
	if _, err := m.WrapJournal(memjournal.New(time.Now)).Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	watchOnce(t, m)
	return reg, m
}

func TestTheCatalogueIsWhatAScrapeShows(t *testing.T) {
	t.Parallel()
	reg, m := everything(t)
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, f := range families {
		labels := []string{}
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		shown[f.GetName()] = fmt.Sprintf("%s %s %v", strings.ToLower(f.GetType().String()), f.GetHelp(), labels)
	}
	for _, i := range m.Catalogue() {
		labels := slices.Sorted(slices.Values(i.Labels))
		if labels == nil {
			labels = []string{}
		}
		if got, want := shown[i.Name], fmt.Sprintf("%s %s %v", i.Type, i.Help, labels); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", i.Name, got, want)
		}
		delete(shown, i.Name)
	}
	for name := range shown {
		t.Errorf("%s is shown and not in the catalogue", name)
	}
}

func TestEveryMetricFollowsTheRulesOfPrometheus(t *testing.T) {
	t.Parallel()
	reg, m := everything(t)
	problems, err := testutil.GatherAndLint(reg)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	for _, i := range m.Catalogue() {
		if slices.Contains(i.Labels, "job") {
			t.Errorf("%s has the label job, which is Prometheus's own", i.Name)
		}
		if !strings.HasSuffix(i.Help, ".") {
			t.Errorf("%s: its help is no sentence: %s", i.Name, i.Help)
		}
	}
}

func TestErrorsOfAStoreAreCountedByAFewWords(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	if got := value(t, reg, "solocron_store_up"); got != "absent" {
		t.Errorf("before the first question: got %s, want nothing", got)
	}
	for _, err := range []error{
		errors.New("redis: READONLY no writes against a replica"),
		fmt.Errorf("claim: %w", context.DeadlineExceeded),
		fmt.Errorf("claim: %w", io.EOF),
		errors.New("password hunter2 is wrong"),
	} {
		m.StoreChecked(err)
	}
	for line, want := range map[string]string{
		`solocron_store_errors_total{class="readonly"}`: "1",
		`solocron_store_errors_total{class="timeout"}`:  "1",
		`solocron_store_errors_total{class="closed"}`:   "1",
		`solocron_store_errors_total{class="other"}`:    "1",
		`solocron_store_errors_total{class="oom"}`:      "0",
		`solocron_store_up`:                             "0",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
	m.StoreChecked(nil)
	if got := value(t, reg, "solocron_store_up"); got != "1" {
		t.Errorf("after an answer: got %s, want 1", got)
	}
	if strings.Contains(text(t, reg), "hunter2") {
		t.Error("a message has become a label")
	}
}

func TestARejectedConfigurationShowsUntilOneIsTaken(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	cfg := &config.Config{Revision: "0123456789ab"}
	m.Configure(cfg)
	m.ConfigRejected()
	for line, want := range map[string]string{
		`solocron_config_last_reload_successful`:             "0",
		`solocron_config_info{revision="0123456789ab"}`:      "1",
		`solocron_config_loads_total{result="rejected"}`:     "1",
		`solocron_config_jobs`:                               "0",
		`solocron_notifications_total{outcome="sent"}`:       "0",
		`solocron_config_loads_total{result="ok"}`:           "1",
		`solocron_store_errors_total{class="clusterdown"}`:   "0",
		`solocron_journal_errors_total{class="clusterdown"}`: "0",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
	m.Configure(&config.Config{Revision: "ba9876543210"})
	if got := value(t, reg, `solocron_config_last_reload_successful`); got != "1" {
		t.Errorf("after the next one: got %s, want 1", got)
	}
	if got, _ := testutil.GatherAndCount(reg, "solocron_config_info"); got != 1 {
		t.Errorf("revisions in force: got %d, want 1", got)
	}
}

func TestNotificationsOfAnUnknownOutcomeHaveFailed(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	m.Notified(telemetry.NoticeSent)
	m.Notified("exploded")
	for line, want := range map[string]string{
		`solocron_notifications_total{outcome="sent"}`:   "1",
		`solocron_notifications_total{outcome="failed"}`: "1",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}
