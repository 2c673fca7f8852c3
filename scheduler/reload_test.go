package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

// defined is a job of a set. Version tells its definitions apart beside the schedule.
func defined(t *testing.T, name, spec, version string, run jobs.Func, p jobs.Policies) scheduler.Spec {
	t.Helper()
	sched, err := schedule.Parse(spec, schedule.Options{Key: name})
	if err != nil {
		t.Fatal(err)
	}
	return scheduler.Spec{Job: jobs.Job{Name: name, Runner: run, Policies: p}, Schedule: sched, Hash: spec + " " + version}
}

func set(revision string, jobs ...scheduler.Spec) scheduler.Set {
	return scheduler.Set{Revision: revision, Jobs: jobs}
}

// launch starts a replica with a set, in a cluster with generations.
func (w *town) launch(name string, s scheduler.Set) replica {
	w.t.Helper()
	return w.launchOn(w.store, name, s)
}

func (w *town) launchOn(store election.Store, name string, s scheduler.Set) replica {
	w.t.Helper()
	e, err := election.New(store, name, election.Config{Clock: election.Monotonic()})
	if err != nil {
		w.t.Fatal(err)
	}
	members := w.hub.Join(journal.Replica{ID: name})
	r := replica{Scheduler: scheduler.New(e, scheduler.Config{
		Replica: name, Ledger: w.store, Journal: w.journal, Generations: w.journal, Peers: members,
	}, w.seen)}
	w.reload(r, s)
	ctx, cancel := context.WithCancel(context.Background())
	var both sync.WaitGroup
	both.Go(func() {
		if err := r.Run(ctx); err != nil {
			w.t.Error(err)
		}
	})
	both.Go(func() { _ = members.Run(ctx, r.Hear) })
	r.stop = sync.OnceFunc(func() {
		cancel()
		both.Wait()
	})
	return r
}

func (w *town) reload(r replica, s scheduler.Set) scheduler.Change {
	w.t.Helper()
	c, err := r.Reload(w.t.Context(), s)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// wrote is a job that writes down that it has run, and under which definition.
type wrote struct {
	mu   sync.Mutex
	list []string
}

func (o *wrote) as(version string) jobs.Func {
	return func(_ context.Context, r jobs.Run) error {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.list = append(o.list, r.Tick.Format("15:04 ")+version)
		return nil
	}
}

func (o *wrote) want(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	o.mu.Lock()
	defer o.mu.Unlock()
	if !slices.Equal(o.list, want) {
		t.Errorf("ran %q, want %q", o.list, want)
	}
}

func TestReloadOfTheSameJobsTouchesNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		both := func(revision string) scheduler.Set {
			return set(revision, defined(t, "job", "* * * * *", "1", runs.as("1"), jobs.Policies{}),
				defined(t, "long", "* * * * *", "1", sleeping(5*time.Minute), jobs.Policies{}))
		}
		r := w.launch("a", both("one"))
		defer r.stop()
		time.Sleep(90 * time.Second)
		before, err := r.Job("long")
		if err != nil || before.Running == nil {
			t.Fatalf("got %+v, error %v, want a run", before, err)
		}
		for i := range 10 {
			if c := w.reload(r, both(fmt.Sprint("comment ", i))); !c.Empty() || c.Same != 2 {
				t.Errorf("change: got %+v, want none", c)
			}
			time.Sleep(20 * time.Second)
		}
		after, _ := r.Job("long")
		if after.Running == nil || after.Running.ID != before.Running.ID {
			t.Errorf("its run: got %+v, want still %s", after.Running, before.Running.ID)
		}
		runs.want(t, "00:01 1", "00:02 1", "00:03 1", "00:04 1")
		w.want("job", "00:01 succeeded", "00:02 succeeded", "00:03 succeeded", "00:04 succeeded")
	})
}

func TestChangedJobEndsItsRunAsItBeganAndItsNextTickIsNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		old := func(ctx context.Context, r jobs.Run) error {
			time.Sleep(90 * time.Second)
			return errors.Join(ctx.Err(), runs.as("old")(ctx, r))
		}
		r := w.launch("a", set("one", defined(t, "job", "* * * * *", "1", old, jobs.Policies{})))
		defer r.stop()
		time.Sleep(80 * time.Second)
		c := w.reload(r, set("two", defined(t, "job", "* * * * *", "2", runs.as("new"), jobs.Policies{})))
		if !slices.Equal(c.Changed, []string{"job"}) || len(c.Added)+len(c.Removed)+c.Same != 0 {
			t.Errorf("change: got %+v", c)
		}
		if st, _ := r.Job("job"); st.Running == nil {
			t.Error("nobody sees the run that goes on")
		}
		time.Sleep(170 * time.Second)
		runs.want(t, "00:01 old", "00:03 new", "00:04 new")
		w.want("job", "00:01 succeeded", "00:02 skipped(overlap)", "00:03 succeeded", "00:04 succeeded")
	})
}

func TestChangedScheduleHasNoMomentBeforeTheChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		catchup := jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Max: 100}}
		r := w.launch("a", set("one", defined(t, "job", "30 * * * *", "1", runs.as("hourly"), catchup)))
		defer r.stop()
		time.Sleep(10*time.Minute + 30*time.Second)
		w.reload(r, set("two", defined(t, "job", "* * * * *", "1", runs.as("minutely"), catchup)))
		if st, err := r.Job("job"); err != nil || st.Next == nil || st.Next.Format("15:04") != "00:11" {
			t.Errorf("the next tick: got %+v, error %v, want 00:11 at once", st.Next, err)
		}
		time.Sleep(2 * time.Minute)
		w.reload(r, set("three", defined(t, "job", "5 * * * *", "1", runs.as("hourly"), catchup)))
		time.Sleep(time.Hour)
		runs.want(t, "00:11 minutely", "00:12 minutely", "01:05 hourly")
		w.want("job", "00:11 succeeded", "00:12 succeeded", "01:05 succeeded")
	})
}

func TestRemovedJobStartsNoMoreAndItsRunGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		other := defined(t, "other", "* * * * *", "1", runs.as("other"), jobs.Policies{})
		failing := func(ctx context.Context, _ jobs.Run) error {
			time.Sleep(45 * time.Second)
			return errors.Join(ctx.Err(), errors.New("boom"))
		}
		retried := jobs.Policies{Retry: jobs.Retry{MaxAttempts: 5, InitialInterval: time.Second}}
		r := w.launch("a", set("one", defined(t, "job", "* * * * *", "1", failing, retried), other))
		defer r.stop()
		time.Sleep(80 * time.Second)
		if c := w.reload(r, set("two", other)); !slices.Equal(c.Removed, []string{"job"}) || c.Same != 1 {
			t.Errorf("change: got %+v", c)
		}
		if _, err := r.Job("job"); !errors.Is(err, scheduler.ErrUnknownJob) {
			t.Errorf("the job: got %v, want ErrUnknownJob", err)
		}
		if _, err := r.Trigger(t.Context(), "job", scheduler.Order{}); !errors.Is(err, scheduler.ErrUnknownJob) {
			t.Errorf("trigger: got %v, want ErrUnknownJob", err)
		}
		time.Sleep(3 * time.Minute)
		runs.want(t, "00:01 other", "00:02 other", "00:03 other", "00:04 other")
		w.want("job", "00:01 failed")
	})
}

func TestAddedJobMakesUpForNothingAlsoIfItWasThereBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		other := defined(t, "other", "0 12 * * *", "1", runs.as("other"), jobs.Policies{})
		job := defined(t, "job", "* * * * *", "1", runs.as("job"), jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Max: 100}})
		r := w.launch("a", set("without", other))
		defer r.stop()
		time.Sleep(150 * time.Second)
		w.reload(r, set("with", other, job))
		time.Sleep(time.Minute)
		w.reload(r, set("without", other)) // at 00:03:30, for less than the janitor waits
		time.Sleep(50 * time.Second)
		w.reload(r, set("with", other, job))
		time.Sleep(time.Minute)
		renamed := job
		renamed.Job.Name = "renamed"
		w.reload(r, set("renamed", other, renamed))
		time.Sleep(time.Minute)
		runs.want(t, "00:03 job", "00:05 job", "00:06 job")
		w.want("job", "00:03 succeeded", "00:05 succeeded")
		w.want("renamed", "00:06 succeeded")
	})
}

func TestWhatIsQueuedIsRunByTheNewDefinition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		queue := jobs.Policies{Overlap: jobs.QueueOverlap, QueueLimit: 5}
		r := w.launch("a", set("one", defined(t, "job", "* * * * *", "1", sleeping(150*time.Second), queue)))
		defer r.stop()
		time.Sleep(150 * time.Second) // it has begun at 00:01, and 00:02 waits behind it
		w.reload(r, set("two", defined(t, "job", "* * * * *", "2", runs.as("new"), queue)))
		time.Sleep(95 * time.Second)
		runs.want(t, "00:02 new", "00:03 new", "00:04 new")
		w.want("job", "00:01 succeeded", "00:02 succeeded", "00:03 succeeded", "00:04 succeeded")
		w.seen.mu.Lock()
		defer w.seen.mu.Unlock()
		for _, e := range w.seen.events {
			if e.Phase == scheduler.Started && e.Tick.At.Minute() == 2 && e.Delay > 90*time.Second+100*time.Millisecond {
				t.Errorf("what was queued began %s after its tick, want it at once when the older run had ended", e.Delay)
			}
		}
	})
}

// A silentStore does what it is asked and gives no answer while it is silent; it says
// so at once if it is quick.
type silentStore struct {
	*memlease.Store
	quick  bool
	silent atomic.Bool
}

var errSilent = errors.New("no answer")

func (s *silentStore) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := s.Store.Claim(ctx, claims)
	if s.silent.Load() {
		if !s.quick {
			<-ctx.Done()
		}
		for i := range answers {
			answers[i] = election.ClaimAnswer{Err: errSilent}
		}
	}
	return answers
}

func TestTickWhoseClaimWasNotAnsweredHasOneVerdictAcrossReloads(t *testing.T) {
	for name, c := range map[string]struct {
		after string
		quick bool
	}{
		"the same schedule, on its way": {"* * * * *", false}, "another one, on its way": {"30 * * * *", false},
		"the same schedule, unanswered": {"* * * * *", true}, "another one, unanswered": {"30 * * * *", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, runs := newTown(t), new(wrote)
				store := &silentStore{Store: w.store, quick: c.quick}
				// The older run is on: the claim for 00:02 decides it as skipped, and nobody hears.
				r := w.launchOn(store, "a", set("one", defined(t, "job", "* * * * *", "1", sleeping(100*time.Second), jobs.Policies{})))
				defer r.stop()
				time.Sleep(90 * time.Second)
				store.silent.Store(true)
				time.Sleep(31 * time.Second)
				for i := range 3 {
					w.reload(r, set(fmt.Sprint("two ", i), defined(t, "job", c.after, fmt.Sprint(i), runs.as("new"), jobs.Policies{})))
					time.Sleep(time.Second)
				}
				store.silent.Store(false)
				time.Sleep(50 * time.Second)
				w.want("job", "00:01 succeeded", "00:02 skipped(overlap)")
			})
		})
	}
}

func TestASetWithAFaultChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, runs := newTown(t), new(wrote)
		job := defined(t, "job", "* * * * *", "1", runs.as("old"), jobs.Policies{})
		changed := defined(t, "job", "* * * * *", "2", runs.as("new"), jobs.Policies{})
		grouped, long := changed, changed
		grouped.Job.Group = "nowhere"
		long.Hash = fmt.Sprintf("%65s", "x")
		r := w.launch("a", set("one", job))
		for name, bad := range map[string]scheduler.Set{
			"a name twice": set("two", changed, job), "a group without places": set("two", grouped),
			"a bad name": set("two", changed, defined(t, "Bad Name", "* * * * *", "1", quick, jobs.Policies{})), "a long hash": set("two", long),
		} {
			if c, err := r.Reload(t.Context(), bad); err == nil || errors.Is(err, scheduler.ErrNotReloaded) {
				t.Errorf("%s: got %+v, error %v, want what is wrong with the set", name, c, err)
			}
		}
		time.Sleep(61 * time.Second)
		runs.want(t, "00:01 old")
		r.stop()
		if _, err := r.Reload(t.Context(), set("three", changed)); !errors.Is(err, scheduler.ErrNotReloaded) {
			t.Errorf("after the end: got %v, want ErrNotReloaded", err)
		}
	})
}

func TestAThousandJobsReloadInASecondAndOnlyTheChangedOneMoves(t *testing.T) {
	w := newTown(t)
	many := func(spec string) scheduler.Set {
		s := set(spec)
		for i := range 1000 {
			s.Jobs = append(s.Jobs, defined(t, fmt.Sprint("job-", i), fmt.Sprintf("%d %d * * *", i%60, i/60), "1", quick, jobs.Policies{}))
		}
		s.Jobs[500] = defined(t, "job-500", spec, "1", quick, jobs.Policies{})
		return s
	}
	r := w.launch("a", many("7 7 7 7 *"))
	defer r.stop()
	for end := time.Now().Add(10 * time.Second); r.Ready() != nil; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(r.Ready())
		}
	}
	before, next := r.Jobs(), many("8 8 8 8 *")
	began := time.Now()
	c := w.reload(r, next)
	took := time.Since(began)
	if !slices.Equal(c.Changed, []string{"job-500"}) || c.Same != 999 {
		t.Errorf("change: got %+v", c)
	}
	if took > time.Second {
		t.Errorf("it took %s, want less than 1s", took)
	}
	for i, after := range r.Jobs() {
		if moved := !after.Next.Equal(*before[i].Next); moved != (i == 500) {
			t.Errorf("%s: the next tick was %s and is %s", after.Job, before[i].Next, after.Next)
		}
	}
	t.Logf("a reload of 1000 jobs took %s", took)
}
