package matrix_test

import (
	"testing"
	"time"
)

// The judge is judged, too: a tick that ran twice is a server's fault only if the
// server that took over knew nothing of a start that had been acknowledged.
func TestABookTellsWhatAServerForgotFromOurFaults(t *testing.T) {
	t.Parallel()
	tick := time.Now().Truncate(time.Second)
	struck := tick.Add(500 * time.Millisecond)
	early, late := struck.Add(-time.Millisecond), struck.Add(time.Millisecond)
	for name, c := range map[string]struct {
		acked, granted, decided time.Time
		forgotten               bool
	}{
		"the start was forgotten":             {early, late, tick.Add(-time.Second), true},
		"the start was known":                 {early, late, tick, false},
		"nobody had been struck by then":      {early, early, tick.Add(-time.Second), false},
		"the start came after that":           {late, late, tick.Add(-time.Second), false},
		"a later start than this was known":   {early, late, tick.Add(time.Second), false},
		"nothing was known, and nobody hit":   {early, early, time.Time{}, false},
		"nothing was known by who took over":  {early, late, time.Time{}, true},
		"the first start is by who took over": {late, late, time.Time{}, false},
	} {
		b := newBook()
		b.changes = []time.Time{struck}
		first := start{name: runName("key", tick), by: "r0", token: 1, tick: tick, acked: c.acked}
		b.enter("key", first)
		b.leave("key", first, "done")
		again := first
		again.by, again.token, again.granted, again.decided, again.acked = "r1", 2, c.granted, c.decided, c.granted
		b.enter("key", again)
		faults, forgotten, _ := b.verdict()
		if len(faults)+len(forgotten) != 1 || (len(forgotten) == 1) != c.forgotten {
			t.Errorf("%s: got faults %q and forgotten %q, want one, forgotten: %v", name, faults, forgotten, c.forgotten)
		}
	}
}

func TestABookNoticesOverlapsOldTokensAndLostTicks(t *testing.T) {
	t.Parallel()
	tick := time.Now().Truncate(time.Second)
	b := newBook()
	b.enter("key", start{name: runName("key", tick), by: "r0", token: 2, tick: tick})
	next := tick.Add(2 * time.Second)
	b.enter("key", start{name: runName("key", next), by: "r1", token: 1, tick: next})
	if faults, _, _ := b.verdict(); len(faults) != 2 {
		t.Errorf("got faults %q, want an overlap and an old token", faults)
	}
	want := runName("key", tick.Add(time.Second))
	if got := b.missing("key", tick, next); len(got) != 1 || got[0] != want {
		t.Errorf("got %q missing, want %q", got, want)
	}
	b.found("key", tick.Add(time.Second))
	if got := b.missing("key", tick, next); len(got) != 0 {
		t.Errorf("got %q missing, want none: it was found without a holder", got)
	}
}
