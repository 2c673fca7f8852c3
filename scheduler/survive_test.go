package scheduler_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

func TestInterruptedRunIsHandedOverWithItsCheckpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		var mu sync.Mutex
		var restored []string
		work := func(ctx context.Context, r jobs.Run) error {
			mu.Lock()
			restored = append(restored, r.Replica+":"+string(r.Restored))
			mu.Unlock()
			if err := r.Checkpoint([]byte("page 7 of " + r.Replica)); err != nil {
				return err
			}
			if r.Attempt > 1 {
				return nil
			}
			<-ctx.Done()
			return context.Cause(ctx)
		}
		a := w.startAs(scheduler.Config{Replica: "a", Grace: time.Second}, minute(work, jobs.Policies{}))
		time.Sleep(70 * time.Second)
		defer w.start("b", minute(work, jobs.Policies{})).stop()
		time.Sleep(time.Second)
		a.stop()
		time.Sleep(3 * time.Second)
		w.want("job", "00:01 succeeded")
		mu.Lock()
		defer mu.Unlock()
		if got := strings.Join(restored, ", "); got != "a:, b:page 7 of a" {
			t.Errorf("runs found the checkpoints %q", got)
		}
		row, _, _ := w.journal.Find(t.Context(), "job.20000101T000100Z")
		if row.Attempt != 2 || len(row.Tries) != 1 || row.Tries[0].Verdict != scheduler.Interrupted {
			t.Errorf("row = %+v, want a second attempt after one that was interrupted", row)
		}
	})
}

// tardy is a journal that takes its time with rows that wait for another attempt.
type tardy struct{ *memjournal.Journal }

func (j tardy) Record(ctx context.Context, entries []scheduler.Entry) ([]scheduler.Recorded, error) {
	if slices.ContainsFunc(entries, func(e scheduler.Entry) bool { return e.Row.State == scheduler.RunRetrying }) {
		time.Sleep(time.Second)
	}
	return j.Journal.Record(ctx, entries)
}

func TestAttemptsAreKnownThoughTheRowOfTheEarlierOneComesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		work := func(ctx context.Context, r jobs.Run) error {
			if r.Attempt > 1 {
				return nil
			}
			<-ctx.Done()
			return context.Cause(ctx)
		}
		a := w.startAs(scheduler.Config{Replica: "a", Grace: time.Second, Journal: tardy{w.journal}}, minute(work, jobs.Policies{}))
		time.Sleep(70 * time.Second)
		defer w.start("b", minute(work, jobs.Policies{})).stop()
		time.Sleep(time.Second)
		a.stop() // its last row is written a second after b has taken the request
		time.Sleep(3 * time.Second)
		w.want("job", "00:01 succeeded")
		row, _, _ := w.journal.Find(t.Context(), "job.20000101T000100Z")
		if row.Attempt != 2 || len(row.Tries) != 1 || row.Tries[0].Verdict != scheduler.Interrupted || row.Tries[0].Replica != "a" {
			t.Errorf("row = %+v, want a second attempt after one of a that was interrupted", row)
		}
	})
}

func TestCheckpointOfOneRunIsNotGivenToAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		got := make(chan string, 10)
		work := func(_ context.Context, r jobs.Run) error {
			got <- string(r.Restored)
			if err := r.Checkpoint(make([]byte, 61<<10)); err == nil {
				t.Error("a checkpoint of 61 KiB was kept")
			}
			return r.Checkpoint([]byte("mine"))
		}
		defer w.start("a", minute(work, jobs.Policies{})).stop()
		for range 3 {
			if text := <-got; text != "" {
				t.Errorf("a fresh run found the checkpoint %q", text)
			}
		}
	})
}

func TestRunThatLosesItsLeaseIsRerunIfTheJobSaysSo(t *testing.T) {
	for policy, want := range map[jobs.HolderLost]string{
		jobs.SkipOnHolderLost:  "00:01 lost",
		jobs.RerunOnHolderLost: "00:01 succeeded",
	} {
		t.Run("policy "+string(policy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newTown(t)
				work := func(ctx context.Context, r jobs.Run) error {
					if r.Attempt > 1 {
						return nil
					}
					<-ctx.Done()
					return context.Cause(ctx)
				}
				for _, name := range []string{"a", "b"} {
					defer w.startOn("1 0 1 1 *", scheduler.Config{Replica: name}, minute(work, jobs.Policies{OnHolderLost: policy})).stop()
				}
				time.Sleep(70 * time.Second)
				if _, err := w.store.Revoke(t.Context(), election.Revocation{Key: "job", LockDelay: time.Second, Retention: time.Hour, By: "test"}); err != nil {
					t.Fatal(err)
				}
				time.Sleep(2 * time.Minute)
				w.want("job", want)
			})
		})
	}
}

func TestReplicaWhoseFunctionIgnoresItsContextSaysSoAndTheRunHasNotSucceeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		deaf := func(context.Context, jobs.Run) error {
			time.Sleep(3 * time.Minute)
			return nil
		}
		defer w.startOn("1 0 1 1 *", scheduler.Config{Replica: "a"}, minute(deaf, jobs.Policies{})).stop()
		time.Sleep(70 * time.Second)
		if _, err := w.store.Revoke(t.Context(), election.Revocation{Key: "job", Retention: time.Hour, By: "test"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(4 * time.Minute)
		w.want("job", "00:01 lost")
		w.seen.mu.Lock()
		defer w.seen.mu.Unlock()
		said := 0
		for _, e := range w.seen.events {
			if e.Phase == scheduler.Overran {
				if said++; !strings.Contains(e.Note, "survive_test.go") {
					t.Errorf("the stack does not show the function:\n%s", e.Note)
				}
			}
		}
		if said < 2 {
			t.Errorf("it was said %d times, want each minute", said)
		}
	})
}

func TestOverrunEndsTheReplicaIfTheJobSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		e, err := election.New(w.store, "a", election.Config{Clock: election.Monotonic()})
		if err != nil {
			t.Fatal(err)
		}
		s := scheduler.New(e, scheduler.Config{Ledger: w.store, Journal: w.journal, Peers: w.hub.Join(journal.Replica{ID: "a"})})
		deaf := jobs.Func(func(context.Context, jobs.Run) error {
			time.Sleep(time.Hour)
			return nil
		})
		if err := s.Add("1 0 1 1 *", minute(deaf, jobs.Policies{OnOverrun: jobs.ExitOnOverrun})); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- s.Run(t.Context()) }()
		time.Sleep(70 * time.Second)
		if _, err := w.store.Revoke(t.Context(), election.Revocation{Key: "job", Retention: time.Hour, By: "test"}); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			if !errors.Is(err, scheduler.ErrOverrun) {
				t.Errorf("Run returned %v, want ErrOverrun", err)
			}
		case <-time.After(5 * time.Minute):
			t.Error("Run did not return")
		}
		time.Sleep(time.Hour) // the function ends, as the bubble must
	})
}

func TestReplicaThatIsNotFitLeavesTheTicksToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		unfit := func() error { return errors.New("the clock is 5s ahead of the store's") }
		defer w.startAs(scheduler.Config{Replica: "a", Fit: unfit}, minute(quick, jobs.Policies{})).stop()
		time.Sleep(90 * time.Second)
		w.want("job")
		b := w.start("b", minute(quick, jobs.Policies{}))
		defer b.stop()
		time.Sleep(time.Second)
		if _, err := b.Trigger(t.Context(), "job", scheduler.Order{}); err != nil {
			t.Error(err)
		}
		time.Sleep(40 * time.Second)
		w.want("job", "00:01 succeeded", "00:01 succeeded manual", "00:02 succeeded")
	})
}

// deafStore answers nobody while it is down.
type deafStore struct {
	election.Store
	down atomic.Bool
}

func (s *deafStore) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	if !s.down.Load() {
		return s.Store.Claim(ctx, claims)
	}
	out := make([]election.ClaimAnswer, len(claims))
	for i := range out {
		out[i].Err = errors.New("no answer")
	}
	return out
}

func TestWhatBecomesOfTicksWhileTheStoreIsDownIsTheJobsToSay(t *testing.T) {
	for policy, want := range map[jobs.StoreDown][]string{
		jobs.WaitOnStoreDown: {"00:01 succeeded", "00:02 succeeded"},
		jobs.SkipOnStoreDown: {"00:01 succeeded", "00:02 missed(store)"},
		jobs.RunOnStoreDown:  {"00:01 succeeded", "00:02 succeeded(unlocked)"},
	} {
		t.Run("policy "+string(policy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newTown(t)
				store := &deafStore{Store: w.store}
				e, err := election.New(store, "a", election.Config{Clock: election.Monotonic()})
				if err != nil {
					t.Fatal(err)
				}
				s := scheduler.New(e, scheduler.Config{Ledger: w.store, Journal: w.journal}, w.seen)
				if err := s.Add("* * * * *", minute(quick, jobs.Policies{OnStoreDown: policy, Idempotent: true})); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- s.Run(ctx) }()
				time.Sleep(90 * time.Second)
				store.down.Store(true)
				time.Sleep(50 * time.Second)
				store.down.Store(false)
				time.Sleep(15 * time.Second)
				w.want("job", want...)
				cancel()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
