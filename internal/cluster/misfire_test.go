package cluster

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

// The tests in this file are cases of public bug reports: M1 to M14 (misfires,
// clocks, sleep) and O1 to O8 (overlaps); each names the reports it comes from.

// hamlet runs f in a village. The bubble's clocks show midnight of 2000-01-01.
func hamlet(t *testing.T, f func(t *testing.T, v *village)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { f(t, newVillage(t, time.Second)) })
}

func nothing(context.Context, jobs.Run) error { return nil }

// named is a job that does nothing.
func named(name string, p jobs.Policies) jobs.Job {
	return jobs.Job{Name: name, Runner: jobs.Func(nothing), Policies: p}
}

func lasting(d time.Duration) jobs.Func {
	return func(ctx context.Context, _ jobs.Run) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// kubernetes/kubernetes#42649, #36311; k3d-io/k3d#523.
func TestM1AnOutageOfEightHoursIsCaughtUpAsThePolicySays(t *testing.T) {
	for policy, want := range map[jobs.CatchupPolicy]int{jobs.CatchupNone: 0, jobs.CatchupLatest: 1, jobs.CatchupAll: 7} {
		t.Run("policy "+string(policy), func(t *testing.T) {
			hamlet(t, func(t *testing.T, v *village) {
				job := named("job", jobs.Policies{
					Catchup: jobs.Catchup{Policy: policy, Max: 7}, History: jobs.History{Succeeded: 1000, Failed: 1000},
				})
				if policy != jobs.CatchupAll {
					job.Catchup.Max = 0
				}
				job.StartingDeadline = 24 * time.Hour
				stop := v.start("a", "* * * * *", job)
				v.until(1, 0, 1, 30)
				stop()
				v.until(1, 8, 1, 30)
				defer v.start("a", "* * * * *", job)()
				defer v.start("b", "* * * * *", job)()
				v.until(1, 8, 1, 50)
				if got := v.count("job", "succeeded") - 1; got != want {
					t.Errorf("%d runs after 480 missed ticks, want %d", got, want)
				}
				v.until(1, 8, 3, 30)
				if got := v.count("job", "succeeded") - 1; got != want+2 {
					t.Errorf("%d runs two ticks later, want %d: the job must go on", got, want+2)
				}
				if got := len(v.verdicts("job")); got != 483 {
					t.Errorf("%d verdicts, want one for each of 483 ticks", got)
				}
			})
		})
	}
}

// kubernetes/kubernetes#45825, #110919.
func TestM2ResumeRunsNothingThatCameDueDuringThePause(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := named("job", jobs.Policies{History: jobs.History{Succeeded: 1000, Failed: 1000}})
		job.StartingDeadline = 24 * time.Hour
		a, stopA := v.startAs(scheduler.Config{Replica: "a"}, "* * * * *", job)
		v.until(1, 4, 0, 30)
		if _, err := a.Pause(t.Context(), "job", time.Time{}, scheduler.Order{By: "ana"}); err != nil {
			t.Fatal(err)
		}
		v.until(1, 10, 0, 30)
		stopA() // for the last two hours of the pause nobody is there
		v.until(1, 12, 0, 20)
		a, stopA = v.startAs(scheduler.Config{Replica: "a"}, "* * * * *", job)
		defer stopA()
		v.until(1, 12, 0, 30)
		before := v.count("job", "succeeded")
		if _, err := a.Resume(t.Context(), "job", scheduler.Order{By: "ana"}); err != nil {
			t.Fatal(err)
		}
		v.until(1, 12, 0, 59)
		if got := v.count("job", "succeeded") - before; got != 0 {
			t.Errorf("%d runs at the resume, want none", got)
		}
		v.until(1, 12, 1, 30)
		if got := v.count("job", "succeeded") - before; got != 1 {
			t.Errorf("%d runs by 12:01, want 1", got)
		}
		if got := len(v.verdicts("job")); got < 480 {
			t.Errorf("%d verdicts, want one for each paused tick", got)
		}
	})
}

// The same, but that the resume comes while no replica lives.
func TestM2ResumeWhileNobodyIsThereRunsNothingOld(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := named("job", jobs.Policies{History: jobs.History{Succeeded: 1000}})
		a, stopA := v.startAs(scheduler.Config{Replica: "a"}, "* * * * *", job)
		v.until(1, 4, 0, 30)
		if _, err := a.Pause(t.Context(), "job", time.Time{}, scheduler.Order{By: "ana"}); err != nil {
			t.Fatal(err)
		}
		stopA()
		v.until(1, 4, 3, 30)
		if _, err := a.Resume(t.Context(), "job", scheduler.Order{By: "ana"}); err != nil { // as any client would
			t.Fatal(err)
		}
		v.until(1, 4, 3, 40)
		defer v.start("b", "* * * * *", job)()
		v.until(1, 4, 4, 30)
		rows := v.verdicts("job")
		if got := rows[len(rows)-1]; got != "01 04:04:00 succeeded" || v.count("job", "succeeded") != 241 {
			t.Errorf("%d runs, the last verdict %q; want none of 04:01 to 04:03, and 04:04", v.count("job", "succeeded"), got)
		}
	})
}

// kubernetes/kubernetes#65457, #63371, #57853, #123220, #130838.
func TestM3AnEditedScheduleFiresForNothingBeforeTheEdit(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := named("job", jobs.Policies{})
		job.StartingDeadline = 24 * time.Hour
		stop := v.start("a", "0 23 * * *", job)
		v.until(2, 17, 30, 0)
		stop()
		defer v.start("a", "0 5 * * *", job)()
		v.until(3, 4, 59, 0)
		v.want("job", "01 23:00:00 succeeded")
		v.until(3, 5, 1, 0)
		v.want("job", "01 23:00:00 succeeded", "03 05:00:00 succeeded")
	})
}

// The same, but that nobody is there for a while after the edit.
func TestM3TheEditCountsFromItsFirstReplica(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := named("job", jobs.Policies{})
		stop := v.start("a", "0 * * * *", job)
		v.until(1, 2, 30, 0)
		stop()
		v.until(1, 2, 57, 0)
		stop = v.start("a", "* * * * *", job)
		v.until(1, 2, 57, 10) // it lives for a moment
		stop()
		v.until(1, 2, 59, 30)
		defer v.start("a", "* * * * *", job)()
		v.until(1, 3, 0, 30)
		v.want("job", "01 01:00:00 succeeded", "01 02:00:00 succeeded",
			"01 02:58:00 skipped(superseded)", "01 02:59:00 succeeded", "01 03:00:00 succeeded")
	})
}

// robfig/cron#26, #283.
func TestM4AReplicaThatStoodStillShowsTheTicksThatItLost(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := named("job", jobs.Policies{History: jobs.History{Succeeded: 1000}})
		defer v.start("a", "@every 1s", job)()
		v.until(1, 0, 0, 10)
		synctest.Wait()
		time.Sleep(500 * time.Millisecond)
		v.down.Store(true)
		v.ahead.Add(int64(6 * time.Second)) // the clocks go on while the process stands still
		v.down.Store(false)
		time.Sleep(time.Minute)
		if got := v.count("job", "skipped(superseded)"); got != 5 && got != 6 {
			t.Errorf("%d ticks are visible as passed over, want those of the 6 seconds but one that is caught up", got)
		}
		want := time.Date(2000, 1, 1, 0, 0, 1, 0, time.UTC)
		rows := v.verdicts("job")
		for i, row := range rows {
			at := want.Add(time.Duration(i) * time.Second).Format("02 15:04:05 ")
			if row[:len(at)] != at {
				t.Fatalf("verdict %d is %q, want one of %s", i, row, at)
			}
		}
	})
}

// robfig/cron#509.
func TestM5AClockThatJumpsDaysAheadFiresByTheNewTime(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := named("job", jobs.Policies{})
		defer v.start("a", "30 10 * * *", job)()
		v.until(1, 9, 0, 0)
		v.ahead.Add(int64(69 * time.Hour)) // to 06:00 three days later
		time.Sleep(100 * time.Minute)      // past the time at which a timer by the old clock would fire
		v.want("job", "01 10:30:00 missed(deadline)", "02 10:30:00 missed(deadline)", "03 10:30:00 missed(deadline)")
		v.until(4, 10, 31, 0)
		v.want("job", "01 10:30:00 missed(deadline)", "02 10:30:00 missed(deadline)", "03 10:30:00 missed(deadline)", "04 10:30:00 succeeded")
	})
}

// robfig/cron#352; quartznet PR #3147.
func TestM6AClockThatGoesForwardAndBackRunsNoTickTwiceAndIsNotLateForLong(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := named("job", jobs.Policies{})
		defer v.start("a", "*/10 * * * *", job)()
		v.until(1, 1, 5, 0)
		v.ahead.Add(int64(2 * time.Hour))
		time.Sleep(6 * time.Minute) // 03:11: the tick of 03:10 has run
		v.ahead.Add(-int64(2 * time.Hour))
		v.until(1, 3, 25, 0)
		seen := map[string]int{}
		for _, row := range v.verdicts("job") {
			if seen[row[:11]]++; seen[row[:11]] > 1 {
				t.Errorf("tick %s has two verdicts", row[:11])
			}
		}
		rows := v.verdicts("job")
		if got := rows[len(rows)-1]; got != "01 03:20:00 succeeded" {
			t.Errorf("the last verdict is %q, want the tick of 03:20 in time", got)
		}
	})
}

// robfig/cron#94; tomykaira/clockwork#138.
func TestM7AReplicaThatWakesTooEarlyRunsTheTickOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newVillage(t, time.Second)
		job := named("job", jobs.Policies{})
		defer v.start("a", "0 * * * *", job)()
		v.until(1, 11, 59, 59)
		v.ahead.Add(int64(300 * time.Millisecond)) // the replica thinks that it is noon already
		time.Sleep(800 * time.Millisecond)
		v.ahead.Add(-int64(300 * time.Millisecond))
		v.until(1, 12, 5, 0)
		if got := v.count("job", "succeeded"); got != 12 {
			t.Errorf("%d runs by noon, want 12", got)
		}
	})
}

// sidekiq-cron#463, #111, #187; bensheldon/good_job#1600.
func TestM8TheStartingDeadlineSaysWhetherALateTickRuns(t *testing.T) {
	for grace, want := range map[time.Duration]string{5 * time.Minute: "succeeded", time.Minute: "missed(deadline)"} {
		t.Run(grace.String(), func(t *testing.T) {
			hamlet(t, func(t *testing.T, v *village) {
				job := named("job", jobs.Policies{})
				job.StartingDeadline = grace
				stop := v.start("a", "0 15 * * *", job)
				v.until(1, 14, 57, 0)
				stop()
				v.until(1, 15, 3, 0)
				defer v.start("b", "0 15 * * *", job)()
				v.until(1, 15, 3, 30)
				v.want("job", "01 15:00:00 "+want)
			})
		})
	}
}

// jhuckaby/Cronicle#263; NousResearch/hermes-agent#106255.
func TestM11CaughtUpJobsObeyTheLimitOfRuns(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		var inside, most, runs atomic.Int32
		work := func(context.Context, jobs.Run) error {
			runs.Add(1)
			if n := inside.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer inside.Add(-1)
			time.Sleep(10 * time.Second)
			return nil
		}
		var defs []jobs.Job
		for i := range 20 {
			j := jobs.Job{Name: fmt.Sprintf("job-%d", i), Runner: jobs.Func(work), StartingDeadline: 12 * time.Hour}
			defs = append(defs, j)
		}
		cfg := scheduler.Config{Replica: "a", MaxConcurrent: 3}
		_, stop := v.startAs(cfg, "0 * * * *", defs...)
		v.until(1, 0, 30, 0)
		stop()
		v.until(1, 8, 30, 0)
		_, stop = v.startAs(cfg, "0 * * * *", defs...)
		defer stop()
		v.until(1, 8, 40, 0)
		if runs.Load() != 20 || most.Load() > 3 {
			t.Errorf("%d runs, at most %d at once; want 20, 3 at once", runs.Load(), most.Load())
		}
		for _, d := range defs {
			if got := v.count(d.Name, "skipped(superseded)"); got != 7 {
				t.Errorf("%s: %d ticks passed over, want 7", d.Name, got)
			}
		}
	})
}

// A job that is new has missed nothing.
func TestM14ANewJobStartsWithTheNextTick(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := named("job", jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll}})
		job.StartingDeadline = 24 * time.Hour
		v.until(1, 12, 0, 30)
		defer v.start("a", "*/5 * * * *", job)()
		v.until(1, 12, 4, 59)
		v.want("job")
		v.until(1, 12, 5, 30)
		v.want("job", "01 12:05:00 succeeded")
	})
}

// robfig/cron#366.
func TestO1AJobThatPanicsUnderSkipRunsAtTheNextTick(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := jobs.Job{Name: "job", Runner: jobs.Func(func(context.Context, jobs.Run) error { panic("boom") })}
		defer v.start("a", "* * * * *", job)()
		v.until(1, 0, 3, 30)
		v.want("job", "01 00:01:00 failed(panic)", "01 00:02:00 failed(panic)", "01 00:03:00 failed(panic)")
	})
}

// robfig/cron#285; aptible/supercronic#112 (O4).
func TestO2SkipIsPerJobAndO4ALongJobDelaysNoOther(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		long := jobs.Job{Name: "long", Runner: lasting(20 * time.Minute)}
		short := named("short", jobs.Policies{})
		defer v.start("a", "*/5 * * * *", long, short)()
		v.until(1, 0, 24, 0)
		v.want("short", "01 00:05:00 succeeded", "01 00:10:00 succeeded", "01 00:15:00 succeeded", "01 00:20:00 succeeded")
		v.until(1, 0, 25, 30)
		if got := v.count("long", "skipped(overlap)"); got < 3 {
			t.Errorf("%d ticks of the long job were skipped, want those while it ran", got)
		}
	})
}

// robfig/cron's DelayIfStillRunning parks a goroutine for each tick.
func TestO3AQueueBehindAnEndlessJobIsBounded(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := jobs.Job{Name: "job", Runner: lasting(time.Hour), Policies: jobs.Policies{
			Overlap: jobs.QueueOverlap, QueueLimit: 2, History: jobs.History{Failed: 10_000},
		}}
		job.StartingDeadline = 24 * time.Hour
		defer v.start("a", "@every 10s", job)()
		v.until(1, 1, 30, 0) // the first run has ended; of 360 ticks two waited, the first of them runs
		if got := v.count("job", "succeeded"); got != 1 {
			t.Errorf("%d runs of an hour have ended in an hour and a half, want 1", got)
		}
		if got := v.count("job", "skipped(overlap)"); got < 357 || got > 358 {
			t.Errorf("%d ticks gave way in the first hour, want all of 360 but two that wait", got)
		}
	})
}

// TestAQueuedTickStartsWhenTheOlderRunEnds has runs that take longer than the
// time between two ticks: each must follow the one before at once.
func TestAQueuedTickStartsWhenTheOlderRunEnds(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		var ended time.Time
		runs, latest := 0, time.Duration(0)
		work := func(context.Context, jobs.Run) error {
			if runs++; runs > 1 {
				latest = max(latest, time.Since(ended))
			}
			time.Sleep(11*time.Second + 7*time.Millisecond)
			ended = time.Now()
			return nil
		}
		job := jobs.Job{Name: "job", Runner: jobs.Func(work), Policies: jobs.Policies{Overlap: jobs.QueueOverlap}}
		defer v.start("a", "@every 10s", job)()
		v.until(1, 0, 30, 0)
		synctest.Wait()
		if runs < 150 || latest > time.Millisecond {
			t.Errorf("%d runs, the longest gap between two %s; want each to follow at once", runs, latest)
		}
	})
}

// kubernetes/kubernetes#30442, #115844. The job is deaf for a while.
func TestO5ReplaceNeverShowsTwoRunsAtOnce(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		var inside, overlaps atomic.Int32
		work := func(ctx context.Context, _ jobs.Run) error {
			if inside.Add(1) > 1 {
				overlaps.Add(1)
			}
			defer inside.Add(-1)
			<-ctx.Done()
			time.Sleep(4 * time.Second)
			return context.Cause(ctx)
		}
		job := jobs.Job{Name: "job", Runner: jobs.Func(work), Policies: jobs.Policies{Overlap: jobs.ReplaceOverlap}}
		for _, name := range []string{"a", "b", "c"} {
			defer v.start(name, "* * * * *", job)()
		}
		v.until(1, 0, 10, 30)
		if overlaps.Load() > 0 {
			t.Errorf("%d runs began while another was on", overlaps.Load())
		}
		if got := v.count("job", "cancelled(replaced)"); got != 9 {
			t.Errorf("%d runs were replaced, want 9", got)
		}
	})
}

// kubernetes/website#18655.
func TestO6ARunOnOneReplicaSkipsTheTickOnAllAndSaysWhoHeldIt(t *testing.T) {
	hamlet(t, func(t *testing.T, v *village) {
		job := jobs.Job{Name: "job", Runner: lasting(90 * time.Second)}
		stops := []func(){v.start("a", "* * * * *", job)}
		v.until(1, 0, 1, 10) // a has the run
		stops = append(stops, v.start("b", "* * * * *", job), v.start("c", "* * * * *", job))
		v.until(1, 0, 2, 10)
		rows, err := v.journal.Past(t.Context(), "job", scheduler.Query{})
		if err != nil || len(rows) != 1 || rows[0].Reason != scheduler.ReasonOverlap || rows[0].By != "a" {
			t.Errorf("rows = %+v, %v; want the tick of 00:02 skipped because of a", rows, err)
		}
		for _, stop := range stops {
			stop()
		}
	})
}

// hiddeco/cronjobber#58. The YAML's side is in package config.
func TestO8AMisspeltPolicyIsRefused(t *testing.T) {
	t.Parallel()
	v := newVillage(t, time.Second)
	s, err := schedule.Parse("* * * * *", schedule.Options{})
	if err != nil {
		t.Fatal(err)
	}
	job := named("job", jobs.Policies{Overlap: "allways"})
	engine, stop := v.startAs(scheduler.Config{Replica: "a"}, "0 0 1 1 *")
	defer stop()
	if err := job.Validate(); err == nil {
		t.Error("the job is valid")
	}
	if err := engine.AddSchedule(s, job); err == nil {
		t.Error("the engine took the job")
	}
}
