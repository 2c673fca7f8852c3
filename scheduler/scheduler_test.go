package scheduler_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

// recorder is an Observer that remembers.
type recorder struct {
	mu     sync.Mutex
	events []scheduler.Event
}

func (r *recorder) Observe(e scheduler.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// verdicts returns "HH:MM verdict(reason)" of every tick of job, by tick.
func (r *recorder) verdicts(job string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, e := range r.events {
		if e.Phase == scheduler.Ended && !e.Echo && e.Tick.Job == job {
			text := e.Tick.At.Format("15:04 ") + string(e.Verdict)
			if e.Reason != "" {
				text += "(" + string(e.Reason) + ")"
			}
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return out
}

// replica is a running Scheduler with its own elector on store.
type replica struct {
	*scheduler.Scheduler
	stop func()
}

func start(t *testing.T, store *memlease.Store, name string, seen scheduler.Observer, add func(*scheduler.Scheduler) error) replica {
	t.Helper()
	e, err := election.New(store, name, election.Config{Clock: election.Monotonic()})
	if err != nil {
		t.Fatal(err)
	}
	s := scheduler.New(e, scheduler.Config{Replica: name, Ledger: store}, seen)
	if err := add(s); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	return replica{s, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}}
}

func minutely(name string, f jobs.Func) func(*scheduler.Scheduler) error {
	return func(s *scheduler.Scheduler) error {
		return s.Add("* * * * *", jobs.Job{Name: name, Runner: f})
	}
}

func quick(context.Context, jobs.Run) error { return nil }

// The bubble's clock starts at midnight UTC of 2000-01-01.

func TestEachTickRunsOnOneReplicaHoweverShortTheJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		for _, name := range []string{"a", "b", "c"} {
			defer start(t, store, name, seen, minutely("job", quick)).stop()
		}
		time.Sleep(5*time.Minute + time.Second)
		synctest.Wait()
		want := []string{"00:01 succeeded", "00:02 succeeded", "00:03 succeeded", "00:04 succeeded", "00:05 succeeded"}
		if got := seen.verdicts("job"); !slices.Equal(got, want) {
			t.Errorf("verdicts = %q, want %q", got, want)
		}
	})
}

func TestRunnerFindsItsRunInTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran := make(chan jobs.Run, 1)
		defer start(t, new(memlease.Store), "a", new(recorder), minutely("job", func(ctx context.Context, r jobs.Run) error {
			seen, ok := jobs.FromContext(ctx)
			if !ok || seen.ID != r.ID || seen.Token != r.Token {
				t.Errorf("the context carries %v, want %v", seen.ID, r.ID)
			}
			ran <- r
			return nil
		})).stop()
		r := <-ran
		if r.ID != "job.20000101T000100Z" || r.Attempt != 1 || r.Token == 0 || r.Replica != "a" || r.Remaining() <= 0 {
			t.Errorf("run = %+v", r)
		}
	})
}

func TestTickDuringAnOlderRunIsSkippedOnceInTheCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		slow := func(ctx context.Context, _ jobs.Run) error {
			time.Sleep(90 * time.Second)
			return ctx.Err()
		}
		for _, name := range []string{"a", "b", "c"} {
			defer start(t, store, name, seen, minutely("job", slow)).stop()
		}
		time.Sleep(4*time.Minute + 45*time.Second)
		synctest.Wait()
		want := []string{"00:01 succeeded", "00:02 skipped(overlap)", "00:03 succeeded", "00:04 skipped(overlap)"}
		if got := seen.verdicts("job"); !slices.Equal(got, want) {
			t.Errorf("verdicts = %q, want %q", got, want)
		}
	})
}

func TestJobThatPanicsFailsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := new(recorder)
		defer start(t, new(memlease.Store), "a", seen, func(s *scheduler.Scheduler) error {
			return errors.Join(
				minutely("bad", func(context.Context, jobs.Run) error { panic("boom") })(s),
				minutely("good", quick)(s),
			)
		}).stop()
		time.Sleep(2*time.Minute + time.Second)
		synctest.Wait()
		if got, want := seen.verdicts("bad"), []string{"00:01 failed(panic)", "00:02 failed(panic)"}; !slices.Equal(got, want) {
			t.Errorf("bad: %q, want %q", got, want)
		}
		if got, want := seen.verdicts("good"), []string{"00:01 succeeded", "00:02 succeeded"}; !slices.Equal(got, want) {
			t.Errorf("good: %q, want %q", got, want)
		}
	})
}

func TestTimeoutEndsARunWithItsCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := new(recorder)
		causes := make(chan error, 1)
		defer start(t, new(memlease.Store), "a", seen, func(s *scheduler.Scheduler) error {
			return s.Add("0 * * * *", jobs.Job{Name: "job", Timeout: 10 * time.Minute, Runner: jobs.Func(func(ctx context.Context, _ jobs.Run) error {
				<-ctx.Done()
				causes <- context.Cause(ctx)
				return ctx.Err()
			})})
		}).stop()
		time.Sleep(time.Hour + 10*time.Minute)
		if got := <-causes; !errors.Is(got, scheduler.ErrTimeout) {
			t.Errorf("cause = %v, want ErrTimeout", got)
		}
		synctest.Wait()
		if got, want := seen.verdicts("job"), []string{"01:00 timed_out"}; !slices.Equal(got, want) {
			t.Errorf("verdicts = %q, want %q", got, want)
		}
	})
}

func TestTicksThatCameDueWhileNoReplicaRanAreSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		first := start(t, store, "a", seen, minutely("job", quick))
		time.Sleep(61 * time.Second)
		first.stop()
		time.Sleep(20 * time.Minute) // 00:21:01; ticks 00:02 to 00:21 came due
		defer start(t, store, "b", seen, minutely("job", quick)).stop()
		time.Sleep(time.Second)
		synctest.Wait()

		got := seen.verdicts("job")
		want := []string{"00:01 succeeded"}
		for m := 2; m <= 11; m++ { // 00:11 is 10 min 1 s old: a second too late to start
			want = append(want, time.Date(0, 1, 1, 0, m, 0, 0, time.UTC).Format("15:04")+" missed(deadline)")
		}
		for m := 12; m <= 20; m++ {
			want = append(want, time.Date(0, 1, 1, 0, m, 0, 0, time.UTC).Format("15:04")+" skipped(superseded)")
		}
		want = append(want, "00:21 succeeded")
		if !slices.Equal(got, want) {
			t.Errorf("verdicts:\n got %q\nwant %q", got, want)
		}
	})
}

func TestEditedScheduleFiresForNoMomentBeforeTheEdit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		before := start(t, store, "a", seen, minutely("job", quick))
		time.Sleep(61 * time.Second)
		before.stop()
		time.Sleep(4 * time.Minute) // 00:05:01
		defer start(t, store, "a", seen, func(s *scheduler.Scheduler) error {
			return s.Add("*/2 * * * *", jobs.Job{Name: "job", Runner: jobs.Func(quick)})
		}).stop()
		time.Sleep(time.Minute)
		synctest.Wait()
		if got, want := seen.verdicts("job"), []string{"00:01 succeeded", "00:06 succeeded"}; !slices.Equal(got, want) {
			t.Errorf("verdicts = %q, want %q", got, want)
		}
	})
}

// ruled adds a job whose minute schedule has rules.
func ruled(t *testing.T, name string, rules schedule.Rules) func(*scheduler.Scheduler) error {
	t.Helper()
	plain, err := schedule.Parse("* * * * *", schedule.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sched, err := plain.With(rules)
	if err != nil {
		t.Fatal(err)
	}
	return func(s *scheduler.Scheduler) error {
		return s.AddSchedule(sched, jobs.Job{Name: name, Runner: jobs.Func(quick)})
	}
}

// lunch is a calendar from 00:03 to 00:06.
func lunch(t *testing.T) []*schedule.Calendar {
	t.Helper()
	c, err := schedule.NewCalendar(schedule.CalendarSpec{
		Name: "lunch", Ranges: []schedule.Range{{From: "2000-01-01T00:03:00Z", To: "2000-01-01T00:06:00Z"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return []*schedule.Calendar{c}
}

func TestExcludedTickIsSkippedWithItsReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		add := ruled(t, "job", schedule.Rules{Exclude: lunch(t)})
		for _, name := range []string{"a", "b"} {
			defer start(t, store, name, seen, add).stop()
		}
		time.Sleep(7*time.Minute + time.Second)
		synctest.Wait()
		want := []string{
			"00:01 succeeded", "00:02 succeeded", "00:03 skipped(excluded)", "00:04 skipped(excluded)",
			"00:05 skipped(excluded)", "00:06 succeeded", "00:07 succeeded",
		}
		if got := seen.verdicts("job"); !slices.Equal(got, want) {
			t.Errorf("verdicts = %q, want %q", got, want)
		}
	})
}

func TestDeferredTicksRunOnceWhenTheirWindowEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		add := ruled(t, "job", schedule.Rules{Exclude: lunch(t), Defer: true})
		defer start(t, store, "a", seen, add).stop()
		time.Sleep(5*time.Minute + 59*time.Second)
		synctest.Wait()
		if got, want := seen.verdicts("job"), []string{"00:01 succeeded", "00:02 succeeded"}; !slices.Equal(got, want) {
			t.Errorf("before the end of the window: %q, want %q", got, want)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		want := []string{
			"00:01 succeeded", "00:02 succeeded", "00:03 skipped(superseded)", "00:04 skipped(superseded)",
			"00:05 skipped(superseded)", "00:06 succeeded",
		}
		if got := seen.verdicts("job"); !slices.Equal(got, want) {
			t.Errorf("after it: %q, want %q", got, want)
		}
	})
}

func TestJitterDelaysTheRunAndIsNoDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		defer start(t, store, "a", seen, ruled(t, "job", schedule.Rules{Jitter: 50 * time.Second, Key: "ns/job"})).stop()
		time.Sleep(10*time.Minute + 55*time.Second)
		synctest.Wait()
		late := false
		for _, e := range seen.events {
			if e.Phase != scheduler.Started {
				continue
			}
			after := e.At.Sub(e.Tick.At)
			late = late || after > time.Second
			if after > 51*time.Second || e.Delay > time.Second {
				t.Errorf("tick %s started %s later with delay %s", e.Tick.At, after, e.Delay)
			}
		}
		if got := len(seen.verdicts("job")); got != 10 || !late {
			t.Errorf("%d verdicts, some late: %v; want 10, true", got, late)
		}
	})
}

func TestTriggerTakesTheSameLeaseAndMovesNoTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		work := func(ctx context.Context, r jobs.Run) error {
			if r.Manual {
				time.Sleep(20 * time.Second)
			}
			return nil
		}
		a := start(t, store, "a", seen, minutely("job", work))
		defer a.stop()
		b := start(t, store, "b", seen, minutely("job", work))
		defer b.stop()
		time.Sleep(30 * time.Second)

		run, err := a.Trigger(t.Context(), "job", scheduler.Order{By: "ana"})
		if err != nil {
			t.Fatal(err)
		}
		if run.Cause != scheduler.ByHand || !strings.HasPrefix(run.ID, "job.20000101T000030Z.manual-") || run.Token == 0 {
			t.Errorf("run = %+v", run)
		}
		held, ok := errors.AsType[*scheduler.BusyError](errOf(b.Trigger(t.Context(), "job", scheduler.Order{By: "ben"})))
		if !ok || held.By != "a" {
			t.Errorf("second trigger: %v, want held by a", held)
		}
		if _, err := a.Trigger(t.Context(), "jbo", scheduler.Order{By: "ana"}); !errors.Is(err, scheduler.ErrUnknownJob) {
			t.Errorf("trigger of an unknown job: %v", err)
		}
		time.Sleep(31 * time.Second)
		synctest.Wait()
		if got, want := seen.verdicts("job"), []string{"00:00 succeeded", "00:01 succeeded"}; !slices.Equal(got, want) {
			t.Errorf("verdicts = %q, want %q", got, want)
		}
	})
}

func errOf(_ scheduler.Row, err error) error { return err }

func TestShutdownLetsRunsFinishWithinTheirGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		slow := func(ctx context.Context, _ jobs.Run) error {
			select {
			case <-time.After(20 * time.Second):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		a := start(t, store, "a", seen, minutely("job", slow))
		time.Sleep(65 * time.Second)
		began := time.Now()
		a.stop()
		if took := time.Since(began); took != 15*time.Second {
			t.Errorf("shutdown took %s, want the 15s the run still needed", took)
		}
		if got, want := seen.verdicts("job"), []string{"00:01 succeeded"}; !slices.Equal(got, want) {
			t.Errorf("verdicts = %q, want %q", got, want)
		}
		if _, err := a.Trigger(t.Context(), "job", scheduler.Order{By: "ana"}); !errors.Is(err, scheduler.ErrStopping) {
			t.Errorf("trigger after shutdown: %v, want ErrStopping", err)
		}
	})
}

func TestShutdownInterruptsWhatOutlivesItsGraceAndReleasesLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, seen := new(memlease.Store), new(recorder)
		var stopped time.Time
		endless := func(ctx context.Context, _ jobs.Run) error {
			<-ctx.Done()
			time.Sleep(3 * time.Second)
			stopped = time.Now()
			records, err := store.Read(context.Background(), []string{"job"})
			if err != nil || records[0].State != election.StateRunning {
				t.Errorf("the lease was given back before the job had ended: %v %v", records, err)
			}
			return context.Cause(ctx)
		}
		a := start(t, store, "a", seen, minutely("job", endless))
		time.Sleep(65 * time.Second)
		began := time.Now()
		a.stop()
		if got := stopped.Sub(began); got != 33*time.Second {
			t.Errorf("the job ended %s after the shutdown began, want grace 30s + 3s", got)
		}
		if got, want := seen.verdicts("job"), []string{"00:01 interrupted"}; !slices.Equal(got, want) {
			t.Errorf("verdicts = %q, want %q", got, want)
		}
		records, err := store.Read(t.Context(), []string{"job"})
		if err != nil || records[0].State != election.StateDone {
			t.Errorf("after shutdown the record is %v (%v), want done", records[0].State, err)
		}
	})
}

func TestJobsThatCannotBeScheduledAreRefused(t *testing.T) {
	t.Parallel()
	e, err := election.New(new(memlease.Store), "a", election.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s := scheduler.New(e, scheduler.Config{})
	ok := jobs.Job{Name: "job", Runner: jobs.Func(quick)}
	if err := s.Add("@hourly", ok); err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		spec string
		job  jobs.Job
		want string
	}{
		"twice":        {"@hourly", ok, "defined twice"},
		"no runner":    {"@hourly", jobs.Job{Name: "x"}, "no runner"},
		"bad name":     {"@hourly", jobs.Job{Name: "A b", Runner: ok.Runner}, "only a-z"},
		"bad schedule": {"61 * * * *", jobs.Job{Name: "x", Runner: ok.Runner}, `job "x"`},
	} {
		if err := s.Add(x.spec, x.job); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want it to contain %q", name, err, x.want)
		}
	}
}

func TestStatusSaysWhatIsNextAndWhatWasLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := new(recorder)
		a := start(t, new(memlease.Store), "a", seen, func(s *scheduler.Scheduler) error {
			return errors.Join(
				minutely("job", func(context.Context, jobs.Run) error { return errors.New("no disk") })(s),
				s.Add("@daily", jobs.Job{Name: "off", Suspend: true, Runner: jobs.Func(quick)}),
			)
		})
		defer a.stop()
		time.Sleep(90 * time.Second)
		synctest.Wait()
		st, err := a.Job("job")
		if err != nil {
			t.Fatal(err)
		}
		if st.Next == nil || st.Next.Format("15:04") != "00:02" {
			t.Errorf("next = %v, want 00:02", st.Next)
		}
		if st.Last == nil || st.Last.Verdict != scheduler.Failed || st.Last.Error != "no disk" {
			t.Errorf("last = %+v, want failed: no disk", st.Last)
		}
		if off := a.Jobs()[1]; off.Next != nil || off.NextNote == "" {
			t.Errorf("suspended job: next = %v, note %q; want none and a reason", off.Next, off.NextNote)
		}
		if got := seen.verdicts("off"); got != nil {
			t.Errorf("suspended job has verdicts: %q", got)
		}
	})
}
