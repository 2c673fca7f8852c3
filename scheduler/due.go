package scheduler

import "time"

// maxListed bounds how many due ticks of one job are listed one by one; the
// older ones share a verdict and are not counted further.
const maxListed = 1000

// A timetable says when ticks are, from when on each may run, and which are left
// out. *schedule.Schedule is one.
type timetable interface {
	Next(after time.Time) time.Time  // zero: never again
	Prev(before time.Time) time.Time // zero: never before
	String() string                  // equal texts, equal moments
	Release(tick time.Time) time.Time
	Excluded(tick time.Time) (calendar string, ok bool)
}

// never is the timetable of a job that runs on request only.
type never struct{}

func (never) Next(time.Time) time.Time          { return time.Time{} }
func (never) Prev(time.Time) time.Time          { return time.Time{} }
func (never) String() string                    { return "never" }
func (never) Release(tick time.Time) time.Time  { return tick }
func (never) Excluded(time.Time) (string, bool) { return "", false }

// due returns the ticks of t after cursor and not after now, oldest first, at
// most the last maxListed, and whether there are older ones. It is the same on
// every replica that has the same cursor and time.
func due(t timetable, cursor, now time.Time) (ticks []time.Time, more bool) {
	next := t.Next(cursor)
	if next.IsZero() || next.After(now) {
		return nil, false
	}
	for len(ticks) < maxListed {
		ticks = append(ticks, next)
		next = t.Next(next)
		if next.IsZero() || next.After(now) {
			return ticks, false
		}
	}
	return latest(t, cursor, now), true
}

// latest returns the last maxListed ticks of t after cursor and not after now,
// found from the end: after a long outage there may be millions.
func latest(t timetable, cursor, now time.Time) []time.Time {
	ticks := make([]time.Time, maxListed)
	at := now.Add(time.Nanosecond)
	for i := len(ticks) - 1; i >= 0; i-- {
		at = t.Prev(at)
		if at.IsZero() || !at.After(cursor) {
			return ticks[i+1:]
		}
		ticks[i] = at
	}
	return ticks
}

// tooLate reports whether a tick that was released may no longer start.
func tooLate(released, now time.Time, startingDeadline time.Duration) bool {
	return now.Sub(released) > startingDeadline
}
