package scheduler

import (
	"time"

	"github.com/solocron/solocron/election"
)

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

// A plan is what to ask for on behalf of the due ticks of a job, and when.
type plan struct {
	mode  election.Mode // ForTick, or Forfeit when there is nothing to run
	tick  time.Time     // what to claim: the decision on it covers those before
	older []time.Time   // due before tick, oldest first
	more  bool          // there are still older ones, not listed
	ready time.Time     // when tick is released: not to be claimed before
}

// planFor applies the policy "latest": of the released ticks that can still
// start in time and are not excluded, only the last is run; if there is none, the
// last released one is forfeited. If none is released yet, the first is planned
// for its release. Ticks is not empty and oldest first.
func planFor(t timetable, ticks []time.Time, more bool, now time.Time, startingDeadline time.Duration) plan {
	released := len(ticks)
	for released > 1 && t.Release(ticks[released-1]).After(now) {
		released-- // releases are in the order of the ticks
	}
	for i := released - 1; i >= 0; i-- {
		ready := t.Release(ticks[i])
		if tooLate(ready, now, startingDeadline) {
			break
		}
		if _, excluded := t.Excluded(ticks[i]); !excluded {
			return plan{mode: election.ForTick, tick: ticks[i], older: ticks[:i], more: more, ready: ready}
		}
	}
	last := released - 1
	return plan{mode: election.Forfeit, tick: ticks[last], older: ticks[:last], more: more, ready: t.Release(ticks[last])}
}

// tooLate reports whether a tick that was released may no longer start.
func tooLate(released, now time.Time, startingDeadline time.Duration) bool {
	return now.Sub(released) > startingDeadline
}

// fate is the verdict on a tick that is not run: it was excluded, came too late,
// or was passed over for a later one. Unheard says that the store was silent
// while it could have started.
func fate(t timetable, tick, now time.Time, startingDeadline time.Duration, unheard bool) (Verdict, Reason) {
	_, excluded := t.Excluded(tick)
	switch {
	case excluded:
		return Skipped, ReasonExcluded
	case !tooLate(t.Release(tick), now, startingDeadline):
		return Skipped, ReasonSuperseded
	case unheard:
		return Missed, ReasonStore
	}
	return Missed, ReasonDeadline
}

// resume returns where the cursor of a job starts, given what the ledger says:
// at the last decided tick, so that ticks that came due while no replica ran are
// seen; at now for a job, or a schedule, that is new.
func resume(r election.Record, def string, now time.Time) time.Time {
	if r.Decided.IsZero() || r.Def != def || r.Decided.After(now) {
		return now
	}
	return r.Decided
}
