package journaltest

import (
	"fmt"
	"strings"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

var historyChecks = map[string]func(*world){
	"HistoryIsBoundedBySort":             boundedBySort,
	"HistoryIsBoundedByAgeButForTheLast": boundedByAge,
	"PastSelectsBySortRangeAndLimit":     pastSelects,
	"ASmallerBoundShortensHistory":       smallerBound,
	"NoBoundIsTheDefault":                defaultBound,
}

func boundedBySort(w *world) {
	n := 0
	for range 6 {
		for _, v := range []scheduler.Verdict{scheduler.Succeeded, scheduler.Failed, scheduler.Missed, scheduler.Cancelled, scheduler.Skipped} {
			w.record(ended("j", n, v))
			n++
		}
	}
	w.same("good", ids(w.past("j", scheduler.Query{Sort: scheduler.GoodRuns})), runs("j", 25, 20, 15))
	w.same("other", ids(w.past("j", scheduler.Query{Sort: scheduler.OtherRuns})), runs("j", 28, 26))
	w.same("not run", ids(w.past("j", scheduler.Query{Sort: scheduler.NotRun})), runs("j", 29, 27))
	w.same("any", ids(w.past("j", scheduler.Query{})), runs("j", 29, 28, 27, 26, 25, 20, 15))
	w.same("of another job", ids(w.past("k", scheduler.Query{})), []string{})
}

func boundedByAge(w *world) {
	const age = 30 * 24 * time.Hour
	bound := jobs.History{Succeeded: 10, Failed: 10, MaxAge: age}
	now := w.poll(1).Now
	entry := func(job string, n int, v scheduler.Verdict, ago time.Duration) scheduler.Entry {
		e := ended(job, n, v)
		e.Row.Ended, e.Keep = now.Add(-ago), bound
		return e
	}
	w.record(
		entry("j", 1, scheduler.Failed, 3*age), entry("j", 2, scheduler.Failed, 2*age), // the last failures, both too old
		entry("j", 3, scheduler.Succeeded, 2*age), entry("j", 4, scheduler.Succeeded, age-time.Hour), entry("j", 5, scheduler.Succeeded, 0),
	)
	w.same("past", ids(w.past("j", scheduler.Query{})), runs("j", 5, 4, 2))
	w.record(entry("weekly", 1, scheduler.Succeeded, 9*age))
	w.same("the only one", ids(w.past("weekly", scheduler.Query{})), runs("weekly", 1))
}

func pastSelects(w *world) {
	large := jobs.History{Succeeded: 100, Failed: 100, MaxAge: keep.MaxAge}
	for _, n := range []int{3, 1, 2, 5, 4} { // as they ended
		e := ended("j", n, scheduler.Succeeded)
		e.Keep = large
		w.record(e)
	}
	cases := []struct {
		q    scheduler.Query
		want []int
	}{
		{scheduler.Query{}, []int{5, 4, 3, 2, 1}},
		{scheduler.Query{Limit: 2}, []int{5, 4}},
		{scheduler.Query{From: tickAt(2), To: tickAt(4)}, []int{4, 3, 2}},
		{scheduler.Query{From: tickAt(2), Limit: 1}, []int{5}},
		{scheduler.Query{To: tickAt(2)}, []int{2, 1}},
		{scheduler.Query{Sort: scheduler.NotRun}, nil},
		{scheduler.Query{Sort: scheduler.GoodRuns, From: tickAt(6)}, nil},
	}
	for _, c := range cases {
		w.same(fmt.Sprintf("%+v", c.q), ids(w.past("j", c.q)), runs("j", c.want...))
	}
}

func smallerBound(w *world) {
	for n := range 9 {
		e := ended("j", n, scheduler.Succeeded)
		if e.Keep.Succeeded = 8; n == 8 {
			e.Keep.Succeeded = 2
		}
		w.record(e)
	}
	w.same("past", ids(w.past("j", scheduler.Query{})), runs("j", 8, 7))
}

func defaultBound(w *world) {
	now := w.poll(1).Now.Truncate(time.Minute)
	job := strings.Repeat("long-", 50) + "{name}"
	for n := range 60 {
		r := row(job, 0)
		r.Tick = now.Add(time.Duration(n-60) * time.Minute)
		r.ID = scheduler.Tick{Job: job, At: r.Tick}.ID()
		r.Started = r.Tick
		w.record(scheduler.Entry{Row: over(r, scheduler.Succeeded)})
	}
	w.same("rows", len(w.past(job, scheduler.Query{})), 50)
}
