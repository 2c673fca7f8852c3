package journaltest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

var peopleChecks = map[string]func(*world){
	"DeadLettersAreListedUntilAcknowledged": deadLetters,
	"TheOldestDeadLettersGoFirst":           deadLettersBounded,
	"DeedsAreListedNewestFirst":             deeds,
	"TheOldestDeedsGoFirst":                 deedsBounded,
	"ACheckpointKeepsTheHighestToken":       checkpoints,
	"JobsDoNotShareCheckpoints":             ownCheckpoints,
}

func dead(job string, n int) scheduler.Entry {
	e := ended(job, n, scheduler.Failed)
	e.Dead = true
	return e
}

func (w *world) letters(limit int) []string {
	w.Helper()
	rows, err := w.DeadLetters(w.ctx, limit)
	w.must(err)
	return ids(rows)
}

func (w *world) acknowledge(run string) bool {
	w.Helper()
	ok, err := w.Acknowledge(w.ctx, run, "anna")
	w.must(err)
	return ok
}

func deadLetters(w *world) {
	a, b, c := dead("a", 1), dead("b", 3), dead("c", 2)
	w.record(a, b, c, ended("d", 4, scheduler.Failed))
	w.same("dead", w.letters(0), []string{b.Row.ID, c.Row.ID, a.Row.ID})
	w.same("two", w.letters(2), []string{b.Row.ID, c.Row.ID})
	w.same("acknowledged", w.acknowledge(c.Row.ID), true)
	w.same("again", w.acknowledge(c.Row.ID), false)
	w.same("no letter", w.acknowledge(ended("d", 4, scheduler.Failed).Row.ID), false)
	w.same("no run", w.acknowledge("x"), false)
	w.same("dead", w.letters(0), []string{b.Row.ID, a.Row.ID})
	w.same("marked", []bool{w.found(c.Row.ID).Acked, w.found(b.Row.ID).Acked}, []bool{true, false})
	w.same("recorded again", w.record(c), scheduler.Recorded{Streak: 1})
	w.same("dead", w.letters(0), []string{b.Row.ID, a.Row.ID})
	said, err := w.Deeds(w.ctx, 0)
	w.must(err)
	if len(said) != 1 || said[0].Who != "anna" || said[0].What != journal.Acknowledged || said[0].Run != c.Row.ID || said[0].Job != "c" {
		w.Errorf("deeds: got %+v, want one acknowledgement by anna", said)
	}
	later := dead("b", 4)
	w.record(later)
	w.same("acknowledged", w.acknowledge(later.Row.ID), true)
	w.same("the one before it", w.letters(1), []string{b.Row.ID})
	for n := range 9 { // history drops the row, the list does not
		w.record(ended("a", n+2, scheduler.Failed))
	}
	w.same("dead", w.letters(0), []string{b.Row.ID, a.Row.ID})
	w.same("found", w.found(a.Row.ID), a.Row)
	w.same("recorded again", w.record(a), scheduler.Recorded{Streak: 10})
	w.same("acknowledged", w.acknowledge(a.Row.ID), true)
}

func deadLettersBounded(w *world) {
	const extra = 5
	var entries []scheduler.Entry
	for n := range journal.MaxLetters + extra {
		entries = append(entries, dead("j", n))
	}
	if _, err := w.Record(w.ctx, entries); err != nil {
		w.Fatal(err)
	}
	got := w.letters(0)
	if len(got) != journal.MaxLetters || got[0] != row("j", journal.MaxLetters+extra-1).ID || got[len(got)-1] != row("j", extra).ID {
		w.Errorf("got %d letters from %q to %q", len(got), got[0], got[len(got)-1])
	}
	w.same("the oldest", w.acknowledge(row("j", extra-1).ID), false)
}

func deeds(w *world) {
	first := journal.Deed{At: tickAt(1), Who: "anna", What: "trigger", Job: "j", Run: "r", Note: "<because>", From: "10.0.0.1"}
	second := journal.Deed{At: tickAt(0), Who: "bob", What: "pause"}
	w.must(w.Audit(w.ctx, first))
	w.must(w.Audit(w.ctx, second))
	got, err := w.Deeds(w.ctx, 0)
	w.must(err)
	w.same("deeds", got, []journal.Deed{second, first})
	got, err = w.Deeds(w.ctx, 1)
	w.must(err)
	w.same("one", got, []journal.Deed{second})
	w.must(w.Audit(w.ctx, journal.Deed{Note: strings.Repeat("ü", 300), Who: strings.Repeat("x", 201)}))
	got, err = w.Deeds(w.ctx, 1)
	w.must(err)
	w.same("cut", []string{got[0].Note, got[0].Who}, []string{strings.Repeat("ü", 250), strings.Repeat("x", 200)})
	if d := time.Since(got[0].At); d < -time.Second || d > Bound {
		w.Errorf("a deed without a moment is noted at %s", got[0].At)
	}
}

func deedsBounded(w *world) {
	const extra = 3
	for n := range journal.MaxDeeds + extra {
		w.must(w.Audit(w.ctx, journal.Deed{At: day, What: fmt.Sprint(n)}))
	}
	got, err := w.Deeds(w.ctx, 0)
	w.must(err)
	if len(got) != journal.MaxDeeds || got[0].What != fmt.Sprint(journal.MaxDeeds+extra-1) || got[len(got)-1].What != fmt.Sprint(extra) {
		w.Errorf("got %d deeds from %q to %q", len(got), got[0].What, got[len(got)-1].What)
	}
}

func checkpoints(w *world) {
	const token = 1<<62 + 1
	expect := func(what string, data []byte, token int64) {
		w.Helper()
		got, is, err := w.Checkpoint(w.ctx, "j")
		w.must(err)
		if !bytes.Equal(got, data) || is != token {
			w.Errorf("%s: got %.50q under %d, want %.50q under %d", what, got, is, data, token)
		}
	}
	expect("nothing", nil, 0)
	w.must(w.SaveCheckpoint(w.ctx, "j", token, []byte("one\x00\xff")))
	expect("first", []byte("one\x00\xff"), token)
	for _, old := range []int64{token - 1, 1 << 40, 0} {
		if err := w.SaveCheckpoint(w.ctx, "j", old, []byte("old")); !errors.Is(err, journal.ErrOldToken) {
			w.Errorf("token %d: got %v, want %v", old, err, journal.ErrOldToken)
		}
	}
	expect("after old ones", []byte("one\x00\xff"), token)
	w.must(w.SaveCheckpoint(w.ctx, "j", token, []byte("two")))
	expect("the same token", []byte("two"), token)
	large := bytes.Repeat([]byte{7}, journal.MaxCheckpoint)
	w.must(w.SaveCheckpoint(w.ctx, "j", token+1, large))
	expect("large", large, token+1)
	if err := w.SaveCheckpoint(w.ctx, "j", token+2, append(large, 7)); err == nil {
		w.Error("a checkpoint that is too large was saved")
	}
	expect("after too much", large, token+1)
}

func ownCheckpoints(w *world) {
	w.must(w.SaveCheckpoint(w.ctx, "a", 9, []byte("a")))
	w.must(w.SaveCheckpoint(w.ctx, "b", 1, nil))
	for job, want := range map[string]int64{"a": 9, "b": 1} {
		_, token, err := w.Checkpoint(w.ctx, job)
		w.must(err)
		w.same(job, token, want)
	}
}
