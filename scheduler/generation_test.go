package scheduler_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// stoodDown returns the ticks of job that a replica left to a newer definition.
func (r *recorder) stoodDown(replica, job string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, e := range r.events {
		if e.Phase == scheduler.Yielded && e.Reason == scheduler.ReasonSuperseded && e.Replica == replica && e.Tick.Job == job {
			out = append(out, e.Tick.At.Format("15:04"))
		}
	}
	return out
}

func TestOfTwoDefinitionsTheNewerIsInForceAndTheOlderStandsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		same := defined(t, "same", "* * * * *", "1", quick, jobs.Policies{})
		old := w.launch("old", set("one", defined(t, "job", "*/2 * * * *", "1", runs.as("old"), jobs.Policies{}), same))
		defer old.stop()
		time.Sleep(150 * time.Second)
		fresh := w.launch("new", set("two", defined(t, "job", "*/3 * * * *", "1", runs.as("new"), jobs.Policies{}), same))
		defer fresh.stop()
		time.Sleep(10 * time.Minute)
		runs.want(t, "00:02 old", "00:03 new", "00:06 new", "00:09 new", "00:12 new")
		w.want("job", "00:02 succeeded", "00:03 succeeded", "00:06 succeeded", "00:09 succeeded", "00:12 succeeded")
		if got, want := w.seen.stoodDown("old", "job"), []string{"00:04", "00:06", "00:08", "00:10", "00:12"}; !slices.Equal(got, want) {
			t.Errorf("stood down at %q, want %q", got, want)
		}
		if got := append(w.seen.stoodDown("old", "same"), w.seen.stoodDown("new", "same")...); len(got) > 0 {
			t.Errorf("stood down for a job that is the same in both, at %q", got)
		}
		if got := len(w.rows("same")); got != 12 {
			t.Errorf("rows of the job that is the same: got %d, want 12", got)
		}
	})
}

func TestAPodThatBringsADefinitionAndDiesKeepsItInForceForSecondsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		job := func(version string) scheduler.Spec {
			return defined(t, "job", "* * * * *", version, runs.as(version), jobs.Policies{})
		}
		for _, name := range []string{"a", "b"} {
			defer w.launch(name, set("one", job("1"))).stop()
		}
		time.Sleep(61 * time.Second)
		dying := w.launch("c", set("two", job("2")))
		time.Sleep(49 * time.Second)
		dying.stop() // at 00:01:50
		time.Sleep(3 * time.Minute)
		runs.want(t, "00:01 1", "00:02 1", "00:03 1", "00:04 1") // 00:02 some seconds late
		w.want("job", "00:01 succeeded", "00:02 succeeded", "00:03 succeeded", "00:04 succeeded")
		var late time.Duration
		w.seen.mu.Lock()
		defer w.seen.mu.Unlock()
		for _, e := range w.seen.events {
			if e.Phase == scheduler.Started {
				late = max(late, e.Delay)
			}
		}
		if late == 0 || late > 30*time.Second {
			t.Errorf("the tick in between started %s late, want some seconds", late)
		}
	})
}

func TestARolledBackConfigurationIsInForceWhenNobodyHasTheOtherAnyMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		with := func(version string) scheduler.Set {
			return set(version, defined(t, "job", "* * * * *", version, runs.as(version), jobs.Policies{}))
		}
		a, b := w.launch("a", with("1")), w.launch("b", with("1"))
		defer a.stop()
		defer b.stop()
		time.Sleep(61 * time.Second)
		w.reload(a, with("2"))
		w.reload(b, with("2"))
		time.Sleep(time.Minute)
		w.reload(a, with("1")) // b has the other still
		time.Sleep(time.Minute)
		w.reload(b, with("1"))
		time.Sleep(time.Minute)
		runs.want(t, "00:01 1", "00:02 2", "00:03 2", "00:04 1")
	})
}

func TestTheHigherNumberIsInForceWhoeverCameLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		with := func(number int64, version string) scheduler.Set {
			s := set(version, defined(t, "job", "* * * * *", version, runs.as(version), jobs.Policies{}))
			s.Number = number
			return s
		}
		a := w.launch("a", with(8, "eight"))
		defer a.stop()
		time.Sleep(61 * time.Second)
		defer w.launch("b", with(7, "seven")).stop()
		time.Sleep(time.Minute)
		a.stop()
		time.Sleep(time.Minute)
		defer w.launch("c", with(8, "eight")).stop()
		time.Sleep(time.Minute)
		runs.want(t, "00:01 eight", "00:02 eight", "00:03 seven", "00:04 eight")
	})
}

func TestAJobThatOnlyOldReplicasHaveIsTheirsUntilTheyGoAndThenForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		stays := defined(t, "stays", "0 12 * * *", "1", quick, jobs.Policies{})
		goes := defined(t, "goes", "* * * * *", "1", runs.as("ran"), jobs.Policies{})
		old := w.launch("old", set("one", stays, goes))
		defer old.stop()
		time.Sleep(61 * time.Second)
		defer w.launch("new", set("two", stays)).stop()
		time.Sleep(10 * time.Minute)
		w.defined("goes", "stays")
		if _, err := old.Pause(t.Context(), "goes", time.Time{}, scheduler.Order{By: "test"}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.journal.Put(t.Context(), []scheduler.Request{{
			ID: "goes.KEY-1", Run: "goes.KEY-1", Job: "goes", Cause: scheduler.ByHand, Tick: time.Now(), Made: time.Now(), NotBefore: time.Now().Add(time.Minute), Attempt: 1,
		}}); err != nil {
			t.Fatal(err)
		}
		old.stop() // at 00:11
		time.Sleep(10 * time.Minute)
		w.defined("stays")
		records, err := w.store.Read(t.Context(), []string{"goes"})
		if err != nil || records[0].Gate.Closed {
			t.Errorf("its gate: got %+v, error %v, want it open: else its record is kept for ever", records[0].Gate, err)
		}
		inbox, err := w.journal.Poll(t.Context(), 10)
		if err != nil || len(inbox.Due)+len(inbox.Begun) > 0 {
			t.Errorf("requests: got %+v, error %v, want none", inbox, err)
		}
		rows := w.rows("goes")
		if len(rows) != 12 || !slices.ContainsFunc(rows, func(r string) bool { return strings.HasSuffix(r, "cancelled manual") }) {
			t.Errorf("its history: got %q, want eleven ticks and what was asked for", rows)
		}
		if got := len(runs.list); got != 11 {
			t.Errorf("it ran %d times, want 11", got)
		}
	})
}

func (w *town) defined(want ...string) {
	w.t.Helper()
	got, err := w.journal.Defined(context.Background())
	if slices.Sort(got); err != nil || !slices.Equal(got, want) {
		w.t.Errorf("definitions: got %q, error %v, want %q", got, err, want)
	}
}

func TestARunOfARemovedJobWhoseHolderDiedHasAVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		stays := defined(t, "stays", "0 12 * * *", "1", quick, jobs.Policies{})
		row := scheduler.Row{
			ID: "goes.20000101T000000Z", Job: "goes", Tick: time.Now(), Cause: scheduler.BySchedule, State: scheduler.RunRunning,
			Attempt: 1, Replica: "dead", Token: 7, Started: time.Now(),
		}
		if _, err := w.journal.Record(t.Context(), []scheduler.Entry{{Row: row, Keep: jobs.History{}.WithDefaults()}}); err != nil {
			t.Fatal(err)
		}
		defer w.launch("a", set("one", stays)).stop()
		time.Sleep(5 * time.Minute)
		w.want("goes", "00:00 lost(crash)")
	})
}

func TestALeaseThatKnowsOfANewerDefinitionThanTheJournalIsOutranked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		e, err := election.New(w.store, "lost", election.Config{Clock: election.Monotonic()})
		if err != nil {
			t.Fatal(err)
		}
		future := time.Now().Add(1000 * time.Hour).UnixMilli()
		reply := e.Claim(t.Context(), []election.Wish{{Key: "job", Mode: election.ForRequest, Epoch: future}})[0]
		if reply.Answer != election.Granted {
			t.Fatal(reply.Answer)
		}
		if _, err := reply.Lease.Release(t.Context(), election.OutcomeUndone); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b"} {
			defer w.launch(name, set("one", defined(t, "job", "* * * * *", "1", runs.as("ran"), jobs.Policies{}))).stop()
		}
		time.Sleep(4*time.Minute + 30*time.Second)
		synctest.Wait()
		if got := len(runs.list); got < 3 || !slices.Contains(runs.list, "00:04 ran") {
			t.Errorf("ran %q in four minutes, want all but perhaps the first", runs.list)
		}
	})
}

func TestMixedConfigurationsUnderManyReloadsGiveEachTickOneVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		var mu sync.Mutex
		ran := map[string]int{}
		count := func(_ context.Context, r jobs.Run) error {
			mu.Lock()
			defer mu.Unlock()
			ran[r.ID]++
			return nil
		}
		with := func(version string) scheduler.Set {
			return set(version, defined(t, "job", "* * * * *", version, count, jobs.Policies{}), defined(t, "same", "* * * * *", "1", count, jobs.Policies{}))
		}
		a, b, c := w.launch("a", with("0")), w.launch("b", with("0")), w.launch("c", with("0"))
		for i := range 20 {
			for j, r := range []replica{a, b, c} {
				time.Sleep(time.Duration(7+3*i+j) * time.Second)
				w.reload(r, with(string(rune('a'+i))))
			}
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		for _, r := range []replica{a, b, c} {
			r.stop()
		}
		minutes := int(time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).Minutes())
		for _, job := range []string{"job", "same"} {
			rows := w.rows(job)
			good := 0
			for _, r := range rows {
				if strings.HasSuffix(r, " succeeded") {
					good++
				}
			}
			if len(rows) != min(minutes, 50) || good != len(rows) {
				t.Errorf("%s: %d rows, %d of them succeeded, in %d minutes: %q", job, len(rows), good, minutes, rows)
			}
		}
		for run, n := range ran {
			if n != 1 {
				t.Errorf("%s ran %d times", run, n)
			}
		}
	})
}
