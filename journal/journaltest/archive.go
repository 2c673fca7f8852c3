package journaltest

import (
	"fmt"
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"
)

var archiveChecks = map[string]func(*world){
	"EveryFieldOfARowComesBack":          rowsComeBack,
	"ARunIsOpenUntilItEnds":              openUntilEnd,
	"TheFirstEndStands":                  firstEndStands,
	"ALateStartDoesNotReopenARun":        lateStart,
	"ARetriedRunKeepsItsTries":           triesStay,
	"AnEarlierAttemptDoesNotComeBack":    earlierAttempt,
	"TheWatermarkFollowsAChain":          watermark,
	"TheStreakCountsFinalFailures":       streaks,
	"EveryEntryOfABatchIsRecordedAlone":  batches,
	"EntriesThatSayNothingAreRefused":    badEntries,
	"FindKnowsOpenEndedAndUnknown":       find,
	"ADefinitionIsInForceSinceItChanged": adoption,
	"TextsAreCutBetweenLetters":          cutTexts,
}

// fullRow has every field set.
func fullRow(state scheduler.RowState) scheduler.Row {
	r := row("nightly-report", 0)
	r.Cause, r.By, r.Note, r.Params = scheduler.ByHand, "anna", "why \"not\" <now>", map[string]string{"region": "eu", "ü": ""}
	r.State, r.Attempt, r.Key, r.Token = state, 3, "nightly-report/1", 1<<62+3
	r.Tries = []scheduler.Try{
		{Replica: "a", Token: 1 << 62, Started: tickAt(0), Took: 1234567890, Verdict: scheduler.Failed, Error: "exit 1"},
		{Replica: "b", Token: 1<<62 + 1, Started: tickAt(1), Took: time.Second, Verdict: scheduler.TimedOut, Error: "timeout: [1m]"},
	}
	if state == scheduler.RunEnded {
		r.Ended, r.Verdict, r.Reason, r.Error, r.More = tickAt(3), scheduler.Failed, scheduler.ReasonPanic, "panic: {}", true
	}
	return r
}

func rowsComeBack(w *world) {
	running := fullRow(scheduler.RunRetrying)
	w.record(begun(running))
	open, err := w.Open(w.ctx)
	w.must(err)
	w.same("open", open, []scheduler.Row{running})
	w.same("found open", w.found(running.ID), running)
	end := fullRow(scheduler.RunEnded)
	w.record(scheduler.Entry{Row: end, Keep: keep, Dead: true})
	w.same("past", w.past(end.Job, scheduler.Query{}), []scheduler.Row{end})
	w.same("found ended", w.found(end.ID), end)
	letters, err := w.DeadLetters(w.ctx, 0)
	w.must(err)
	w.same("dead", letters, []scheduler.Row{end})
	acked, err := w.Acknowledge(w.ctx, end.ID, "anna")
	w.must(err)
	w.same("acknowledged", acked, true)
	end.Acked = true
	w.same("past", w.past(end.Job, scheduler.Query{}), []scheduler.Row{end})

	plain := scheduler.Row{ID: "j.KEY-0123", Job: "j", State: scheduler.RunEnded, Verdict: scheduler.Missed}
	w.record(scheduler.Entry{Row: plain, Keep: keep})
	w.same("plain", w.past("j", scheduler.Query{}), []scheduler.Row{plain})
}

func openUntilEnd(w *world) {
	a, b := row("a", 2), row("b", 1)
	w.same("start", w.record(begun(a), begun(b)), scheduler.Recorded{Fresh: true})
	w.same("open", w.opened(), []string{b.ID, a.ID})
	w.same("past", ids(w.past("a", scheduler.Query{})), []string{})
	w.same("again", w.record(begun(a)), scheduler.Recorded{Fresh: true})
	w.same("end", w.record(ended("a", 2, scheduler.Succeeded)), scheduler.Recorded{Fresh: true})
	w.same("open", w.opened(), []string{b.ID})
	w.same("past", ids(w.past("a", scheduler.Query{})), []string{a.ID})
	w.same("end without a start", w.record(ended("c", 3, scheduler.Failed)), scheduler.Recorded{Fresh: true, Streak: 1})
	w.same("past", ids(w.past("c", scheduler.Query{})), runs("c", 3))
}

func firstEndStands(w *world) {
	for _, started := range []bool{false, true} {
		job := fmt.Sprint("job-", started)
		if started {
			w.record(begun(row(job, 1)))
		}
		w.record(ended(job, 1, scheduler.Failed), ended(job, 2, scheduler.Failed))
		again := ended(job, 1, scheduler.Succeeded)
		again.Dead = true
		w.same("second end", w.record(again), scheduler.Recorded{Streak: 2})
		w.record(ended(job, 0, scheduler.Skipped)) // an older tick that ends later
		w.same("second end of the latest", w.record(ended(job, 2, scheduler.Failed)), scheduler.Recorded{Streak: 2})
		w.same("past", ids(w.past(job, scheduler.Query{})), runs(job, 2, 1, 0))
		w.same("verdict", w.found(again.Row.ID).Verdict, scheduler.Failed)
	}
	letters, err := w.DeadLetters(w.ctx, 0)
	w.must(err)
	w.same("dead", ids(letters), []string{})
}

func lateStart(w *world) {
	for _, later := range []int{0, 1, 9} { // after the late one's end; the last has left history
		job := fmt.Sprint("job-", later)
		w.record(ended(job, 0, scheduler.Succeeded))
		for n := range later {
			w.record(ended(job, n+1, scheduler.Succeeded))
		}
		w.record(begun(row(job, 0)))
	}
	w.same("open", w.opened(), []string{})
	old := row("rerun", 0)
	old.ID, old.Cause = old.ID+".rerun-1", scheduler.ByRerun
	for n := range 9 {
		w.record(ended("rerun", n, scheduler.Succeeded))
	}
	w.record(begun(old))
	w.same("open", w.opened(), []string{old.ID})
}

func triesStay(w *world) {
	first := row("j", 1)
	try := scheduler.Try{Replica: first.Replica, Token: first.Token, Started: first.Started, Took: time.Second, Verdict: scheduler.Failed, Error: "exit 1"}
	retrying := first
	retrying.State, retrying.Verdict, retrying.Tries = scheduler.RunRetrying, scheduler.Failed, []scheduler.Try{try}
	second := first
	second.Attempt, second.Replica, second.Token = 2, "another", first.Token+1
	w.record(begun(first), begun(retrying))
	w.same("retrying", w.found(first.ID), retrying)
	w.record(begun(second))
	want := second
	want.Tries = []scheduler.Try{try}
	w.same("running", w.found(first.ID), want)
	e := begun(over(second, scheduler.Succeeded))
	w.record(e)
	want = e.Row
	want.Tries = []scheduler.Try{try}
	w.same("ended", w.found(first.ID), want)
}

func earlierAttempt(w *world) {
	first := row("j", 1)
	retrying := first
	retrying.State = scheduler.RunRetrying
	second := first
	second.Attempt = 2
	for _, late := range [][]scheduler.Row{{retrying, first}, {second, retrying, first}} {
		for _, r := range late {
			w.record(begun(r))
		}
		w.same("row", w.found(first.ID), late[0])
	}
}

func watermark(w *world) {
	w.same("of nothing", w.told("j"), time.Time{})
	chain := func(prev, n int) scheduler.Entry {
		e := begun(row("j", n))
		e.Prev = tickAt(prev)
		return e
	}
	steps := []struct {
		what  string
		entry scheduler.Entry
		want  time.Time
	}{
		{"a tick without a word of others", begun(row("j", 1)), time.Time{}},
		{"after something unknown", chain(1, 2), time.Time{}},
		{"at least", scheduler.Entry{Row: row("j", 3), Upto: tickAt(3), Keep: keep}, tickAt(3)},
		{"the next", chain(3, 4), tickAt(4)},
		{"out of order", chain(5, 6), tickAt(4)},
		{"what was missing", chain(4, 5), tickAt(5)},
		{"overlapping", chain(2, 7), tickAt(7)},
		{"back", chain(1, 2), tickAt(7)},
		{"back to", scheduler.Entry{Row: row("j", 3), Upto: tickAt(3), Keep: keep}, tickAt(7)},
		{"without a row", scheduler.Entry{Row: scheduler.Row{Job: "j"}, Upto: tickAt(9)}, tickAt(9)},
		{"without a row, a tick", scheduler.Entry{Row: scheduler.Row{Job: "j", Tick: tickAt(11)}, Prev: tickAt(8)}, tickAt(11)},
		{"of an end", scheduler.Entry{Row: over(row("j", 12), scheduler.Missed), Prev: tickAt(11), Keep: keep}, tickAt(12)},
	}
	for _, s := range steps {
		w.record(s.entry)
		w.same(s.what, w.told("j"), s.want)
	}
	w.same("open", w.opened(), runs("j", 1, 2, 3, 4, 5, 6, 7))
	got, err := w.Told(w.ctx, []string{"other", "j", "third"})
	w.must(err)
	w.same("of many", got, []time.Time{{}, tickAt(12), {}})
}

func streaks(w *world) {
	steps := []struct {
		verdict scheduler.Verdict
		want    int
	}{
		{scheduler.Failed, 1},
		{scheduler.TimedOut, 2},
		{scheduler.Skipped, 2},
		{scheduler.Missed, 2},
		{scheduler.Cancelled, 2},
		{scheduler.Interrupted, 2},
		{scheduler.LeaseLost, 3},
		{scheduler.Succeeded, 0},
		{scheduler.Failed, 1},
	}
	for n, s := range steps {
		retrying := row("j", n)
		retrying.State, retrying.Verdict = scheduler.RunRetrying, scheduler.Failed
		w.same("retrying", w.record(begun(retrying)), scheduler.Recorded{Fresh: true})
		w.same(string(s.verdict), w.record(ended("j", n, s.verdict)), scheduler.Recorded{Fresh: true, Streak: s.want})
	}
	w.same("of another job", w.record(ended("k", 1, scheduler.Failed)).Streak, 1)
}

func batches(w *world) {
	const count = 300
	var starts, ends []scheduler.Entry
	for i := range count {
		job := fmt.Sprint("job-", i%100) // some jobs thrice
		starts = append(starts, begun(row(job, i)))
		end := ended(job, i, scheduler.Failed)
		end.Keep.Failed = 10
		ends = append(ends, end)
	}
	ends = append(ends, ends[0])
	if _, err := w.Record(w.ctx, starts); err != nil {
		w.Fatal(err)
	}
	w.same("open", len(w.opened()), count)
	got, err := w.Record(w.ctx, ends)
	w.must(err)
	for i, r := range got[:count] {
		w.same(fmt.Sprint("end ", i), r, scheduler.Recorded{Fresh: true, Streak: 1 + i/100})
	}
	w.same("the first again", got[count], scheduler.Recorded{Streak: 3})
	w.same("open", w.opened(), []string{})
}

func badEntries(w *world) {
	foreign, nameless, wordless, queued, long := ended("a", 1, scheduler.Failed), ended("", 1, scheduler.Failed), ended("a", 2, ""), ended("a", 3, scheduler.Failed), ended("a", 4, scheduler.Failed)
	foreign.Row.Job = "b"
	queued.Row.State = scheduler.RunQueued
	long.Row.ID += "." + strings.Repeat("x", 1000)
	for i, e := range []scheduler.Entry{foreign, nameless, wordless, queued, long} {
		if _, err := w.Record(w.ctx, []scheduler.Entry{ended("a", 9, scheduler.Failed), e}); err == nil {
			w.Errorf("Record accepted bad entry %d", i)
		}
	}
	w.same("past", ids(w.past("a", scheduler.Query{})), []string{})
}

func find(w *world) {
	w.record(begun(row("open", 1)), ended("ended", 1, scheduler.Succeeded))
	w.same("open", w.found(row("open", 1).ID), row("open", 1))
	w.same("ended", w.found(row("ended", 1).ID).Verdict, scheduler.Succeeded)
	byHand := ended("ended", 2, scheduler.Failed)
	byHand.Row.ID += ".manual-1"
	w.record(byHand)
	for _, run := range append(runs("open", 2), row("ended", 2).ID, "ended", "", "x.19990301T020100Z", "ended.19990301T0201", "{}.KEY-", strings.Repeat("x", 5000)) {
		if _, ok, err := w.Find(w.ctx, run); ok || err != nil {
			w.Errorf("Find of %.50q: got %v, error %v", run, ok, err)
		}
	}
}

func adoption(w *world) {
	adopt := func(def string) scheduler.Adopted {
		w.Helper()
		got, err := w.Adopt(w.ctx, []scheduler.Definition{{Job: "other", Def: "x y"}, {Job: "j", Def: def}})
		if err != nil || len(got) != 2 {
			w.Fatalf("Adopt: got %v, error %v", got, err)
		}
		return got[1]
	}
	now := w.poll(1).Now
	first := adopt("one 1")
	if d := first.Since.Sub(now); d < 0 || d > time.Second || first.Epoch != 1 || !first.Told.Equal(first.Since) {
		w.Errorf("new: got %+v, want epoch 1 since %s", first, now)
	}
	time.Sleep(20 * time.Millisecond)
	w.same("the same", adopt("one 1"), first)
	first.Told = first.Since.Add(time.Millisecond)
	w.record(scheduler.Entry{Row: scheduler.Row{Job: "j"}, Upto: first.Told})
	w.same("the same", adopt("one 1"), first)
	second := adopt("two")
	if !second.Since.After(first.Since) || second.Epoch != 2 || !second.Told.Equal(second.Since) {
		w.Errorf("changed: got %+v after %+v", second, first)
	}
	w.same("watermark", w.told("j"), second.Since)
	w.same("the same", adopt("two"), second)
	time.Sleep(5 * time.Millisecond)
	third := adopt("one 1")
	if !third.Since.After(second.Since) || third.Epoch != 3 {
		w.Errorf("changed back: got %+v after %+v", third, second)
	}
	ahead := third.Since.Add(time.Hour)
	w.record(scheduler.Entry{Row: scheduler.Row{Job: "j"}, Upto: ahead})
	w.same("watermark ahead", adopt("four").Told, ahead)
	w.same("streak", w.record(ended("j", 5, scheduler.Failed)).Streak, 1)
	if _, err := w.Adopt(w.ctx, []scheduler.Definition{{Job: "j", Def: strings.Repeat("d", 101)}}); err == nil {
		w.Error("Adopt accepted 101 bytes")
	}
}

func cutTexts(w *world) {
	e := ended("j", 1, scheduler.Failed)
	e.Row.Error, e.Row.Note = strings.Repeat("é", 200), "bad \xff byte"
	e.Row.Tries = make([]scheduler.Try, 12)
	e.Row.Tries[11].Error = strings.Repeat("x", 100)
	w.record(e)
	got := w.found(e.Row.ID)
	w.same("error", got.Error, strings.Repeat("é", 80))
	w.same("note", got.Note, "bad \uFFFD byte")
	w.same("tries", len(got.Tries), 10)
	w.same("last try", got.Tries[9].Error, strings.Repeat("x", 60))
}
