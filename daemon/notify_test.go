package daemon_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/notify"
	"github.com/solocron/solocron/notify/redisnotify"
	"github.com/solocron/solocron/scheduler"
)

// pager is a receiver of notifications that can be out of order.
type pager struct {
	broken  atomic.Bool
	refused atomic.Int64

	mu   sync.Mutex
	told []string
}

func (p *pager) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var doc struct{ Events []notify.Message }
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	switch {
	case p.broken.Load():
		p.refused.Add(1)
		http.Error(w, "out of order", http.StatusBadGateway)
	case err != nil, json.Unmarshal(body, &doc) != nil:
		http.Error(w, "no JSON", http.StatusBadRequest)
	default:
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, m := range doc.Events {
			p.told = append(p.told, string(m.Kind)+" "+m.Job)
		}
	}
}

func (p *pager) sorted() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(slices.Values(p.told))
}

func (p *pager) has(what string) bool { return slices.Contains(p.sorted(), what) }

// scripts runs scripts on a client of Redis.
type scripts struct{ rdb redis.UniversalClient }

func (s scripts) Eval(ctx context.Context, script string, keys []string, args ...any) (any, error) {
	return redis.NewScript(script).Run(ctx, s.rdb, keys, args...).Result()
}

// onRedis is a whole replica on the Redis at addr.
func onRedis(t *testing.T, addr, id string, cfg *config.Config) *daemon.Daemon {
	t.Helper()
	const try = 2 * time.Second
	client := func() redis.UniversalClient {
		rdb, err := redisclient.New(redisclient.Settings{Section: "redis", Addrs: []string{addr}, Try: try})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
	leases, err := redislease.New(client(), "solocron", cfg.Namespace, try)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := redisjournal.NewJournal(client(), "solocron", cfg.Namespace)
	if err != nil {
		t.Fatal(err)
	}
	states, err := redisnotify.New(scripts{client()}, "solocron", cfg.Namespace)
	if err != nil {
		t.Fatal(err)
	}
	told, err := notify.New(cfg, notify.Deps{Store: states, Archive: kept})
	if err != nil {
		t.Fatal(err)
	}
	return assemble(t, cfg, daemon.Deps{
		Store: leases, Members: redisjournal.New(client(), "solocron", cfg.Namespace, journal.Replica{ID: id, Started: time.Now()}),
		Memory: &daemon.Memory{Journal: kept}, Replica: id, Alerts: told,
	})
}

// pageFile is a configuration whose two jobs at one moment wait for a place that hog
// has, one until it is late, one until it is too late.
const pageFile = `
namespace: pages
concurrencyGroups: [{ name: one, limit: 1 }]
notify:
  channels: { ops: { webhook: { url: %[1]q } } }
  defaults: { to: ops, remind: 0 }
jobs:
- { name: flaky, schedule: manual, func: flaky, notify: { on: [failure, recovery], remind: 1m } }
- { name: hog, schedule: manual, func: hog, concurrencyGroup: one }
- { name: tardy, schedule: "@at %[2]s", func: fine, concurrencyGroup: one, startingDeadline: 5m, notify: { on: late }, expect: { startWithin: 1s } }
- { name: gone, schedule: "@at %[2]s", func: fine, concurrencyGroup: one, startingDeadline: 2s, notify: { on: missed } }
`

// remindSoon stands for the minute of pageFile, which is the least that a file may say.
const remindSoon = 20 * time.Second

func TestThreeRealReplicasTellEachThingOnceOverAnOutageOfTheReceiver(t *testing.T) {
	t.Parallel()
	m := miniredis.RunT(t)
	m.ClockTTL(true)
	p := new(pager)
	p.broken.Store(true)
	receiver := httptest.NewServer(p)
	t.Cleanup(receiver.Close)

	var well atomic.Bool
	free := make(chan struct{})
	kinds := jobs.Kinds(map[string]jobs.Func{
		"fine": func(context.Context, jobs.Run) error { return nil },
		"flaky": func(context.Context, jobs.Run) error {
			if well.Load() {
				return nil
			}
			return errors.New("the database is away")
		},
		"hog": func(ctx context.Context, _ jobs.Run) error {
			select {
			case <-free:
			case <-ctx.Done():
			}
			return nil
		},
	})
	at := time.Now().UTC().Add(6 * time.Second).Truncate(time.Second)
	cfg, err := config.Parse("c.yaml", fmt.Appendf(nil, pageFile, receiver.URL+"/hook", at.Format(time.RFC3339)), kinds)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Admin.Listen, cfg.Jobs[0].Notify.Remind = "", remindSoon
	var all []*daemon.Daemon
	for _, id := range []string{"a", "b", "c"} {
		all = append(all, onRedis(t, m.Addr(), id, cfg))
	}
	var stops []func() error
	for _, d := range all {
		stop := launch(t, d)
		stops = append(stops, stop)
		t.Cleanup(func() { _ = stop() }) // if the test ends before its end; else it has been stopped
	}
	trigger := func(d *daemon.Daemon, job string) {
		eventually(t, "a trigger of "+job, func() bool {
			_, err := d.Engine().Trigger(t.Context(), job, scheduler.Order{By: "test"})
			return err == nil
		})
	}
	trigger(all[0], "hog")
	trigger(all[1], "flaky")
	eventually(t, "an outage that is noticed", func() bool { return p.refused.Load() >= 3 && time.Now().After(at.Add(4*time.Second)) })
	p.broken.Store(false)
	want := []string{"failure flaky", "late tardy", "missed gone"}
	eventually(t, "what was not told in the outage", func() bool { return len(p.sorted()) >= len(want) })
	close(free)
	eventually(t, "the reminder", func() bool { return p.has("reminder flaky") })
	well.Store(true)
	trigger(all[2], "flaky")
	eventually(t, "the recovery", func() bool { return p.has("recovery flaky") })
	for _, stop := range stops {
		if err := stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	}
	want = append(want, "recovery flaky", "reminder flaky")
	if got := p.sorted(); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// eventually waits until ok, for at most a minute.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
