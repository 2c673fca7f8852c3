package journal_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/journal"
)

func TestWhileTheStoreIsAwayOutputWaitsAndNobodyIsBlocked(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		run := runOf(1, 1)
		w.print(run, "first")
		time.Sleep(time.Second)
		w.fail(errors.New("store is away"), false)
		calls := w.called()
		w.print(run, "second")
		time.Sleep(time.Minute)
		w.print(run, "third")
		if n := w.called() - calls; n < 10 || n > 30 {
			t.Errorf("%d tries in a minute, want some 20", n)
		}
		w.fail(nil, false)
		time.Sleep(6 * time.Second)
		w.wants(run, "first\nsecond\nthird\n", false)
		if w.Lost() != 0 {
			t.Errorf("%d bytes are lost", w.Lost())
		}
	})
}

func TestAnswersThatGetLostDoNotDoubleOrLoseLines(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		run := runOf(1, 1)
		var want strings.Builder
		for i := range 200 {
			w.fail(map[bool]error{true: errors.New("no answer")}[i%3 != 0], i%2 == 0)
			line := fmt.Sprintf("line %d %s", i, strings.Repeat("x", i*7))
			w.print(run, line)
			want.WriteString(line + "\n")
			time.Sleep(150 * time.Millisecond)
		}
		w.fail(nil, false)
		w.end(run)
		time.Sleep(10 * time.Second)
		w.wants(run, want.String(), true)
	})
}

func TestTheNextAttemptComesBehindTheOneBefore(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		first, second := runOf(1, 1), runOf(1, 2)
		w.fail(errors.New("store is away"), false)
		w.print(first, "one")
		w.end(first)
		w.print(second, "two")
		time.Sleep(time.Minute)
		w.fail(nil, false)
		time.Sleep(6 * time.Second)
		w.wants(first, "one\ntwo\n", false)
		w.print(first, "an echo of the first attempt")
		w.end(first)
		w.end(second)
		time.Sleep(time.Second)
		w.wants(first, "one\ntwo\n", true)
	})
}

func TestTheNextAttemptWaitsForTheOneBeforeAmongManyRuns(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		first, second := runOf(1, 1), runOf(1, 2)
		w.fail(errors.New("store is away"), false)
		w.print(first, "one")
		w.end(first)
		for i := range 300 {
			w.print(runOf(10+i, 1), "x")
		}
		w.print(second, "two")
		time.Sleep(time.Second)
		w.fail(nil, false)
		time.Sleep(6 * time.Second)
		w.wants(first, "one\ntwo\n", false)
	})
}

func TestWhatIsBeingWrittenDoesNotGiveWay(t *testing.T) {
	t.Parallel()
	for _, err := range []error{nil, errors.New("no answer")} {
		within(t, 100_000, func(w *world) {
			run := runOf(1, 1)
			line := func(i int) string { return fmt.Sprintf("%07d%s", i, strings.Repeat("x", 92)) }
			for i := range 500 { // the head and half the room
				w.print(run, line(i))
			}
			w.meanwhile <- func() {
				for i := 500; i < 10_000; i++ {
					w.print(run, line(i))
				}
				w.fail(err, true)
			}
			time.Sleep(time.Second)
			w.fail(nil, false)
			w.end(run)
			time.Sleep(10 * time.Second)
			got, done := w.text(run)
			before, after, _ := strings.Cut(got, "<")
			number, after, _ := strings.Cut(after, ">")
			for i, l := range strings.Split(strings.TrimSuffix(before, "\n"), "\n") {
				if want := line(i); l != want && l != want[:len(l)] {
					t.Fatalf("line %d is %q", i, l)
				}
			}
			if want := 1_000_000 - len(before) - len(after); number != fmt.Sprint(want) || !done || !strings.HasSuffix(after, line(9999)+"\n") {
				t.Errorf("a gap of %s, done %v, end %q; want a gap of %d", number, done, after[max(0, len(after)-50):], want)
			}
		})
	}
}

func TestWhatIsPrintedAfterTheEndIsKeptAndForgotten(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		run := runOf(1, 1)
		w.print(run, "one")
		w.end(run)
		synctest.Wait()
		w.print(run, "late")
		time.Sleep(time.Second)
		w.wants(run, "one\nlate\n", false)
		time.Sleep(26 * time.Hour)
		if w.Held() != 0 {
			t.Errorf("%d bytes are held for a run that has ended", w.Held())
		}
	})
}

func TestTheEndOfRunWritesWhatIsLeft(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		for i := range 500 {
			w.print(runOf(i, 1), strings.Repeat("x", 100_000), "end")
		}
		w.stop()
		for i := range 500 {
			if got, _ := w.text(runOf(i, 1)); !strings.HasSuffix(got, "end\n") {
				t.Fatalf("run %d ends with %q", i, got[max(0, len(got)-20):])
			}
		}
		w.print(runOf(1, 1), "later")
		if w.Held() != 0 {
			t.Error("an Output that has ended holds output")
		}
	})
}

func TestTheEndOfRunWaitsFiveSecondsForADeadStore(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		w.fail(errors.New("store is away"), false)
		w.print(runOf(1, 1), "x")
		begin := time.Now()
		w.stop()
		if took := time.Since(begin); took < 5*time.Second || took > 6*time.Second {
			t.Errorf("took %s, want 5s", took)
		}
		if w.Lost() != 2 {
			t.Errorf("lost %d bytes, want 2", w.Lost())
		}
	})
}

func TestMemoryOfAllRunsIsBoundedAndTheLargestGiveWay(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		w.fail(errors.New("store is away"), false)
		small := runOf(1000, 1)
		w.print(small, slices.Repeat([]string{strings.Repeat("s", 99)}, 200)...)
		for i := range 100 {
			for range 20 {
				w.print(runOf(i, 1), slices.Repeat([]string{strings.Repeat("x", 999)}, 50)...)
			}
			if held := w.Held(); held > journal.DefaultMemory {
				t.Fatalf("%d bytes are held, at most %d are allowed", held, journal.DefaultMemory)
			}
		}
		w.fail(nil, false)
		w.end(small)
		time.Sleep(10 * time.Second)
		if got, _ := w.text(small); got != strings.Repeat(strings.Repeat("s", 99)+"\n", 200) {
			t.Error("the small run has lost something")
		}
		for i := range 100 {
			got, _ := w.text(runOf(i, 1))
			if len(got) < 400_000 {
				t.Fatalf("of run %d only %d bytes are kept", i, len(got))
			}
		}
	})
}

func TestHeadsBeyondTheMemoryAreRefusedAndOutputGoesOnLater(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		w.fail(errors.New("store is away"), false)
		for i := range 20_000 {
			w.print(runOf(i, 1), strings.Repeat("x", 4090))
		}
		if held := w.Held(); held > journal.DefaultMemory+32<<10 {
			t.Errorf("%d bytes are held", held)
		}
		w.fail(nil, false)
		time.Sleep(10 * time.Second)
		w.print(runOf(30_000, 1), "fine")
		time.Sleep(time.Second)
		w.wants(runOf(30_000, 1), "fine\n", false)
	})
}

func TestOutputThatCannotBeWrittenIsGivenUpInTheEnd(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		w.fail(errors.New("store is away"), false)
		w.print(runOf(1, 1), "x")
		w.end(runOf(1, 1))
		time.Sleep(9 * time.Minute)
		if w.Held() == 0 {
			t.Error("given up after 9 minutes")
		}
		time.Sleep(2 * time.Minute)
		if w.Held() != 0 {
			t.Error("still held after 11 minutes")
		}
	})
}
