package election_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
)

// burst is jobs that are due together, again and again.
type burst struct {
	b       *testing.B
	elector *election.Elector
	wishes  []election.Wish
	leases  []*election.Lease
	tick    time.Time
	names   int
}

func newBurst(b *testing.B, jobs int) *burst {
	b.Helper()
	e, err := election.New(new(memlease.Store), "alone", election.Config{})
	if err != nil {
		b.Fatal(err)
	}
	u := &burst{
		b: b, elector: e, wishes: make([]election.Wish, jobs), leases: make([]*election.Lease, jobs),
		tick: time.Now().Add(-time.Hour).Truncate(time.Millisecond),
	}
	u.rename()
	return u
}

// rename puts other jobs in the place of those so far.
func (u *burst) rename() {
	for i := range u.wishes {
		u.names++
		u.wishes[i] = election.Wish{Key: fmt.Sprintf("job-%06d", u.names), Def: "0123456789abcdef"}
	}
}

// round takes a tick of every job from claim to release, as an engine does.
func (u *burst) round(ctx context.Context) {
	u.tick = u.tick.Add(time.Millisecond)
	for i := range u.wishes {
		u.wishes[i].Tick = u.tick
	}
	for i, r := range u.elector.Claim(ctx, u.wishes) {
		if r.Answer != election.Granted {
			u.b.Fatalf("claim %d: got answer %d, error %v", i, r.Answer, r.Err)
		}
		u.leases[i] = r.Lease
	}
	started := u.elector.Start(ctx, u.leases)
	var ended sync.WaitGroup
	ended.Add(len(u.leases))
	for i, l := range u.leases {
		if started[i].Err != nil {
			u.b.Fatal(started[i].Err)
		}
		run, stop := l.Keep(ctx)
		if run.Err() != nil {
			u.b.Fatal(context.Cause(run))
		}
		stop()
		l.End(ctx, election.OutcomeSucceeded, func(election.Outcome, error) { ended.Done() })
	}
	ended.Wait()
}

// BenchmarkTick measures what the lease of one tick costs without a store that
// others share: of jobs that have run before, and of jobs whose first tick it is.
func BenchmarkTick(b *testing.B) {
	const jobs = 2048
	perTick := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*jobs), "ns/tick")
	}
	b.Run("known", func(b *testing.B) {
		b.ReportAllocs()
		u := newBurst(b, jobs)
		u.round(b.Context())
		for b.Loop() {
			u.round(b.Context())
		}
		perTick(b)
	})
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		var u *burst
		for n := 0; b.Loop(); n++ {
			b.StopTimer()
			if n%50 == 0 { // at most 100,000 jobs
				u = newBurst(b, jobs)
			}
			u.rename()
			b.StartTimer()
			u.round(b.Context())
		}
		perTick(b)
	})
}

// BenchmarkMutex measures what a lock costs in the process: one caller, and many
// at a time, each with a key of its own.
func BenchmarkMutex(b *testing.B) {
	cycle := func(b *testing.B, l *election.Locks, key election.Key) {
		h, err := l.Mutex(key).Try(b.Context())
		if err == nil {
			err = h.Unlock()
		}
		if err != nil {
			b.Error(err)
		}
	}
	newLocks := func(b *testing.B) *election.Locks {
		l, err := election.NewLocks(new(memlease.Store), "alone", election.LocksConfig{})
		if err != nil {
			b.Fatal(err)
		}
		return l
	}
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		l := newLocks(b)
		for b.Loop() {
			cycle(b, l, order)
		}
	})
	b.Run("many", func(b *testing.B) {
		b.ReportAllocs()
		l := newLocks(b)
		var n atomic.Int64
		b.SetParallelism(16)
		b.RunParallel(func(pb *testing.PB) {
			key := election.Key{Kind: "order", ID: fmt.Sprint(n.Add(1))}
			for pb.Next() {
				cycle(b, l, key)
			}
		})
	})
}
