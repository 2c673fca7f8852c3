package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// newspaper is what all replicas told, as one who follows hears it.
type newspaper struct {
	mu   sync.Mutex
	told []journal.Happening
}

func (n *newspaper) read(told []journal.Told) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, one := range told {
		n.told = append(n.told, one.Happening)
	}
	return nil
}

// has reports whether something was told, as its parts with spaces.
func (n *newspaper) has(want string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.ContainsFunc(n.told, func(h journal.Happening) bool {
		text := fmt.Sprint(h.Topic, " ", h.Phase, " ", h.Job, " ", h.Run, " ", h.Verdict, " ", h.Cause, " by ", h.By, " on ", h.Replica, ": ", h.Note)
		return strings.Join(strings.Fields(text), " ") == want
	})
}

// neighbourhood is replicas over one store, hub and journal in memory.
type neighbourhood struct {
	store   store
	hub     *memjournal.Hub
	journal *memjournal.Journal
	batches *memjournal.Batches
}

func newNeighbourhood() *neighbourhood {
	return &neighbourhood{hub: memjournal.NewHub(), journal: memjournal.New(nil), batches: memjournal.NewBatches()}
}

func (n *neighbourhood) replica(t *testing.T, id string, run jobs.Func) (*daemon.Daemon, func() error) {
	t.Helper()
	cfg := configured(t, "@every 1h", run)
	cfg.Revision = "rev-1"
	with := deps(&n.store)
	with.Replica, with.Members = id, n.hub.Join(journal.Replica{ID: id})
	with.Memory = &daemon.Memory{Journal: n.journal, Feed: journal.NewFeed(n.batches, id)}
	d := assemble(t, cfg, with)
	return d, launch(t, d)
}

func TestWhatHappensToJobsRunsAndReplicasIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n, paper := newNeighbourhood(), new(newspaper)
		a, stopA := n.replica(t, "a", func(ctx context.Context, _ jobs.Run) error {
			<-ctx.Done()
			return context.Cause(ctx)
		})
		followed := make(chan error, 1)
		go func() { followed <- a.Admin().Memory.Feed.Follow(t.Context(), journal.Place{}, paper.read) }()
		time.Sleep(time.Second)
		_, stopB := n.replica(t, "b", nothing)
		time.Sleep(10 * time.Second)
		if err := stopB(); err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Second)
		row, err := a.Engine().Trigger(t.Context(), "job", scheduler.Order{By: "ann", Note: "month end"})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		_, cancelErr := a.Engine().Cancel(t.Context(), row.ID, scheduler.Order{By: "bob", Note: "wrong month"})
		time.Sleep(5 * time.Second)
		_, pauseErr := a.Engine().Pause(t.Context(), "job", time.Time{}, scheduler.Order{By: "ann", Note: "holidays"})
		_, resumeErr := a.Engine().Resume(t.Context(), "job", scheduler.Order{By: "bob"})
		if err := errors.Join(cancelErr, pauseErr, resumeErr); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if err := stopA(); err != nil {
			t.Error(err)
		}
		if err := <-followed; !errors.Is(err, journal.ErrFeedEnded) {
			t.Errorf("follow: got %v", err)
		}
		for _, want := range []string{
			"replica joined by on a:", "config loaded by on a: rev-1", "replica joined by on b:", "replica left by on b:", "replica gone by a on b:",
			"run queued job " + row.ID + " manual by ann on a: month end", "run started job " + row.ID + " manual by ann on a:",
			"run stopping job " + row.ID + " by bob on a: wrong month", "run ended job " + row.ID + " cancelled manual by bob on a: wrong month",
			"job paused job by ann on a: holidays", "job resumed job by bob on a:",
		} {
			if !paper.has(want) {
				t.Errorf("%q was not told", want)
			}
		}
		if t.Failed() {
			for _, h := range paper.told {
				t.Logf("%+v", h)
			}
		}
	})
}

func TestOneOfThoseThatAreLeftMissesOneThatIsGone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, now string
		self, want  string
	}{
		"the first says so":       {"a b c", "a b", "a", "c"},
		"the others do not":       {"a b c", "a b", "b", ""},
		"the first is gone":       {"a b c", "b c", "b", "a"},
		"nobody is gone":          {"a b", "a b c", "a", ""},
		"all others are gone":     {"a b c", "a", "a", "b c"},
		"it is not among the now": {"a b", "b", "a", ""},
		"nobody is known":         {"a", "", "a", ""},
	} {
		got := daemon.Missed(strings.Fields(c.before), strings.Fields(c.now), c.self)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %q", name, got, c.want)
		}
	}
}
