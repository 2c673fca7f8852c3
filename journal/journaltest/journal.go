package journaltest

import (
	"context"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

// RunJournal runs the suite for journals. Open makes an empty one, which the
// suite has for itself. In a bubble time is fake.
func RunJournal(t *testing.T, bubble bool, open func(t *testing.T) journal.Journal) {
	t.Helper()
	for _, checks := range []map[string]func(*world){requestChecks, archiveChecks, historyChecks, peopleChecks} {
		for name, check := range checks {
			t.Run(name, func(t *testing.T) {
				run := func(t *testing.T) { check(&world{T: t, Journal: open(t), ctx: t.Context(), bubble: bubble}) }
				if bubble {
					synctest.Test(t, run)
					return
				}
				t.Parallel()
				run(t)
			})
		}
	}
}

// world is where a check runs.
type world struct {
	*testing.T
	journal.Journal

	ctx    context.Context
	bubble bool
}

// day is when the ticks of the suite begin, long ago, also in a bubble.
var day = time.Date(1999, 3, 1, 2, 0, 0, 0, time.UTC)

// tickAt is the nth tick of a job that runs every minute.
func tickAt(n int) time.Time { return day.Add(time.Duration(n) * time.Minute) }

// keep is the bound of histories in most checks.
var keep = jobs.History{Succeeded: 3, Failed: 2, MaxAge: 100 * 365 * 24 * time.Hour}

// row is that of the nth tick of job as it runs.
func row(job string, n int) scheduler.Row {
	return scheduler.Row{
		ID: scheduler.Tick{Job: job, At: tickAt(n)}.ID(), Job: job, Tick: tickAt(n), Cause: scheduler.BySchedule, State: scheduler.RunRunning,
		Attempt: 1, Replica: "scheduler-7c9d8b5f4-x2x9k-a1b2c3", Token: 1_772_330_400_123_456, Delay: 12*time.Millisecond + 345*time.Microsecond,
		Started: tickAt(n).Add(12 * time.Millisecond),
	}
}

// over is r when it has ended.
func over(r scheduler.Row, v scheduler.Verdict) scheduler.Row {
	r.State, r.Verdict, r.Ended = scheduler.RunEnded, v, r.Started.Add(3*time.Second)
	return r
}

// ended is the entry of the nth tick of job with its verdict.
func ended(job string, n int, v scheduler.Verdict) scheduler.Entry {
	return scheduler.Entry{Row: over(row(job, n), v), Keep: keep}
}

func begun(r scheduler.Row) scheduler.Entry { return scheduler.Entry{Row: r, Keep: keep} }

// record records entries, each after the other, and returns the last answer.
func (w *world) record(entries ...scheduler.Entry) scheduler.Recorded {
	w.Helper()
	var last scheduler.Recorded
	for _, e := range entries {
		got, err := w.Record(w.ctx, []scheduler.Entry{e})
		if err != nil || len(got) != 1 {
			w.Fatalf("Record of %q: got %v, error %v", e.Row.ID, got, err)
		}
		last = got[0]
	}
	return last
}

func (w *world) past(job string, q scheduler.Query) []scheduler.Row {
	w.Helper()
	rows, err := w.Past(w.ctx, job, q)
	w.must(err)
	return rows
}

// ids are the IDs of rows.
func ids(rows []scheduler.Row) []string {
	out := []string{}
	for _, r := range rows {
		out = append(out, r.ID)
	}
	return out
}

// runs are the IDs of ticks of job.
func runs(job string, ticks ...int) []string {
	out := []string{}
	for _, n := range ticks {
		out = append(out, row(job, n).ID)
	}
	return out
}

func (w *world) opened() []string {
	w.Helper()
	rows, err := w.Open(w.ctx)
	w.must(err)
	return ids(rows)
}

func (w *world) found(run string) scheduler.Row {
	w.Helper()
	r, ok, err := w.Find(w.ctx, run)
	if err != nil || !ok {
		w.Fatalf("Find of %q: got %v, error %v", run, ok, err)
	}
	return r
}

func (w *world) told(job string) time.Time {
	w.Helper()
	got, err := w.Told(w.ctx, []string{job})
	if err != nil || len(got) != 1 {
		w.Fatalf("Told: got %v, error %v", got, err)
	}
	return got[0]
}

func (w *world) poll(limit int) scheduler.Inbox {
	w.Helper()
	in, err := w.Poll(w.ctx, limit)
	w.must(err)
	return in
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// same compares two values; lists are the same when both are empty.
func (w *world) same(what string, got, want any) {
	w.Helper()
	g, v := reflect.ValueOf(got), reflect.ValueOf(want)
	if g.Kind() == reflect.Slice && v.Kind() == reflect.Slice && g.Len() == 0 && v.Len() == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		w.Errorf("%s:\n got %+v,\nwant %+v", what, got, want)
	}
}

// soon polls until ok holds: on real time a check waits no longer than needed.
func (w *world) soon(what string, ok func() bool) {
	w.Helper()
	for end := time.Now().Add(Bound); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.Fatalf("not within %s: %s", Bound, what)
		}
	}
}
