package scheduler_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// forgetful is a journal that takes what is said of one run and does not keep it,
// as if who said so had died on the way.
type forgetful struct {
	*memjournal.Journal
	run string
}

func (f *forgetful) Record(ctx context.Context, entries []scheduler.Entry) ([]scheduler.Recorded, error) {
	kept := slices.DeleteFunc(slices.Clone(entries), func(e scheduler.Entry) bool {
		return e.Row.ID == f.run && e.Row.Reason != scheduler.ReasonUnrecorded
	})
	_, err := f.Journal.Record(ctx, kept)
	return make([]scheduler.Recorded, len(entries)), err
}

// TestATickThatNothingIsKnownOfIsFoundAlsoIfTheJobNeverRests has a job that is due
// every second: there is always a tick that was decided just now.
func TestATickThatNothingIsKnownOfIsFoundAlsoIfTheJobNeverRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		e, err := election.New(w.store, "a", election.Config{Clock: election.Monotonic()})
		if err != nil {
			t.Fatal(err)
		}
		lost := scheduler.Tick{Job: "job", At: time.Now().Add(10 * time.Second)}
		s := scheduler.New(e, scheduler.Config{
			Ledger: w.store, Journal: &forgetful{w.journal, lost.ID()},
		}, w.seen)
		job := jobs.Job{Name: "job", Runner: jobs.Func(quick), Policies: jobs.Policies{History: jobs.History{Succeeded: 1000, Failed: 1000}}}
		if err := s.Add("@every 1s", job); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx) }()
		time.Sleep(2 * time.Minute)
		row, known, err := w.journal.Find(t.Context(), lost.ID())
		if err != nil || !known || row.Verdict != scheduler.Missed || row.Reason != scheduler.ReasonUnrecorded {
			t.Errorf("after two minutes: got %+v, %v, %v; want missed(unrecorded)", row, known, err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
