package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// lonelyStore has lost its replicas while it is alone: it does what it is asked, and
// cannot answer for it. What it grants it takes back.
type lonelyStore struct {
	election.Store
	claims, starts atomic.Bool
}

var errLonely = fmt.Errorf("%w: 0 of 1", election.ErrUnreplicated)

func (s *lonelyStore) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := s.Store.Claim(ctx, claims)
	if !s.claims.Load() {
		return answers
	}
	for i, a := range answers {
		if a.Answer == election.Granted {
			s.Release(ctx, []election.End{{
				Key: claims[i].Key, Owner: claims[i].Owner, Token: a.Token, Outcome: election.OutcomeUndone, Retention: claims[i].Retention,
			}})
		}
		if a.Answer == election.Granted || a.Answer == election.Missed {
			answers[i] = election.ClaimAnswer{Err: errLonely, Now: a.Now}
		}
	}
	return answers
}

func (s *lonelyStore) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	answers := s.Store.Start(ctx, holds)
	if s.starts.Load() {
		for i := range answers {
			answers[i] = election.HoldAnswer{Err: errLonely, Now: answers[i].Now}
		}
	}
	return answers
}

// alone runs job every minute on a lonely store.
func (w *town) alone(job jobs.Job) (store *lonelyStore, stop func()) {
	w.t.Helper()
	store = &lonelyStore{Store: w.store}
	e, err := election.New(store, "a", election.Config{Clock: election.Monotonic()})
	if err != nil {
		w.t.Fatal(err)
	}
	s := scheduler.New(e, scheduler.Config{Ledger: w.store, Journal: w.journal}, w.seen)
	if err := s.Add("* * * * *", job); err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	return store, func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Error(err)
		}
	}
}

// unreplicated returns the notes about ticks of what was unreplicated.
func (w *town) unreplicated() []string {
	w.seen.mu.Lock()
	defer w.seen.mu.Unlock()
	var notes []string
	for _, e := range w.seen.events {
		if e.Phase == scheduler.Waiting && e.Tick.Job != "" && errors.Is(e.Err, election.ErrUnreplicated) {
			notes = append(notes, e.Note)
		}
	}
	return notes
}

func TestATickThatNoReplicaHeardOfIsMissedAndItsStorySaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		store, stop := w.alone(minute(quick, jobs.Policies{OnStoreDown: jobs.SkipOnStoreDown}))
		defer stop()
		time.Sleep(90 * time.Second)
		store.claims.Store(true)
		time.Sleep(50 * time.Second)
		store.claims.Store(false)
		time.Sleep(15 * time.Second)
		w.want("job", "00:01 succeeded", "00:02 missed(unreplicated)")
		notes := w.unreplicated()
		if len(notes) == 0 {
			t.Error("nobody was told that claims were unreplicated")
		}
		for _, note := range notes {
			if !strings.HasPrefix(note, "unreplicated: ") {
				t.Errorf("got note %q, want one that says unreplicated", note)
			}
		}
	})
}

// TestAStartThatNoReplicaHeardOfRunsNothing: the server has it, so that the tick is
// spent, and missed at once.
func TestAStartThatNoReplicaHeardOfRunsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		var runs atomic.Int64
		store, stop := w.alone(minute(func(context.Context, jobs.Run) error {
			runs.Add(1)
			return nil
		}, jobs.Policies{}))
		defer stop()
		time.Sleep(90 * time.Second)
		store.starts.Store(true)
		time.Sleep(60 * time.Second)
		store.starts.Store(false)
		time.Sleep(3 * time.Minute)
		w.want("job", "00:01 succeeded", "00:02 missed(unreplicated)", "00:03 succeeded", "00:04 succeeded", "00:05 succeeded")
		if got := runs.Load(); got != 4 {
			t.Errorf("%d runs, want 4", got)
		}
		if got := w.unreplicated(); len(got) > 0 {
			t.Errorf("got notes %q, want none: it is not tried again", got)
		}
	})
}
