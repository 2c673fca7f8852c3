package journal_test

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func tickAt(minute int) scheduler.Tick {
	return scheduler.Tick{Job: "job", At: noon.Add(time.Duration(minute) * time.Minute)}
}

func TestOnlyWhatTellsOfATickIsRemembered(t *testing.T) {
	t.Parallel()
	s := journal.NewSightings(0)
	for _, phase := range []scheduler.Phase{scheduler.Output, scheduler.Noted, "later"} {
		s.Observe(scheduler.Event{Phase: phase, Tick: tickAt(0)})
	}
	if got := s.Seen("job", noon); got != nil {
		t.Errorf("got %v, want nothing", got)
	}
}

func TestWaitingInARowIsCountedInOneFact(t *testing.T) {
	t.Parallel()
	s := journal.NewSightings(3)
	for i := range 100 {
		at := noon.Add(time.Duration(i) * time.Second)
		s.Observe(scheduler.Event{Phase: scheduler.Waiting, At: at, Tick: tickAt(0), Err: fmt.Errorf("try %d", i)})
		s.Observe(scheduler.Event{Phase: scheduler.Waiting, At: at, Tick: tickAt(1), By: "b"})
	}
	s.Observe(scheduler.Event{Phase: scheduler.Started, At: noon.Add(time.Hour), Tick: tickAt(0), Delay: time.Second})
	want := []journal.Sighting{
		{Phase: scheduler.Waiting, At: noon, Last: noon.Add(99 * time.Second), Count: 100, Note: "try 99"},
		{Phase: scheduler.Started, At: noon.Add(time.Hour), Last: noon.Add(time.Hour), Count: 1, Delay: time.Second},
	}
	if got := s.Seen("job", noon); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTheOldestSightingsGiveWay(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 2, 7} {
		s := journal.NewSightings(size)
		for i := range 100 {
			s.Observe(scheduler.Event{Phase: scheduler.Yielded, At: noon, Tick: tickAt(i)})
		}
		for i := range 100 {
			if got, want := len(s.Seen("job", tickAt(i).At)) == 1, i >= 100-size; got != want {
				t.Errorf("of %d: tick %d is remembered: %v, want %v", size, i, got, want)
			}
		}
	}
}

func TestOneTickAloneFillsTheMemoryAndEndsThere(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 5, 200} {
		s := journal.NewSightings(size)
		for i := range 1000 {
			s.Observe(scheduler.Event{Phase: scheduler.Yielded, At: noon.Add(time.Duration(i) * time.Second), Tick: tickAt(0)})
		}
		got := s.Seen("job", noon)
		if want := min(size, journal.MaxSeen); len(got) != want {
			t.Fatalf("%d sightings, want %d", len(got), want)
		}
		for i, g := range got {
			if want := noon.Add(time.Duration(1000-len(got)+i) * time.Second); !g.At.Equal(want) {
				t.Errorf("sighting %d is of %v, want %v", i, g.At, want)
			}
		}
	}
}

func TestTextsAreCutOnARuneAndPutOnOneLine(t *testing.T) {
	t.Parallel()
	s := journal.NewSightings(0)
	s.Observe(scheduler.Event{
		Phase: scheduler.Ended, Tick: tickAt(0), By: strings.Repeat("é", 200),
		Err: errors.New("a" + strings.Repeat("é", 200)), Note: "the error counts",
	})
	s.Observe(scheduler.Event{Phase: scheduler.Ended, Tick: tickAt(1), Err: errors.New("panic: x\nstack\xff")})
	got := s.Seen("job", noon)[0]
	if got.By != strings.Repeat("é", 60) || got.Note != "a"+strings.Repeat("é", 59) {
		t.Errorf("got %q and %q", got.By, got.Note)
	}
	if got := s.Seen("job", tickAt(1).At)[0].Note; got != "panic: x stack\uFFFD" {
		t.Errorf("got %q", got)
	}
}

// TestMemoryOfSightingsIsFixed lets some days of ticks pass, each with an error
// of some length.
func TestMemoryOfSightingsIsFixed(t *testing.T) {
	s := journal.NewSightings(0)
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	see := func(from, to int) {
		for i := from; i < to; i++ {
			err := fmt.Errorf("%d%s", i, strings.Repeat("x", 5000))
			s.Observe(scheduler.Event{Phase: scheduler.Yielded, At: noon, Tick: tickAt(i), By: "scheduler-7c9d8b5f4-x2x9k-a1b2c3", Err: err})
		}
	}
	start := heap()
	see(0, 25_000)
	full := heap()
	if full-start > 16<<20 {
		t.Errorf("20,000 sightings take %d bytes", full-start)
	}
	see(25_000, 150_000)
	if grown := heap() - full; grown > 2<<20 {
		t.Errorf("the heap grew by %d bytes after the memory was full", grown)
	}
	if len(s.Seen("job", tickAt(149_999).At)) != 1 {
		t.Error("the last tick is not remembered")
	}
}
