package scheduler

import (
	"slices"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
)

// at is a moment of 2026-11-29.
func at(hour, minute, second int) time.Time {
	return time.Date(2026, 11, 29, hour, minute, second, 0, time.UTC)
}

func everyMinute(t *testing.T) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Parse("* * * * *", schedule.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// latestOnly is the default policy of a job.
func latestOnly(deadline time.Duration) policy {
	return policyOf(jobs.Job{StartingDeadline: deadline})
}

// jittered is a minute's timetable whose ticks are released some time later, and
// some of which are left out.
type jittered struct {
	*schedule.Schedule
	later    time.Duration
	excluded func(time.Time) bool
}

func (j jittered) Release(tick time.Time) time.Time { return tick.Add(j.later) }

func (j jittered) Excluded(tick time.Time) (string, bool) {
	return "holidays", j.excluded != nil && j.excluded(tick)
}

func TestPlanWaitsForTheReleaseOfATick(t *testing.T) {
	t.Parallel()
	s := jittered{Schedule: everyMinute(t), later: 40 * time.Second}
	for name, x := range map[string]struct {
		now         time.Time
		ticks       []time.Time
		tick, ready time.Time
	}{
		"not yet":                   {at(10, 1, 0), []time.Time{at(10, 1, 0)}, at(10, 1, 0), at(10, 1, 40)},
		"released":                  {at(10, 1, 41), []time.Time{at(10, 1, 0)}, at(10, 1, 0), at(10, 1, 40)},
		"the later one not yet":     {at(10, 2, 10), []time.Time{at(10, 1, 0), at(10, 2, 0)}, at(10, 1, 0), at(10, 1, 40)},
		"both":                      {at(10, 2, 40), []time.Time{at(10, 1, 0), at(10, 2, 0)}, at(10, 2, 0), at(10, 2, 40)},
		"late, but for its release": {at(10, 11, 30), []time.Time{at(10, 1, 0)}, at(10, 1, 0), at(10, 1, 40)},
	} {
		got := planFor(s, x.ticks, false, x.now, latestOnly(10*time.Minute), lets{})
		if got.mode != election.ForTick || !got.tick.Equal(x.tick) || !got.ready.Equal(x.ready) {
			t.Errorf("%s: plan = mode %d tick %s ready %s, want to run %s at %s", name, got.mode, got.tick, got.ready, x.tick, x.ready)
		}
	}
}

func TestPlanLeavesOutExcludedTicks(t *testing.T) {
	t.Parallel()
	s := jittered{Schedule: everyMinute(t), excluded: func(tick time.Time) bool { return !tick.Before(at(10, 2, 0)) }}
	ticks := []time.Time{at(10, 1, 0), at(10, 2, 0), at(10, 3, 0)}
	if got := planFor(s, ticks, false, at(10, 3, 0), latestOnly(time.Hour), lets{}); got.mode != election.ForTick || !got.tick.Equal(ticks[0]) {
		t.Errorf("plan = mode %d tick %s, want to run the one that is not excluded", got.mode, got.tick)
	}
	if got := planFor(s, ticks[1:], false, at(10, 3, 0), latestOnly(time.Hour), lets{}); got.mode != election.Forfeit || !got.tick.Equal(ticks[2]) {
		t.Errorf("plan = mode %d tick %s, want to forfeit the last", got.mode, got.tick)
	}
	if v, r := fate(s, ticks[1], at(10, 3, 0), latestOnly(time.Hour), lets{}); v != Skipped || r != ReasonExcluded {
		t.Errorf("fate of an excluded tick = %s(%s), want skipped(excluded)", v, r)
	}
}

func TestDueListsTheTicksAfterTheCursorUpToNow(t *testing.T) {
	t.Parallel()
	s := everyMinute(t)
	for name, x := range map[string]struct {
		cursor, now time.Time
		want        []time.Time
	}{
		"nothing yet":                 {at(10, 0, 0), at(10, 0, 59), nil},
		"exactly now":                 {at(10, 0, 0), at(10, 1, 0), []time.Time{at(10, 1, 0)}},
		"a little late":               {at(10, 0, 0), at(10, 1, 40), []time.Time{at(10, 1, 0)}},
		"several, oldest first":       {at(10, 0, 0), at(10, 3, 0), []time.Time{at(10, 1, 0), at(10, 2, 0), at(10, 3, 0)}},
		"cursor between two ticks":    {at(10, 0, 30), at(10, 1, 0), []time.Time{at(10, 1, 0)}},
		"clock went back":             {at(10, 5, 0), at(10, 1, 0), nil},
		"woken early by a wild timer": {at(10, 0, 0), at(10, 1, 0).Add(-time.Nanosecond), nil},
	} {
		got, more := due(s, x.cursor, x.now)
		if !slices.EqualFunc(got, x.want, time.Time.Equal) || more {
			t.Errorf("%s: due = %v, %v; want %v", name, got, more, x.want)
		}
	}
}

func TestDueAfterAYearOfOutageListsOnlyTheLastThousand(t *testing.T) {
	t.Parallel()
	now := at(10, 0, 30)
	got, more := due(everyMinute(t), now.AddDate(-1, 0, 0), now)
	if len(got) != maxListed || !more {
		t.Fatalf("due lists %d ticks, more %v; want %d and more", len(got), more, maxListed)
	}
	if first, last := got[0], got[len(got)-1]; !last.Equal(at(10, 0, 0)) || !first.Equal(last.Add(-(maxListed-1)*time.Minute)) {
		t.Errorf("due lists %s to %s, want the last %d minutes before now", first, last, maxListed)
	}
	if !slices.IsSortedFunc(got, time.Time.Compare) {
		t.Error("ticks are not oldest first")
	}
}

func TestPlanRunsTheLatestTickThatIsInTime(t *testing.T) {
	t.Parallel()
	ticks := []time.Time{at(10, 1, 0), at(10, 2, 0), at(10, 3, 0)}
	for name, x := range map[string]struct {
		now  time.Time
		mode election.Mode
	}{
		"in time":          {at(10, 3, 1), election.ForTick},
		"just in time":     {at(10, 13, 0), election.ForTick},
		"all are too late": {at(10, 13, 0).Add(time.Nanosecond), election.Forfeit},
		"late by a day":    {at(10, 3, 0).AddDate(0, 0, 1), election.Forfeit},
	} {
		got := planFor(everyMinute(t), ticks, false, x.now, latestOnly(10*time.Minute), lets{})
		if got.mode != x.mode || !got.tick.Equal(at(10, 3, 0)) || len(got.older) != 2 {
			t.Errorf("%s: plan = mode %d tick %s older %d; want mode %d tick 10:03 older 2", name, got.mode, got.tick, len(got.older), x.mode)
		}
	}
}

func TestFateOfATickThatWasPassedOver(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		now     time.Time
		unheard bool
		verdict Verdict
		reason  Reason
	}{
		"a later one was due too":     {at(10, 2, 0), false, Skipped, ReasonSuperseded},
		"too late":                    {at(10, 20, 0), false, Missed, ReasonDeadline},
		"too late, store was silent":  {at(10, 20, 0), true, Missed, ReasonStore},
		"in time, store was silent":   {at(10, 2, 0), true, Skipped, ReasonSuperseded},
		"in time at the deadline":     {at(10, 11, 0), false, Skipped, ReasonSuperseded},
		"a nanosecond after deadline": {at(10, 11, 0).Add(1), false, Missed, ReasonDeadline},
	} {
		v, r := fate(everyMinute(t), at(10, 1, 0), x.now, latestOnly(10*time.Minute), lets{unheard: x.unheard})
		if v != x.verdict || r != x.reason {
			t.Errorf("%s: fate = %s(%s), want %s(%s)", name, v, r, x.verdict, x.reason)
		}
	}
}

func TestResumeContinuesAfterTheLastDecidedTickOfTheSameSchedule(t *testing.T) {
	t.Parallel()
	now := at(10, 0, 0)
	for name, x := range map[string]struct {
		record election.Record
		want   time.Time
	}{
		"new job":                     {election.Record{}, now},
		"known job":                   {election.Record{Decided: at(9, 0, 0), Def: "d"}, at(9, 0, 0)},
		"schedule was edited":         {election.Record{Decided: at(9, 0, 0), Def: "old"}, now},
		"only run by hand so far":     {election.Record{Def: "d"}, now},
		"ledger is ahead of my clock": {election.Record{Decided: at(11, 0, 0), Def: "d"}, now},
	} {
		if got := resume(x.record, Adopted{}, "d", now); !got.Equal(x.want) {
			t.Errorf("%s: resume = %s, want %s", name, got, x.want)
		}
	}
}
