package chaos_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/scheduler"
)

// patience is what a call gets here: less than any time-out of the clients.
const patience = 200 * time.Millisecond

// allowance is what a call may take beyond its context.
func allowance() time.Duration {
	if raceEnabled {
		return 250 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// calls are the public calls that speak to Redis, by name. An error is not looked
// at: what is measured is when they return.
type calls map[string]func(context.Context)

func TestNoCallOutlivesItsContextWhileRedisIsFrozen(t *testing.T) {
	server := redistest.Start(t)
	w := newWorld(t, quick()...)
	w.cfg = election.Config{} // tries of a second: no call may lean on a short one
	w.journalTry = 2 * time.Second
	r := w.start("r0", server.Addr)
	w.backWithin(20 * time.Second)
	leases := w.hold(r, "x", "y", "z")
	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Resume(); err != nil {
			t.Error(err)
		}
	}()
	for _, part := range []calls{r.electorCalls(leases), r.engineCalls(), r.queueCalls(), r.archiveCalls(), r.otherCalls()} {
		part.measure(t)
	}
}

// measure makes all calls at once, each with a deadline, and reports those that
// outlive it.
func (c calls) measure(t *testing.T) {
	t.Helper()
	var wg sync.WaitGroup
	for name, call := range c {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			began := time.Now()
			call(ctx)
			if took := time.Since(began); took > patience+allowance() {
				t.Errorf("%s took %s of %s", name, took.Round(time.Millisecond), patience)
			}
		})
	}
	wg.Wait()
}

// hold claims and starts keys.
func (w *world) hold(r *replica, keys ...string) []*election.Lease {
	w.t.Helper()
	wishes := make([]election.Wish, len(keys))
	for i, key := range keys {
		wishes[i] = election.Wish{Key: key, Mode: election.ForRequest}
	}
	var leases []*election.Lease
	for _, reply := range r.elector.Claim(w.t.Context(), wishes) {
		if reply.Answer != election.Granted {
			w.t.Fatalf("claim: %+v", reply)
		}
		leases = append(leases, reply.Lease)
	}
	for _, started := range r.elector.Start(w.t.Context(), leases) {
		if started.Err != nil {
			w.t.Fatal(started.Err)
		}
	}
	return leases
}

func (r *replica) electorCalls(leases []*election.Lease) calls {
	return calls{
		"Elector.Claim": func(ctx context.Context) {
			r.elector.Claim(ctx, []election.Wish{{Key: "other", Mode: election.ForRequest}})
		},
		"Elector.Start":    func(ctx context.Context) { r.elector.Start(ctx, leases[:1]) },
		"Lease.Release":    func(ctx context.Context) { _, _ = leases[0].Release(ctx, election.OutcomeSucceeded) },
		"Lease.Check":      func(context.Context) { _ = leases[1].Check() },
		"Lease.Keep, stop": func(ctx context.Context) { _, stop := leases[1].Keep(ctx); stop() },
		"Store.Check":      func(ctx context.Context) { _, _ = r.store.Check(ctx) },
		"Store.Read":       func(ctx context.Context) { _, _ = r.store.Read(ctx, []string{"a"}) },
		"Store.SetGate":    func(ctx context.Context) { _ = r.store.SetGate(ctx, "other", election.Gate{}) },
		"Store.Revoke":     func(ctx context.Context) { _, _ = r.store.Revoke(ctx, election.Revocation{Key: "z"}) },
	}
}

func (r *replica) engineCalls() calls {
	o, s, tick := scheduler.Order{By: "test"}, r.engine, time.Now().Truncate(time.Second)
	return calls{
		"Scheduler.Trigger": func(ctx context.Context) { _, _ = s.Trigger(ctx, "a", o) },
		"Scheduler.Trigger with a key": func(ctx context.Context) {
			_, _ = s.Trigger(ctx, "a", scheduler.Order{By: "test", Key: "k"})
		},
		"Scheduler.Cancel": func(ctx context.Context) { _, _ = s.Cancel(ctx, scheduler.Tick{Job: "a", At: tick}.ID(), o) },
		"Scheduler.Rerun":  func(ctx context.Context) { _, _ = s.Rerun(ctx, scheduler.Tick{Job: "a", At: tick}.ID(), o) },
		"Scheduler.Backfill": func(ctx context.Context) {
			_, _ = s.Backfill(ctx, "a", scheduler.Range{From: tick.Add(-5 * time.Second), To: tick}, o)
		},
		"Scheduler.Pause":    func(ctx context.Context) { _, _ = s.Pause(ctx, "b", time.Time{}, o) },
		"Scheduler.Resume":   func(ctx context.Context) { _, _ = s.Resume(ctx, "b", o) },
		"Scheduler.SkipNext": func(ctx context.Context) { _, _ = s.SkipNext(ctx, "c", o) },
		"Scheduler.Gate":     func(ctx context.Context) { _, _ = s.Gate(ctx, "b") },
		"Scheduler.Moment":   func(context.Context) { _, _ = s.Moment("a", tick) },
		"Scheduler.Jobs":     func(context.Context) { s.Jobs() },
		"Scheduler.Ready":    func(context.Context) { _ = s.Ready() },
	}
}

func (r *replica) queueCalls() calls {
	j := r.journal
	q := scheduler.Request{ID: "a.test", Run: "a.test", Job: "a", Cause: scheduler.ByHand, Tick: time.Now(), Made: time.Now(), NotBefore: time.Now().Add(time.Hour), Attempt: 1}
	begins := []scheduler.Begin{{ID: "a.test", Token: 1}}
	return calls{
		"Journal.Put":      func(ctx context.Context) { _, _ = j.Put(ctx, []scheduler.Request{q}) },
		"Journal.Poll":     func(ctx context.Context) { _, _ = j.Poll(ctx, 10) },
		"Journal.Begin":    func(ctx context.Context) { _, _ = j.Begin(ctx, begins) },
		"Journal.PutBack":  func(ctx context.Context) { _ = j.PutBack(ctx, begins, time.Hour) },
		"Journal.Withdraw": func(ctx context.Context) { _, _, _ = j.Withdraw(ctx, "a.test") },
		"Journal.Settle":   func(ctx context.Context) { _ = j.Settle(ctx, []string{"a.test"}) },
		"Journal.Stop":     func(ctx context.Context) { _ = j.Stop(ctx, scheduler.Stop{Run: "a.test", By: "test"}) },
		"Journal.Queued":   func(ctx context.Context) { _, _ = j.Queued(ctx, 10) },
	}
}

func (r *replica) archiveCalls() calls {
	j := r.journal
	row := scheduler.Row{ID: "a.test", Job: "a", Tick: time.Now(), Cause: scheduler.ByHand, State: scheduler.RunEnded, Verdict: scheduler.Failed}
	return calls{
		"Journal.Record": func(ctx context.Context) { _, _ = j.Record(ctx, []scheduler.Entry{{Row: row}}) },
		"Journal.Open":   func(ctx context.Context) { _, _ = j.Open(ctx) },
		"Journal.Past":   func(ctx context.Context) { _, _ = j.Past(ctx, "a", scheduler.Query{}) },
		"Journal.Find":   func(ctx context.Context) { _, _, _ = j.Find(ctx, "a.test") },
		"Journal.Adopt":  func(ctx context.Context) { _, _ = j.Adopt(ctx, []scheduler.Definition{{Job: "other", Def: "d"}}) },
		"Journal.Told":   func(ctx context.Context) { _, _ = j.Told(ctx, []string{"a", "b"}) },
		"Journal.SaveCheckpoint": func(ctx context.Context) {
			_ = j.SaveCheckpoint(ctx, "other", 1, []byte("data"))
		},
		"Journal.Checkpoint": func(ctx context.Context) { _, _, _ = j.Checkpoint(ctx, "other") },
	}
}

func (r *replica) otherCalls() calls {
	j := r.journal
	inquiry := redisjournal.NewInquiry(r.clients[2], prefix, namespace, r.name, journal.NewSightings(0))
	return calls{
		"Journal.DeadLetters": func(ctx context.Context) { _, _ = j.DeadLetters(ctx, 10) },
		"Journal.Acknowledge": func(ctx context.Context) { _, _ = j.Acknowledge(ctx, "a.test", "test") },
		"Journal.Audit":       func(ctx context.Context) { _ = j.Audit(ctx, journal.Deed{Who: "test", What: "test"}) },
		"Journal.Deeds":       func(ctx context.Context) { _, _ = j.Deeds(ctx, 10) },
		"Members.Announce":    func(ctx context.Context) { _ = r.members.Announce(ctx, scheduler.News{From: r.name, Bell: true}) },
		"Members.Replicas":    func(ctx context.Context) { _, _ = r.members.Replicas(ctx) },
		"Inquiry.Ask":         func(ctx context.Context) { _, _ = inquiry.Ask(ctx, "a", time.Now(), []string{"r0", "r9"}) },
	}
}

// What is closed while Redis is frozen ends in bounded time, and leaves no
// goroutine: TestMain looks for them.
func TestAReplicaIsClosedInBoundedTimeWhileRedisIsFrozen(t *testing.T) {
	server := redistest.Start(t)
	w := newWorld(t, append(quick(), job{"slow", 1500 * time.Millisecond})...)
	all := w.trio(server.Addr)
	w.backWithin(20 * time.Second)
	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Resume(); err != nil {
			t.Error(err)
		}
	}()
	// Runs have 5 s to end, their outcomes 5 s to be told, the journal 5 s more.
	const limit = 17 * time.Second
	began := time.Now()
	var wg sync.WaitGroup
	for _, r := range slices.Backward(all) {
		wg.Go(r.close)
	}
	wg.Wait()
	took := time.Since(began)
	t.Logf("closed after %s", took.Round(time.Millisecond))
	if took > limit {
		t.Errorf("closing took %s, want at most %s", took, limit)
	}
}
