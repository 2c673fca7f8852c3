package daemon

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/solocron/solocron/journal"
)

// feed is what tells what happens; nil: nothing does.
func (deps *Deps) feed() *journal.Feed {
	if deps.Memory == nil {
		return nil
	}
	return deps.Memory.Feed
}

// tell writes what happens, and hands it to those who look, until undo runs, which
// is after the last run has ended.
func (d *Daemon) tell(ctx context.Context, undo *teardown) {
	feed := d.deps.feed()
	if feed == nil {
		return
	}
	telling, stop := context.WithCancel(context.WithoutCancel(ctx))
	var teller sync.WaitGroup
	teller.Go(func() { _ = feed.Run(telling) }) // always nil
	if m := d.deps.Members; m != nil {
		teller.Go(func() { missPeers(telling, m, d.id, feed) })
	}
	feed.Say(journal.Happening{Topic: journal.AboutReplica, Phase: journal.Joined})
	if revision := d.configs.current().Revision; revision != "" {
		feed.Say(journal.Happening{Topic: journal.AboutConfig, Phase: journal.Loaded, Note: revision})
	}
	undo.push("what happens", func(ctx context.Context) error {
		feed.Say(journal.Happening{Topic: journal.AboutReplica, Phase: journal.Left})
		stop()
		return wait(ctx, &teller)
	})
}

// peersEvery is how often it is looked whether all peers are still there.
const peersEvery = 2 * time.Second

// missPeers tells of peers that no longer live, until ctx ends.
func missPeers(ctx context.Context, m Members, self string, feed *journal.Feed) {
	for before := slices.Clone(m.Live()); sleep(ctx, peersEvery); {
		now := slices.Clone(m.Live())
		for _, id := range missed(before, now, self) {
			feed.Say(journal.Happening{Replica: id, Topic: journal.AboutReplica, Phase: journal.Gone, By: self})
		}
		before = now
	}
}

// missed are those of before that are not there now, if it is up to self to say
// so: to the first of those that are.
func missed(before, now []string, self string) []string {
	if len(now) == 0 || slices.Min(now) != self {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(before), func(id string) bool { return slices.Contains(now, id) })
}
