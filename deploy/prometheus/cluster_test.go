package prometheus_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	client "github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// busy is a configuration whose jobs show soon all that jobs can do.
const busy = `namespace: test
shutdownGrace: 1s
admin: { listen: 127.0.0.1:0 }
jobs:
  - { name: works, schedule: "@every 1s", func: work }
  - { name: fails, schedule: "@every 2s", func: fail, retry: { maxAttempts: 2, initialInterval: 100ms } }
  - { name: tarries, schedule: "@every 4s", func: tarry, timeout: 1s }
  - { name: goes-on, schedule: "@every 1s", func: tarry, timeout: 1h }
`

func work(context.Context, jobs.Run) error { return nil }

func fail(context.Context, jobs.Run) error { return errors.New("as it was made to") }

// tarry goes on until it is stopped.
func tarry(ctx context.Context, _ jobs.Run) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

// store is a lease store in memory that is always well.
type store struct{ memlease.Store }

func (*store) Check(context.Context) ([]string, error) { return nil, nil }

// counted is a journal of which some calls are measured.
type counted struct {
	*memjournal.Journal
	through scheduler.Journal
}

func (c counted) Poll(ctx context.Context, limit int) (scheduler.Inbox, error) {
	return c.through.Poll(ctx, limit)
}

// cluster runs three replicas until the test ends, and returns where each serves
// its metrics.
func cluster(t *testing.T) (addrs []string) {
	t.Helper()
	kinds := jobs.Kinds(map[string]jobs.Func{"work": work, "fail": fail, "tarry": tarry})
	cfg, err := config.Parse("busy", []byte(busy), kinds)
	if err != nil {
		t.Fatal(err)
	}
	leases, hub, kept := new(store), memjournal.NewHub(), memjournal.New(nil)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	t.Cleanup(func() { cancel(); running.Wait() })
	for _, id := range []string{"a", "b", "c"} {
		registry := client.NewRegistry()
		m := telemetry.NewMetrics(registry)
		m.Configure(cfg)
		d, err := daemon.New(cfg, daemon.Deps{
			Store: leases, Members: hub.Join(journal.Replica{ID: id}), Replica: id, Clock: election.Monotonic(),
			Memory:  &daemon.Memory{Journal: counted{kept, m.WrapJournal(kept)}},
			Metrics: m, MetricsHandler: telemetry.Handler(registry), Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		addrs = append(addrs, d.Addr())
		running.Go(func() {
			if err := d.Run(ctx); err != nil {
				t.Errorf("replica %s: %v", id, err)
			}
		})
		running.Go(func() {
			m.Watch(ctx, telemetry.Sources{
				Queued: kept.Queued, Letters: kept.DeadLetters, Past: kept.Past, Ready: d.Ready,
				Live: func() []string { return []string{"a", "b", "c"} },
			})
		})
	}
	return addrs
}

// soon polls ok until it is true; the test fails after the time that ten people on
// two processors may need.
func soon(t *testing.T, what func() string) {
	t.Helper()
	end := time.Now().Add(2 * time.Minute)
	for {
		missing := what()
		if missing == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("after two minutes: %s", missing)
		}
		time.Sleep(200 * time.Millisecond)
	}
}
