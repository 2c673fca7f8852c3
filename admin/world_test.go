package admin_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// world is two replicas over one store and one journal in memory, each with an API.
// It is for a bubble of synctest, whose clock begins at midnight UTC of 2000-01-01.
type world struct {
	t       *testing.T
	leases  memlease.Store
	journal *memjournal.Journal
	logs    *memjournal.Logs
	hub     *memjournal.Hub
	asking  *memjournal.Inquiries
	batches *memjournal.Batches
	feeds   map[string]*journal.Feed
	apis    map[string]*admin.API
	defs    map[string]jobs.Job  // that the APIs tell of
	engine  *scheduler.Scheduler // of the replica that was started last
	stops   []func()
}

// newWorld starts replicas a and b with what add adds to each.
func newWorld(t *testing.T, add func(*scheduler.Scheduler) error) *world {
	t.Helper()
	w := &world{
		t: t, journal: memjournal.New(nil), logs: memjournal.NewLogs(time.Now, journal.LogBounds{}),
		hub: memjournal.NewHub(), asking: memjournal.NewInquiries(), apis: map[string]*admin.API{},
		batches: memjournal.NewBatches(), feeds: map[string]*journal.Feed{},
	}
	for _, name := range []string{"a", "b"} {
		w.start(name, add)
	}
	time.Sleep(time.Second)
	return w
}

func (w *world) start(name string, add func(*scheduler.Scheduler) error) {
	w.t.Helper()
	elector, err := election.New(&w.leases, name, election.Config{Clock: election.Monotonic()})
	if err != nil {
		w.t.Fatal(err)
	}
	members := w.hub.Join(journal.Replica{ID: name, Version: "v1", Started: time.Now()})
	seen, output := journal.NewSightings(0), journal.NewOutput(w.logs, nil)
	inquiry, feed := w.asking.Join(name, seen), journal.NewFeed(w.batches, name)
	w.feeds[name] = feed
	s := scheduler.New(elector, scheduler.Config{
		Replica: name, Ledger: &w.leases, Journal: w.journal, Peers: members,
	}, seen, output, feed)
	if err := add(s); err != nil {
		w.t.Fatal(err)
	}
	w.engine = s
	w.apis[name] = admin.New(admin.Deps{
		Engine: s, Ledger: &w.leases, TTL: 30 * time.Second, Ready: s.Ready, Log: slog.New(slog.DiscardHandler),
		Memory: &admin.Memory{Journal: w.journal, Output: w.logs, Inquiry: inquiry, Members: members, Feed: feed},
		Define: func(job string) (jobs.Job, bool) { j, ok := w.defs[job]; return j, ok },
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 5)
	go func() { done <- s.Run(ctx) }()
	go func() { done <- members.Run(ctx, s.Hear) }()
	go func() { done <- inquiry.Run(ctx) }()
	go func() { done <- output.Run(ctx) }()
	go func() { done <- feed.Run(ctx) }()
	w.stops = append(w.stops, func() {
		cancel()
		for range 5 {
			if err := <-done; err != nil {
				w.t.Error(err)
			}
		}
	})
}

func (w *world) stop() {
	for _, stop := range w.stops {
		stop()
	}
}

// ask sends one request to the API of a replica, which must answer with a status.
func (w *world) ask(replica, method, target, body string, status int, header ...string) map[string]any {
	w.t.Helper()
	res, doc := call(w.t, w.apis[replica], method, "/api/v1/"+target, body, header...)
	if res.StatusCode != status {
		w.t.Fatalf("%s %s: got %d, want %d: %v", method, target, res.StatusCode, status, doc)
	}
	if at := res.Header.Get("Location"); res.StatusCode == http.StatusAccepted && doc["id"] != nil && at != "/api/v1/runs/"+doc["id"].(string) {
		w.t.Errorf("%s %s: location: got %q", method, target, at)
	}
	return doc
}

// define has the APIs tell of the definitions of jobs.
func (w *world) define(list ...jobs.Job) {
	w.defs = map[string]jobs.Job{}
	for _, j := range list {
		w.defs[j.Name] = j
	}
}

// run is a run as a replica shows it.
func (w *world) run(id string) map[string]any {
	w.t.Helper()
	return w.ask("b", "GET", "runs/"+id, "", 200)
}

// items are the members of a list.
func items(doc map[string]any) []map[string]any {
	list := []map[string]any{}
	for _, item := range doc["items"].([]any) {
		list = append(list, item.(map[string]any))
	}
	return list
}

// is compares some members of a document.
func is(t *testing.T, doc map[string]any, want map[string]any) {
	t.Helper()
	for key, value := range want {
		if doc[key] != value {
			t.Errorf("%s: got %v, want %v, in %v", key, doc[key], value, doc)
		}
	}
}

var errBroken = errors.New("broken")

// asked adds jobs that run on request: quick prints its parameters, long goes on
// for a minute unless it is stopped, broken fails twice.
func asked(s *scheduler.Scheduler) error {
	return errors.Join(
		s.AddUnscheduled(jobs.Job{
			Name: "quick", Runner: jobs.Func(func(_ context.Context, r jobs.Run) error {
				r.Output("stdout", "day "+r.Params["day"])
				return nil
			}),
			Policies: jobs.Policies{Params: []jobs.Param{{Name: "day", Type: jobs.IntParam, Default: "1"}}},
		}),
		s.AddUnscheduled(jobs.Job{Name: "long", Runner: jobs.Func(long1m)}),
		s.AddUnscheduled(jobs.Job{
			Name: "broken", Runner: jobs.Func(func(context.Context, jobs.Run) error { return errBroken }),
			Policies: jobs.Policies{Retry: jobs.Retry{MaxAttempts: 2, InitialInterval: time.Second}},
		}),
	)
}

func long1m(ctx context.Context, r jobs.Run) error {
	r.Output("stdout", "begin")
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(time.Minute):
		r.Output("stdout", "end")
		return nil
	}
}

func contains(lines []any, part string) bool {
	for _, l := range lines {
		if strings.Contains(l.(string), part) {
			return true
		}
	}
	return false
}
