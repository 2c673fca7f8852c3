package telemetry

import (
	"slices"
	"sync"
	"time"
)

// clockReadings is how many readings of the store's clock are kept: the median of
// so many is not moved by four that were delayed in one direction.
const clockReadings = 9

// readings are the last readings of the store's clock.
type readings struct {
	mu   sync.Mutex
	list [clockReadings]time.Duration
	next int // place of the next one in list
	n    int // in list
}

// note takes how far the store's clock was found ahead, by a question that took
// so long. Half of that is not known: the answer may have been made at its
// beginning or its end. What is kept is what remains of the difference for sure.
func (r *readings) note(ahead, took time.Duration) {
	sure := max(ahead.Abs()-took/2, 0)
	if ahead < 0 {
		sure = -sure
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list[r.next] = sure
	r.next = (r.next + 1) % clockReadings
	r.n = min(r.n+1, clockReadings)
}

// median is the middle of what is kept; false if there is nothing.
func (r *readings) median() (time.Duration, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == 0 {
		return 0, false
	}
	sorted := slices.Clone(r.list[:r.n])
	slices.Sort(sorted)
	return sorted[r.n/2], true
}

// ClockError is what the store's clock is ahead of this machine's for sure: the
// median of the last readings, each less half the time it took. False: there has
// been none.
func (m *Metrics) ClockError() (time.Duration, bool) { return m.store.readings.median() }

// NoteClock takes a reading of the store's clock that was asked for at asked and
// has arrived just now. What passes through WrapStore is noted by itself.
func (m *Metrics) NoteClock(asked, store time.Time) { m.store.clock(asked, store) }
