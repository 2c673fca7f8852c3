package scheduler

import (
	"container/heap"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

// An attempt is what is being done about the due ticks of one job. A job has one at
// a time, which ends when they are decided; its memory serves the next. The order of
// its fields keeps it small.
type attempt struct {
	entry *entry
	plan
	after  time.Time      // the cursor when it was last planned
	owner  election.Owner // of a claim that was not answered; "": there is none
	tries  int
	listed uint32 // how often it was put on the agenda, or ended: only the last time counts
	lets
	stale  bool // a later tick is due: if this one is granted, give it back
	flying bool // a claim is on its way
	freed  bool // what it waits for has ended while the claim was on its way
}

// wish is the claim of a, as the elector takes it.
func (a *attempt) wish() election.Wish {
	mode := a.mode
	if a.paused {
		mode = election.Forfeit
	}
	return election.Wish{
		Key: a.entry.leaseKey(a.tick), Owner: a.owner, Mode: mode,
		Overlap: a.overlap(), Tick: a.tick, Epoch: a.entry.epoch.Load(), Def: a.entry.group.def,
	}
}

// overlap is what the store is to do with the tick of a while an older run is on.
func (a *attempt) overlap() election.Overlap {
	if a.late || a.entry.job.Overlap == jobs.QueueOverlap || a.entry.job.Overlap == jobs.ReplaceOverlap {
		return election.QueueOverlap
	}
	return election.SkipOverlap
}

// An agenda holds attempts until their time comes, those with the same time in
// one bunch: a burst of ten thousand ticks is a handful of bunches.
type agenda struct{ bunches bunches }

type bunch struct {
	at       time.Time
	listings []listing
}

// A listing is an attempt on the agenda, or about to go on its round.
type listing struct {
	*attempt
	nth uint32
}

// void reports whether the attempt was listed again since, or has ended.
func (l listing) void() bool { return l.nth != l.listed }

func (g *agenda) put(at time.Time, attempts ...*attempt) {
	if len(attempts) == 0 {
		return
	}
	listings := make([]listing, len(attempts))
	for i, a := range attempts {
		a.listed++
		listings[i] = listing{a, a.listed}
	}
	heap.Push(&g.bunches, bunch{at, listings})
}

// take removes the attempts whose time has come and adds them to ready.
func (g *agenda) take(now time.Time, ready []listing) []listing {
	for len(g.bunches) > 0 && !g.bunches[0].at.After(now) {
		due := slices.DeleteFunc(heap.Pop(&g.bunches).(bunch).listings, listing.void)
		if len(ready) == 0 {
			ready = due
		} else {
			ready = append(ready, due...)
		}
	}
	return ready
}

// next returns how long until the next bunch is due; a minute if there is none.
func (g *agenda) next(now time.Time) time.Duration {
	if len(g.bunches) == 0 {
		return time.Minute
	}
	return max(0, g.bunches[0].at.Sub(now))
}

// bunches is a heap.Interface, earliest first.
type bunches []bunch

func (b bunches) Len() int           { return len(b) }
func (b bunches) Less(i, j int) bool { return b[i].at.Before(b[j].at) }
func (b bunches) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *bunches) Push(x any)        { *b = append(*b, x.(bunch)) }
func (b *bunches) Pop() any {
	old := *b
	last := old[len(old)-1]
	*b = old[:len(old)-1]
	return last
}
