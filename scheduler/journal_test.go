package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// A town is what replicas have in common.
type town struct {
	t       *testing.T
	store   *memlease.Store
	journal *memjournal.Journal
	hub     *memjournal.Hub
	seen    *recorder
}

func newTown(t *testing.T) *town {
	return &town{t: t, store: new(memlease.Store), journal: memjournal.New(time.Now), hub: memjournal.NewHub(), seen: new(recorder)}
}

// minute is a job that runs every minute.
func minute(f jobs.Func, p jobs.Policies) jobs.Job {
	return jobs.Job{Name: "job", Runner: f, Policies: p}
}

// start runs a replica with jobs that are due every minute.
func (w *town) start(name string, defs ...jobs.Job) replica {
	w.t.Helper()
	return w.startAs(scheduler.Config{Replica: name}, defs...)
}

func (w *town) startAs(cfg scheduler.Config, defs ...jobs.Job) replica {
	w.t.Helper()
	return w.startOn("* * * * *", cfg, defs...)
}

func (w *town) startOn(spec string, cfg scheduler.Config, defs ...jobs.Job) replica {
	w.t.Helper()
	e, err := election.New(w.store, cfg.Replica, election.Config{Clock: election.Monotonic()})
	if err != nil {
		w.t.Fatal(err)
	}
	members := w.hub.Join(journal.Replica{ID: cfg.Replica})
	cfg.Ledger, cfg.Peers = w.store, members
	if cfg.Journal == nil {
		cfg.Journal = w.journal
	}
	s := scheduler.New(e, cfg, w.seen)
	for _, d := range defs {
		if err := s.Add(spec, d); err != nil {
			w.t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var both sync.WaitGroup
	both.Go(func() {
		if err := s.Run(ctx); err != nil {
			w.t.Error(err)
		}
	})
	both.Go(func() { _ = members.Run(ctx, s.Hear) })
	return replica{s, func() {
		cancel()
		both.Wait()
	}}
}

// rows returns what the journal has of job, oldest first, in words.
func (w *town) rows(job string) []string {
	w.t.Helper()
	synctest.Wait()
	rows, err := w.journal.Past(context.Background(), job, scheduler.Query{})
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, r := range rows {
		text := r.Tick.Format("15:04 ") + string(r.Verdict)
		if r.Reason != "" {
			text += "(" + string(r.Reason) + ")"
		}
		if r.Cause != scheduler.BySchedule {
			text += " " + string(r.Cause)
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

func (w *town) want(job string, want ...string) {
	w.t.Helper()
	if got := w.rows(job); !slices.Equal(got, want) {
		w.t.Errorf("the journal has %q, want %q", got, want)
	}
}

// failing fails the first n times that it is called.
func failing(n int32) jobs.Func {
	var calls atomic.Int32
	return func(context.Context, jobs.Run) error {
		if calls.Add(1) <= n {
			return errors.New("boom")
		}
		return nil
	}
}

func TestFailedRunIsTriedAgainAndHasOneVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(failing(2), jobs.Policies{Retry: jobs.Retry{MaxAttempts: 3, InitialInterval: 5 * time.Second}})
		for _, name := range []string{"a", "b", "c"} {
			defer w.start(name, job).stop()
		}
		time.Sleep(time.Minute + 50*time.Second)
		w.want("job", "00:01 succeeded")
		row, _, _ := w.journal.Find(t.Context(), "job.20000101T000100Z")
		if row.Attempt != 3 || len(row.Tries) != 2 || row.Tries[0].Error != "boom" || row.Tries[1].Verdict != scheduler.Failed {
			t.Errorf("row = %+v, want a third attempt after two that failed", row)
		}
		if got, want := w.seen.verdicts("job"), []string{"00:01 succeeded"}; !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
		if queued, _ := w.journal.Queued(t.Context(), 0); len(queued) != 0 {
			t.Errorf("requests left: %+v", queued)
		}
	})
}

func TestRunThatExhaustsItsAttemptsIsADeadLetter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(failing(1000), jobs.Policies{Retry: jobs.Retry{MaxAttempts: 2, InitialInterval: 5 * time.Second}})
		defer w.start("a", job).stop()
		time.Sleep(time.Minute + 30*time.Second)
		w.want("job", "00:01 failed")
		letters, _ := w.journal.DeadLetters(t.Context(), 0)
		if len(letters) != 1 || letters[0].ID != "job.20000101T000100Z" || letters[0].Attempt != 2 {
			t.Errorf("dead letters = %+v, want the one run with two attempts", letters)
		}
	})
}

func TestRetryHappensOnAnotherReplicaWhenTheFirstIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(failing(1), jobs.Policies{Retry: jobs.Retry{MaxAttempts: 2, InitialInterval: 20 * time.Second}})
		a := w.start("a", job)
		time.Sleep(time.Minute + 5*time.Second)
		a.stop()
		defer w.start("b", job).stop()
		time.Sleep(30 * time.Second)
		w.want("job", "00:01 succeeded")
		row, _, _ := w.journal.Find(t.Context(), "job.20000101T000100Z")
		if row.Replica != "b" || len(row.Tries) != 1 || row.Tries[0].Replica != "a" {
			t.Errorf("row = %+v, want b after a", row)
		}
	})
}

func TestTriggersWithOneKeyOnTwoReplicasAreOneRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(quick, jobs.Policies{})
		a, b := w.start("a", job), w.start("b", job)
		defer a.stop()
		defer b.stop()
		time.Sleep(10 * time.Second)
		var ids [2]string
		var both sync.WaitGroup
		for i, r := range []replica{a, b} {
			both.Go(func() {
				row, err := r.Trigger(context.Background(), "job", scheduler.Order{By: "ana", Key: "k1"})
				if err != nil {
					t.Error(err)
				}
				ids[i] = row.ID
			})
		}
		both.Wait()
		if ids[0] != ids[1] {
			t.Errorf("runs %q, want one", ids)
		}
		time.Sleep(5 * time.Second)
		w.want("job", "00:00 succeeded manual")
		row, err := a.Trigger(t.Context(), "job", scheduler.Order{By: "ana", Key: "k1"})
		if err != nil || row.Verdict != scheduler.Succeeded {
			t.Errorf("the key again: %+v, %v; want the run as it ended", row, err)
		}
	})
}

func TestTriggerWhileARunIsOnNamesTheRunInTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(sleeping(40*time.Second), jobs.Policies{})
		a, b := w.start("a", job), w.start("b", job)
		defer a.stop()
		defer b.stop()
		time.Sleep(70 * time.Second)
		for _, r := range []replica{a, b} {
			_, err := r.Trigger(t.Context(), "job", scheduler.Order{})
			busy, ok := errors.AsType[*scheduler.BusyError](err)
			if !ok || busy.Run != "job.20000101T000100Z" {
				t.Errorf("trigger: %v, want the run of 00:01 in the way", err)
			}
		}
	})
}

// sleeping works for d, or until it is told to stop.
func sleeping(d time.Duration) jobs.Func {
	return func(ctx context.Context, _ jobs.Run) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func TestQueuedTicksWaitAndTheOldestGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(sleeping(150*time.Second), jobs.Policies{Overlap: jobs.QueueOverlap})
		for _, name := range []string{"a", "b"} {
			defer w.start(name, job).stop()
		}
		// 00:01 runs to 03:30, 00:02 gives way to 00:03, which runs to 06:00.
		time.Sleep(6*time.Minute + 30*time.Second)
		// When it ends 00:06 is due, too, for which 00:04 and 00:05 give way.
		w.want("job", "00:01 succeeded", "00:02 skipped(overlap)", "00:03 succeeded",
			"00:04 skipped(overlap)", "00:05 skipped(overlap)")
	})
}

func TestReplaceStopsTheOlderRunBeforeTheNewOneStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		var inside, overlaps atomic.Int32
		work := func(ctx context.Context, r jobs.Run) error {
			if inside.Add(1) > 1 {
				overlaps.Add(1)
			}
			defer inside.Add(-1)
			select {
			case <-time.After(90 * time.Second):
			case <-ctx.Done():
				time.Sleep(3 * time.Second) // it takes its time to stop
			}
			return ctx.Err()
		}
		job := minute(work, jobs.Policies{Overlap: jobs.ReplaceOverlap})
		for _, name := range []string{"a", "b", "c"} {
			defer w.start(name, job).stop()
		}
		time.Sleep(3*time.Minute + 30*time.Second)
		if overlaps.Load() > 0 {
			t.Errorf("%d runs began while another was on", overlaps.Load())
		}
		w.want("job", "00:01 cancelled(replaced)", "00:02 cancelled(replaced)")
	})
}

func TestAllowedRunsOverlapAndEachTickRunsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		var inside, most atomic.Int32
		work := func(context.Context, jobs.Run) error {
			if n := inside.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer inside.Add(-1)
			time.Sleep(150 * time.Second)
			return nil
		}
		job := minute(work, jobs.Policies{Overlap: jobs.AllowOverlap})
		a := w.start("a", job)
		b := w.start("b", job)
		time.Sleep(3*time.Minute + 10*time.Second)
		a.stop()
		defer w.start("a", job).stop() // what it has forgotten, it does not run again
		defer b.stop()
		time.Sleep(3 * time.Minute)
		if most.Load() < 3 {
			t.Errorf("at most %d runs at once, want 3", most.Load())
		}
		got := w.rows("job")
		want := []string{"00:01 succeeded", "00:02 succeeded", "00:03 interrupted", "00:03 succeeded"}
		if !slices.Equal(got[:2], want[:2]) || len(got) < 3 || !strings.HasPrefix(got[2], "00:03 ") {
			t.Errorf("the journal has %q, want %q", got, want[:3])
		}
		ticks := map[string]int{}
		for _, r := range got {
			if ticks[r[:5]]++; ticks[r[:5]] > 1 {
				t.Errorf("tick %s has more than one row: %q", r[:5], got)
			}
		}
	})
}

func TestCatchUpAllRunsTheLastFewOneByOneAtADistance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		var mu sync.Mutex
		var starts []time.Time
		work := func(context.Context, jobs.Run) error {
			mu.Lock()
			starts = append(starts, time.Now())
			mu.Unlock()
			time.Sleep(time.Second)
			return nil
		}
		job := minute(work, jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Max: 3, Spacing: 5 * time.Second}})
		job.StartingDeadline = time.Hour
		a := w.start("a", job)
		time.Sleep(90 * time.Second)
		a.stop()
		time.Sleep(5*time.Minute + 10*time.Second) // 00:02 to 00:06 come due
		for _, name := range []string{"a", "b", "c"} {
			defer w.start(name, job).stop()
		}
		time.Sleep(18 * time.Second)
		w.want("job", "00:01 succeeded", "00:02 missed(catchup)", "00:03 missed(catchup)",
			"00:04 succeeded", "00:05 succeeded", "00:06 succeeded")
		mu.Lock()
		defer mu.Unlock()
		for i := 2; i < len(starts); i++ {
			if gap := starts[i].Sub(starts[i-1]); gap < 5*time.Second {
				t.Errorf("start %d came %s after the one before, want 5s at least", i, gap)
			}
		}
	})
}

func TestCatchUpNoneRunsNothingThatCameDueWhileNobodyWasThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(quick, jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupNone}})
		a := w.start("a", job)
		time.Sleep(90 * time.Second)
		a.stop()
		time.Sleep(2 * time.Minute) // 00:02 and 00:03 come due
		defer w.start("a", job).stop()
		time.Sleep(time.Minute)
		w.want("job", "00:01 succeeded", "00:02 missed(catchup)", "00:03 missed(catchup)", "00:04 succeeded")
	})
}

func TestJobIsPausedAfterFailuresInARowAndResumeRunsNothingOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(failing(2), jobs.Policies{PauseOnFailure: 2})
		a := w.start("a", job)
		defer a.stop()
		time.Sleep(4*time.Minute + 30*time.Second)
		w.want("job", "00:01 failed", "00:02 failed", "00:03 skipped(paused)", "00:04 skipped(paused)")
		gate, err := a.Gate(t.Context(), "job")
		if err != nil || !gate.Closed || gate.By != "pauseOnFailure" || !strings.Contains(gate.Reason, "job.20000101T000200Z") {
			t.Errorf("gate = %+v, %v", gate, err)
		}
		if _, err := a.Resume(t.Context(), "job", scheduler.Order{By: "ana"}); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		w.want("job", "00:01 failed", "00:02 failed", "00:03 skipped(paused)", "00:04 skipped(paused)", "00:05 succeeded")
	})
}

func TestPausedJobCanBeTriggeredAndStaysPaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		a := w.start("a", minute(quick, jobs.Policies{}))
		defer a.stop()
		time.Sleep(10 * time.Second)
		if _, err := a.Pause(t.Context(), "job", time.Time{}, scheduler.Order{By: "ana", Note: "maintenance"}); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Trigger(t.Context(), "job", scheduler.Order{By: "ana"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		w.want("job", "00:00 succeeded manual", "00:01 skipped(paused)")
	})
}

func TestSkipNextSkipsOneTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		a := w.start("a", minute(quick, jobs.Policies{}))
		defer a.stop()
		time.Sleep(10 * time.Second)
		next, err := a.SkipNext(t.Context(), "job", scheduler.Order{By: "ana"})
		if err != nil || next.Format("15:04") != "00:01" {
			t.Errorf("skip-next = %s, %v; want 00:01", next, err)
		}
		time.Sleep(2 * time.Minute)
		w.want("job", "00:01 skipped(paused)", "00:02 succeeded")
	})
}

func TestPauseHoldsForRunsThatMayOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(sleeping(90*time.Second), jobs.Policies{Overlap: jobs.AllowOverlap})
		a, b := w.start("a", job), w.start("b", job)
		defer a.stop()
		defer b.stop()
		time.Sleep(70 * time.Second)
		if _, err := a.SkipNext(t.Context(), "job", scheduler.Order{By: "ana"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(4 * time.Minute)
		w.want("job", "00:01 succeeded", "00:02 skipped(paused)", "00:03 succeeded")
	})
}

func TestCancelEndsARunWhereverItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(sleeping(5*time.Minute), jobs.Policies{Retry: jobs.Retry{MaxAttempts: 5}})
		a, b := w.start("a", job), w.start("b", job)
		defer a.stop()
		defer b.stop()
		time.Sleep(70 * time.Second)
		const run = "job.20000101T000100Z"
		other := a
		if row, _, _ := w.journal.Find(t.Context(), run); row.Replica == "a" {
			other = b
		}
		if _, err := other.Cancel(t.Context(), run, scheduler.Order{By: "ana", Note: "wrong day"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		w.want("job", "00:01 cancelled")
		if _, err := other.Cancel(t.Context(), run, scheduler.Order{}); !errors.Is(err, scheduler.ErrEnded) {
			t.Errorf("cancel of what has ended: %v, want ErrEnded", err)
		}
		if _, err := other.Cancel(t.Context(), "job.20010101T000000Z", scheduler.Order{}); !errors.Is(err, scheduler.ErrUnknownRun) {
			t.Errorf("cancel of what never was: %v, want ErrUnknownRun", err)
		}
		time.Sleep(40 * time.Second)
		w.want("job", "00:01 cancelled")
		if inbox, _ := w.journal.Poll(t.Context(), 10); len(inbox.Stops) != 0 {
			t.Errorf("wishes left: %+v", inbox.Stops)
		}
	})
}

func TestCancelEndsARunThatWaitsForItsNextAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		job := minute(failing(1000), jobs.Policies{Retry: jobs.Retry{MaxAttempts: 5, InitialInterval: 40 * time.Second}})
		a := w.start("a", job)
		defer a.stop()
		time.Sleep(70 * time.Second)
		if _, err := a.Cancel(t.Context(), "job.20000101T000100Z", scheduler.Order{By: "ana"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(45 * time.Second)
		w.want("job", "00:01 cancelled")
	})
}

func TestBackfillRunsEachMomentOnceAndRerunAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		a, b := w.start("a", minute(quick, jobs.Policies{})), w.start("b", minute(quick, jobs.Policies{}))
		defer a.stop()
		defer b.stop()
		time.Sleep(10 * time.Second)
		day := time.Date(1999, 12, 31, 12, 0, 0, 0, time.UTC)
		r := scheduler.Range{From: day, To: day.Add(3 * time.Minute), Spacing: 2 * time.Second}
		for _, s := range []replica{a, b} { // the same key is the same backfill
			if _, err := s.Backfill(t.Context(), "job", r, scheduler.Order{By: "ana", Key: "k"}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(15 * time.Second)
		w.want("job", "12:00 succeeded backfill", "12:01 succeeded backfill", "12:02 succeeded backfill")
		rows, _ := w.journal.Past(t.Context(), "job", scheduler.Query{Limit: 1})
		if _, err := b.Rerun(t.Context(), rows[0].ID, scheduler.Order{By: "ana"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		w.want("job", "12:00 succeeded backfill", "12:01 succeeded backfill", "12:02 succeeded backfill", "12:02 succeeded rerun")
		r.To = day.Add(500 * time.Minute)
		if _, err := a.Backfill(t.Context(), "job", r, scheduler.Order{}); !errors.Is(err, scheduler.ErrTooMany) {
			t.Errorf("backfill of 500 ticks: %v, want ErrTooMany", err)
		}
	})
}

func TestParametersAreCheckedAndReachTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		got := make(chan map[string]string, 10)
		work := func(_ context.Context, r jobs.Run) error {
			got <- r.Params
			return nil
		}
		a := w.start("a", minute(work, jobs.Policies{Params: []jobs.Param{
			{Name: "day", Type: jobs.StringParam, Default: "today"}, {Name: "limit", Type: jobs.IntParam, Default: "10"},
		}}))
		defer a.stop()
		_, err := a.Trigger(t.Context(), "job", scheduler.Order{Params: map[string]string{"limit": "many", "dya": "x"}})
		if faults, ok := errors.AsType[*scheduler.ParamsError](err); !ok || len(faults.Faults) != 2 {
			t.Errorf("trigger: %v, want two faults of parameters", err)
		}
		if _, err := a.Trigger(t.Context(), "job", scheduler.Order{Params: map[string]string{"limit": "3"}}); err != nil {
			t.Fatal(err)
		}
		if p := <-got; p["limit"] != "3" || p["day"] != "today" {
			t.Errorf("parameters of the request = %v", p)
		}
		if p := <-got; p["limit"] != "10" {
			t.Errorf("parameters of the tick = %v", p)
		}
	})
}

func TestConcurrencyGroupBoundsRunsInTheCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		var inside, most atomic.Int32
		work := func(context.Context, jobs.Run) error {
			if n := inside.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer inside.Add(-1)
			time.Sleep(5 * time.Second)
			return nil
		}
		var defs []jobs.Job
		for i := range 6 {
			defs = append(defs, jobs.Job{Name: fmt.Sprintf("job-%d", i), Runner: jobs.Func(work), Policies: jobs.Policies{Group: "warehouse"}})
		}
		for _, name := range []string{"a", "b", "c"} {
			defer w.startAs(scheduler.Config{Replica: name, Groups: map[string]int{"warehouse": 2}}, defs...).stop()
		}
		time.Sleep(time.Minute + 45*time.Second)
		if most.Load() != 2 {
			t.Errorf("%d runs at once, want 2", most.Load())
		}
		for _, d := range defs {
			w.want(d.Name, "00:01 succeeded")
		}
	})
}

func TestReplicaTakesNoMoreRunsThanItHasPlacesFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		var mu sync.Mutex
		inside, most := map[string]int{}, map[string]int{}
		work := func(_ context.Context, r jobs.Run) error {
			mu.Lock()
			inside[r.Replica]++
			most[r.Replica] = max(most[r.Replica], inside[r.Replica])
			mu.Unlock()
			time.Sleep(10 * time.Second)
			mu.Lock()
			inside[r.Replica]--
			mu.Unlock()
			return nil
		}
		var defs []jobs.Job
		for i := range 8 {
			defs = append(defs, jobs.Job{Name: fmt.Sprintf("job-%d", i), Runner: jobs.Func(work)})
		}
		for _, name := range []string{"a", "b"} {
			defer w.startAs(scheduler.Config{Replica: name, MaxConcurrent: 2}, defs...).stop()
		}
		time.Sleep(time.Minute + 45*time.Second)
		mu.Lock()
		defer mu.Unlock()
		if most["a"] != 2 || most["b"] != 2 {
			t.Errorf("runs at once = %v, want 2 on each", most)
		}
		for _, d := range defs {
			w.want(d.Name, "00:01 succeeded")
		}
	})
}

func TestTickWaitsForWhatItDependsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		first := jobs.Job{Name: "first", Runner: sleeping(20 * time.Second)}
		second := jobs.Job{Name: "second", Runner: jobs.Func(quick), Policies: jobs.Policies{
			DependsOn: []jobs.Dependency{{Job: "first", Window: 10 * time.Second}},
		}}
		third := jobs.Job{Name: "third", Runner: jobs.Func(quick), StartingDeadline: 15 * time.Second, Policies: jobs.Policies{
			DependsOn: []jobs.Dependency{{Job: "first", Condition: jobs.OnFailure}},
		}}
		for _, name := range []string{"a", "b"} {
			defer w.start(name, first, second, third).stop()
		}
		time.Sleep(time.Minute + 15*time.Second)
		w.want("second")
		time.Sleep(15 * time.Second)
		w.want("second", "00:01 succeeded")
		w.want("third", "00:01 missed(dependency)")
	})
}

func TestEndOfARunTriggersOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		first := jobs.Job{Name: "first", Runner: failing(1), Policies: jobs.Policies{Triggers: []jobs.Trigger{
			{Job: "cheer"}, {Job: "mourn", Condition: jobs.OnFailure}, {Job: "note", Condition: jobs.OnFinish},
		}}}
		for _, name := range []string{"a", "b"} {
			r := w.startOn("* * * * *", scheduler.Config{Replica: name}, first)
			defer r.stop()
		}
		c := w.startOn("0 0 1 1 *", scheduler.Config{Replica: "c"}, jobs.Job{Name: "cheer", Runner: jobs.Func(quick)},
			jobs.Job{Name: "mourn", Runner: jobs.Func(quick)}, jobs.Job{Name: "note", Runner: jobs.Func(quick)})
		defer c.stop()
		time.Sleep(2*time.Minute + 10*time.Second)
		w.want("first", "00:01 failed", "00:02 succeeded")
		w.want("mourn", "00:01 succeeded dependency")
		w.want("cheer", "00:02 succeeded dependency")
		w.want("note", "00:01 succeeded dependency", "00:02 succeeded dependency")
	})
}

func TestShadowDecidesAndRunsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		ran := false
		defer w.start("a", minute(func(context.Context, jobs.Run) error {
			ran = true
			return nil
		}, jobs.Policies{Shadow: true})).stop()
		time.Sleep(90 * time.Second)
		w.want("job", "00:01 skipped(shadow)")
		if ran {
			t.Error("the job ran")
		}
	})
}

func TestJobsThatNeedAJournalAreRefusedWithoutOne(t *testing.T) {
	e, err := election.New(new(memlease.Store), "a", election.Config{Clock: election.Monotonic()})
	if err != nil {
		t.Fatal(err)
	}
	s := scheduler.New(e, scheduler.Config{})
	for name, p := range map[string]jobs.Policies{
		"retry":          {Retry: jobs.Retry{MaxAttempts: 2}},
		"pauseOnFailure": {PauseOnFailure: 1},
		"replace":        {Overlap: jobs.ReplaceOverlap},
		"group":          {Group: "g"},
	} {
		if err := s.Add("* * * * *", jobs.Job{Name: "job", Runner: jobs.Func(quick), Policies: p}); err == nil {
			t.Errorf("%s: added", name)
		}
	}
}
