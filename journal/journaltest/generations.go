package journaltest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// Generations is a journal with generations.
type Generations interface {
	journal.Journal
	scheduler.Generations
}

// RunGenerations runs the suite for scheduler.Generations, with time in a bubble: how
// long an enrolment counts is part of it. Open makes an empty journal.
func RunGenerations(t *testing.T, open func(t *testing.T) Generations) {
	t.Helper()
	for name, check := range map[string]func(*era){
		"WhatIsSeenFirstIsTheNewest":                        firstSeen,
		"WhatComesBackIsOldWhileSomebodyHasTheNewer":        comesBack,
		"AConfigurationWhosePodDiedIsNotTheNewestForLong":   podDied,
		"AHigherNumberIsNewerWhoeverCameFirst":              numbered,
		"AGenerationIsAboveWhatTheLeasesKnow":               above,
		"AnOlderConfigurationAdoptsNothingThatDiffers":      olderAdopts,
		"WhatIsTheSameKeepsItsGeneration":                   sameAdopts,
		"AScheduleThatStaysIsInForceSinceItWasFirst":        sinceStays,
		"WhatIsForgottenIsNew":                              forgotten,
		"OnlySomeConfigurationsAreRemembered":               manyOrders,
		"WhatIsNoConfigurationIsRefused":                    badEnrolments,
		"ADefinitionWithoutAHashIsTakenOverByOneThatHasOne": withoutHash,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { check(&era{t, open(t), t.Context()}) })
		})
	}
}

// era is where a check runs.
type era struct {
	*testing.T
	Generations

	ctx context.Context
}

func (w *era) enrol(replica, revision string, number int64) scheduler.Enrolled {
	w.Helper()
	got, err := w.Enrol(w.ctx, scheduler.Enrolment{Replica: replica, Revision: revision, Number: number})
	if err != nil {
		w.Fatalf("Enrol of %s: %v", revision, err)
	}
	return got
}

// newest enrols, and reports a configuration that is not the newest.
func (w *era) newest(replica, revision string, number int64) int64 {
	w.Helper()
	g := w.enrol(replica, revision, number)
	if g.Generation != g.Newest {
		w.Errorf("%s of %s: got generation %d, want the newest, %d", revision, replica, g.Generation, g.Newest)
	}
	return g.Generation
}

// old enrols, and reports a configuration that is the newest.
func (w *era) old(replica, revision string, number int64) int64 {
	w.Helper()
	g := w.enrol(replica, revision, number)
	if g.Generation >= g.Newest || g.Generation < 1 {
		w.Errorf("%s of %s: got generation %d, want an older one than %d", revision, replica, g.Generation, g.Newest)
	}
	return g.Generation
}

func (w *era) adopt(def, hash string, generation int64) scheduler.Adopted {
	w.Helper()
	got, err := w.Adopt(w.ctx, []scheduler.Definition{{Job: "j", Def: def, Hash: hash, Generation: generation}})
	if err != nil || len(got) != 1 {
		w.Fatalf("Adopt of %s: got %v, error %v", hash, got, err)
	}
	return got[0]
}

func firstSeen(w *era) {
	first := w.newest("a", "one", 0)
	if now := time.Now().UnixMilli(); first < now-1000 || first > now+1000 {
		w.Errorf("generation %d, want the clock's %d: it must grow over a journal that lost its data", first, now)
	}
	if again := w.newest("b", "one", 0); again != first {
		w.Errorf("the same: got %d, want %d", again, first)
	}
	second := w.enrol("c", "two", 0)
	if second.Generation <= first || !slices.Equal(second.Others, []string{"one"}) {
		w.Errorf("another: got %+v, want one above %d, and that others have one", second, first)
	}
	if g := w.enrol("a", "one", 0); g.Generation != first || g.Newest != second.Generation || !slices.Equal(g.Others, []string{"one", "two"}) {
		w.Errorf("the first again: got %+v, want %d, and %d as the newest", g, first, second.Generation)
	}
}

func comesBack(w *era) {
	first := w.newest("a", "one", 0)
	second := w.newest("b", "two", 0)
	for range 10 {
		time.Sleep(5 * time.Second)
		w.newest("b", "two", 0)
		if got := w.old("a", "one", 0); got != first {
			w.Errorf("got %d, want %d", got, first)
		}
	}
	if got := w.newest("b", "one", 0); got <= second { // it was the last to have it
		w.Errorf("rolled back: got %d, want more than %d", got, second)
	}
}

func podDied(w *era) {
	first := w.newest("a", "one", 0)
	second := w.newest("b", "two", 0)
	time.Sleep(scheduler.EnrolLife - time.Second)
	if got := w.old("a", "one", 0); got != first {
		w.Errorf("while it counts: got %d, want %d", got, first)
	}
	time.Sleep(2 * time.Second)
	third := w.newest("a", "one", 0)
	if third <= second {
		w.Errorf("when it does not: got %d, want more than %d", third, second)
	}
	if got := w.newest("c", "one", 0); got != third {
		w.Errorf("another replica that has it: got %d, want %d", got, third)
	}
	w.old("b", "two", 0) // it is back, and the others have taken over
}

func numbered(w *era) {
	five := w.newest("a", "five", 5)
	if got := w.old("b", "four", 4); got >= five {
		w.Errorf("got %d for a lower number, want less than %d", got, five)
	}
	if got := w.old("c", "none", 0); got >= five {
		w.Errorf("got %d without a number, want less than %d", got, five)
	}
	time.Sleep(scheduler.EnrolLife + time.Second)
	w.newest("b", "four", 4)
	w.newest("a", "five", 5)
	w.old("b", "four", 4)
}

func above(w *era) {
	first := w.newest("a", "one", 0)
	g, err := w.Enrol(w.ctx, scheduler.Enrolment{Replica: "a", Revision: "one", Above: first + 1e9})
	if err != nil || g.Generation != first+1e9+1 || g.Newest != g.Generation {
		w.Errorf("got %+v, error %v, want %d", g, err, first+1e9+1)
	}
	if again := w.newest("a", "one", 0); again != g.Generation {
		w.Errorf("again: got %d, want %d", again, g.Generation)
	}
}

func olderAdopts(w *era) {
	w.adopt("daily", "A", 10)
	time.Sleep(time.Second)
	second := w.adopt("hourly", "B", 20)
	if second.Superseded || second.Epoch != 20 || !second.Told.Equal(second.Since) {
		w.Errorf("newer: got %+v, want it in force", second)
	}
	time.Sleep(time.Second)
	older := w.adopt("daily", "A", 10)
	if !older.Superseded || older.Epoch != 20 || !older.Since.Equal(second.Since) || !older.Told.Equal(second.Told) {
		w.Errorf("older: got %+v, want it superseded, and nothing changed", older)
	}
	if again := w.adopt("hourly", "B", 20); again != second {
		w.Errorf("newer again: got %+v, want %+v", again, second)
	}
	if equal := w.adopt("daily", "C", 20); equal.Superseded || equal.Epoch != 20 || !equal.Since.Equal(second.Since) {
		w.Errorf("another one of the same generation: got %+v, want neither superseded nor adopted", equal)
	}
	back := w.adopt("daily", "A", 30)
	if back.Superseded || back.Epoch != 30 || !back.Since.After(second.Since) {
		w.Errorf("raised: got %+v, want it in force from now on", back)
	}
}

func sameAdopts(w *era) {
	first := w.adopt("daily", "A", 10)
	time.Sleep(time.Second)
	for _, generation := range []int64{20, 10, 1} {
		if got := w.adopt("daily", "A", generation); got != first {
			w.Errorf("generation %d: got %+v, want %+v", generation, got, first)
		}
	}
}

func sinceStays(w *era) {
	first := w.adopt("daily", "A", 10)
	time.Sleep(time.Second)
	second := w.adopt("daily", "B", 20)
	if !second.Since.Equal(first.Since) || second.Epoch != 20 || !second.Told.Equal(first.Told) {
		w.Errorf("got %+v after %+v, want another epoch and nothing else", second, first)
	}
}

func forgotten(w *era) {
	first := w.adopt("daily", "A", 10)
	if err := w.SaveCheckpoint(w.ctx, "j", 1, []byte("so far")); err != nil {
		w.Fatal(err)
	}
	w.enrolled("j")
	time.Sleep(time.Second)
	if err := w.Forget(w.ctx, []string{"j", "unknown"}); err != nil {
		w.Fatal(err)
	}
	w.enrolled()
	if data, _, err := w.Checkpoint(w.ctx, "j"); err != nil || data != nil {
		w.Errorf("checkpoint: got %q, error %v, want none", data, err)
	}
	second := w.adopt("daily", "A", 10)
	if !second.Since.After(first.Since) || !second.Told.Equal(second.Since) {
		w.Errorf("got %+v after %+v, want it in force from now on", second, first)
	}
}

// enrolled reports definitions that are kept, if they are not these.
func (w *era) enrolled(want ...string) {
	w.Helper()
	got, err := w.Defined(w.ctx)
	if slices.Sort(got); err != nil || !slices.Equal(got, want) {
		w.Errorf("defined: got %q, error %v, want %q", got, err, want)
	}
}

func manyOrders(w *era) {
	first := w.newest("a", "first", 0)
	for i := range 100 {
		w.newest("b", "r"+strings.Repeat("x", i), 0)
	}
	if got := w.old("a", "first", 0); got != first {
		w.Errorf("what somebody has: got %d, want %d", got, first)
	}
	w.newest("b", "r", 0) // forgotten, so it is new
}

func badEnrolments(w *era) {
	good := scheduler.Enrolment{Replica: "a", Revision: "r"}
	for name, change := range map[string]func(*scheduler.Enrolment){
		"no replica":        func(e *scheduler.Enrolment) { e.Replica = "" },
		"a long replica":    func(e *scheduler.Enrolment) { e.Replica = strings.Repeat("x", 301) },
		"no revision":       func(e *scheduler.Enrolment) { e.Revision = "" },
		"a long revision":   func(e *scheduler.Enrolment) { e.Revision = strings.Repeat("x", 101) },
		"a negative number": func(e *scheduler.Enrolment) { e.Number = -1 },
		"a huge number":     func(e *scheduler.Enrolment) { e.Number = 1 << 53 },
		"a huge bound":      func(e *scheduler.Enrolment) { e.Above = 1 << 53 },
	} {
		e := good
		change(&e)
		if got, err := w.Enrol(w.ctx, e); err == nil {
			w.Errorf("%s: got %+v, want an error", name, got)
		}
	}
	for name, d := range map[string]scheduler.Definition{
		"a long hash":  {Job: "j", Hash: strings.Repeat("x", 101), Generation: 1},
		"a line break": {Job: "j", Def: "a\nb", Hash: "h", Generation: 1},
		"too high":     {Job: "j", Hash: "h", Generation: 1 << 53},
	} {
		if _, err := w.Adopt(w.ctx, []scheduler.Definition{d}); err == nil {
			w.Errorf("a definition with %s is taken", name)
		}
	}
}

func withoutHash(w *era) {
	first := w.adopt("daily", "", 0)
	time.Sleep(time.Second)
	taken := w.adopt("daily", "A", 10)
	if taken.Superseded || taken.Epoch != 10 || !taken.Since.Equal(first.Since) {
		w.Errorf("got %+v after %+v, want it adopted, and the schedule in force since it was", taken, first)
	}
	if older := w.adopt("daily", "B", 5); !older.Superseded {
		w.Errorf("got %+v, want it superseded", older)
	}
}
