package memjournal_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/memjournal"
)

func TestHubKeepsTheContract(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, true, func(*testing.T) journaltest.Cluster {
		hub := memjournal.NewHub()
		return func(self journal.Replica) journaltest.Members { return hub.Join(self) }
	})
}

func TestTwoReplicasCannotShareAnID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hub := memjournal.NewHub()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = hub.Join(journal.Replica{ID: "a"}).Run(ctx, func(scheduler.News) {}) }()
		synctest.Wait()
		if err := hub.Join(journal.Replica{ID: "a"}).Run(ctx, func(scheduler.News) {}); err == nil {
			t.Error("a second replica with the same ID could run")
		}
	})
}

func TestASlowReaderBlocksNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hub := memjournal.NewHub()
		ctx, cancel := context.WithCancel(t.Context())
		stuck := make(chan struct{})
		go func() { _ = hub.Join(journal.Replica{ID: "slow"}).Run(ctx, func(scheduler.News) { <-stuck }) }()
		synctest.Wait()
		sender := hub.Join(journal.Replica{ID: "a"})
		for range 5000 {
			if err := sender.Announce(ctx, scheduler.News{From: "a", Ticks: make([]scheduler.TickRef, 1)}); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		close(stuck)
	})
}
