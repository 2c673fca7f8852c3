package election

import (
	"testing"
	"time"
)

// TestBootClockCountsASuspendAtOnce has the machine sleep between two readings,
// soon after the system was asked. A time.Time cannot be made with a monotonic
// reading of one's own, so the rule is tried on an anchor that is moved instead.
func TestBootClockCountsASuspendAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wall, slept time.Duration // by how much both were different when the anchor was made
		ask         bool
	}{
		"nothing":                  {0, 0, false},
		"a suspend":                {-2 * time.Second, -2 * time.Second, true},
		"a suspend of 2ms":         {-2 * time.Millisecond, -2 * time.Millisecond, true},
		"a wall clock that is set": {time.Hour, 0, true},
	} {
		asked := 0
		b := &bootClock{base: time.Now(), fallback: Monotonic(), ask: func() (time.Duration, bool) {
			asked++
			return askBoottime()
		}}
		for b.last.Load() == nil { // a process that is held up has to try again
			b.read(time.Now())
		}
		a := *b.last.Load()
		a.wall += c.wall
		a.slept += c.slept
		b.last.Store(&a)
		asked = 0
		before, _ := askBoottime()
		got := b.read(time.Now())
		after, _ := askBoottime()
		if got < before-anchorSlip || got > after+anchorSlip {
			t.Errorf("after %s: it reads %s, want %s to %s", name, got, before, after)
		}
		if c.ask && asked == 0 {
			t.Errorf("after %s: the system was not asked", name)
		}
	}
}

func TestBootClockAsksTheSystemSeldomAndNeverStepsBack(t *testing.T) {
	t.Parallel()
	asked := 0
	b := &bootClock{base: time.Now(), fallback: Monotonic(), ask: func() (time.Duration, bool) {
		asked++
		return askBoottime()
	}}
	for b.last.Load() == nil { // a process that is held up has to try again
		b.read(time.Now())
	}
	last := b.read(time.Now())
	asked = 0
	const readings = 200_000
	for n := range readings {
		got := b.read(time.Now())
		if got < last {
			t.Fatalf("reading %d: it went from %s to %s", n, last, got)
		}
		last = got
	}
	if asked > readings/100 {
		t.Errorf("%d readings asked the system %d times", readings, asked)
	}
}

func TestBootClockFallsBack(t *testing.T) {
	t.Parallel()
	b := &bootClock{
		base: time.Now(), fallback: func() time.Duration { return 42 },
		ask: func() (time.Duration, bool) { return 0, false },
	}
	if got := b.read(time.Now()); got != 42 {
		t.Errorf("without CLOCK_BOOTTIME it reads %s, want what the other clock says", got)
	}
}
