package daemon_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// remembering returns dependencies with a memory, and that.
func remembering() (daemon.Deps, *daemon.Memory) {
	seen := journal.NewSightings(0)
	m := &daemon.Memory{
		Journal: memjournal.New(nil), Output: memjournal.NewLogs(time.Now, journal.LogBounds{}),
		Seen: seen, Inquiry: memjournal.NewInquiries().Join("self", seen),
	}
	with := deps(new(store))
	with.Memory, with.Replica = m, "self"
	return with, m
}

// printed is what is kept of the output of a run.
func printed(t *testing.T, m *daemon.Memory, run string) string {
	t.Helper()
	chunks, _, _, err := m.Output.Read(t.Context(), run, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range chunks {
		for _, l := range c.Lines() {
			lines = append(lines, l.Text)
		}
	}
	return strings.Join(lines, "|")
}

func TestTheLastWordsOfARunAtAShutdownAreKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		with, m := remembering()
		d := assemble(t, configured(t, "@every 1h", func(ctx context.Context, r jobs.Run) error {
			r.Output("stdout", "begin")
			<-ctx.Done()
			r.Output("stderr", "last words")
			return context.Cause(ctx)
		}), with)
		stop := launch(t, d)
		time.Sleep(time.Second)
		row, err := d.Engine().Trigger(t.Context(), "job", scheduler.Order{By: "test"})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
		if got := printed(t, m, row.ID); got != "begin|last words" {
			t.Errorf("output: got %q", got)
		}
		kept, known, err := m.Journal.Find(t.Context(), row.ID)
		if err != nil || !known || kept.Verdict != scheduler.Interrupted {
			t.Errorf("row: got %+v, %v, want interrupted", kept, err)
		}
	})
}

func TestTheConfigurationBoundsOutputAndRunsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most := 0, 0
		work := func(_ context.Context, r jobs.Run) error {
			r.Output("stdout", r.Job)
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(5 * time.Second)
			mu.Lock()
			now--
			mu.Unlock()
			return nil
		}
		with, m := remembering()
		cfg := configured(t, "@every 1h", work)
		cfg.MaxConcurrent = 2
		cfg.Groups = []config.Group{{Name: "db", Limit: 1}}
		for _, name := range []string{"quiet", "one", "two"} {
			j := config.Job{Unscheduled: true, Job: jobs.Job{Name: name, Kind: "func", Runner: jobs.Func(work)}}
			j.Group = "db"
			if name == "quiet" {
				j.Group, j.LogLimit = "", -1
			}
			cfg.Jobs = append(cfg.Jobs, j)
		}
		d := assemble(t, cfg, with)
		stop := launch(t, d)
		time.Sleep(time.Second)
		ids := map[string]string{}
		for _, j := range cfg.Jobs {
			row, err := d.Engine().Trigger(t.Context(), j.Name, scheduler.Order{By: "test"})
			if err != nil {
				t.Fatal(err)
			}
			ids[j.Name] = row.ID
		}
		time.Sleep(time.Minute)
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
		if most != 2 {
			t.Errorf("runs at once: got %d, want 2", most)
		}
		for name, want := range map[string]string{"job": "job", "one": "one", "two": "two", "quiet": ""} {
			if got := printed(t, m, ids[name]); got != want {
				t.Errorf("output of %s: got %q, want %q", name, got, want)
			}
		}
		one, _, _ := m.Journal.Find(t.Context(), ids["one"])
		two, _, _ := m.Journal.Find(t.Context(), ids["two"])
		if one.Verdict != scheduler.Succeeded || two.Verdict != scheduler.Succeeded || one.Started.Before(two.Ended) && two.Started.Before(one.Ended) {
			t.Errorf("two of a group of one: got %v to %v and %v to %v", one.Started, one.Ended, two.Started, two.Ended)
		}
	})
}

func TestAReplicaAnswersWhatItSaw(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		with, m := remembering()
		cfg := configured(t, "@every 10s", nothing)
		at := cfg.Jobs[0].Schedule.Next(time.Now())
		stop := launch(t, assemble(t, cfg, with))
		time.Sleep(15 * time.Second)
		seen, err := m.Inquiry.Ask(t.Context(), "job", at, []string{"self"})
		if err != nil || len(seen["self"]) != 2 || seen["self"][1].Verdict != scheduler.Succeeded {
			t.Errorf("got %+v, %v, want start and success", seen, err)
		}
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
	})
}
