package scheduler

import (
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

// A policy is what decides which of the due ticks of a job are run, and how.
type policy struct {
	deadline time.Duration // how late a tick may start
	overlap  jobs.Overlap
	queue    int // how many ticks may wait behind an older run
	catchup  jobs.CatchupPolicy
	max      int // how many late ticks are run one by one
	spacing  time.Duration
	down     jobs.StoreDown // what becomes of a tick when the store does not answer
	// awake is since when this replica has been looking at the clock: ticks that
	// were released before came due while it was not there.
	awake time.Time
}

// defaultCatchup is how many late ticks CatchupAll runs.
const defaultCatchup = 10

func policyOf(j jobs.Job) policy {
	p := policy{
		deadline: j.StartingDeadline, overlap: j.Overlap, queue: 1,
		catchup: j.Catchup.Policy, max: 1, spacing: j.Catchup.Spacing, down: j.OnStoreDown,
	}
	if j.Overlap == jobs.QueueOverlap {
		p.queue = max(1, j.QueueLimit)
	}
	if p.catchup == jobs.CatchupAll {
		p.max = j.Catchup.Max
		if p.max == 0 {
			p.max = defaultCatchup
		}
	}
	return p
}

// keeps is how many of the ticks that are due at once are run; the others give
// way to them.
func (p policy) keeps(l lets) int {
	if l.held {
		return max(p.queue, p.max)
	}
	return p.max
}

// A plan is what to ask for on behalf of the due ticks of a job, and when.
type plan struct {
	tick  time.Time     // what to claim: the decision on it covers those before
	older []time.Time   // due before tick, oldest first
	ready time.Time     // when tick is released: not to be claimed before
	mode  election.Mode // ForTick, or Forfeit when there is nothing to run
	more  bool          // there are still older ones than those in older
	late  bool          // it is caught up: it waits behind an older run, whatever the overlap policy
}

// lateAfter is how long after its release a tick that is still undecided counts
// as one that is caught up.
const lateAfter = 5 * time.Second

// planFor applies the policies to due ticks, which are oldest first and not none.
// Of the released ones that may run it keeps the last few, and plans the first of
// them. If there is none, the last released tick is forfeited, once that is
// surely right. If none is released yet, the first is planned for its release.
func planFor(t timetable, ticks []time.Time, more bool, now time.Time, p policy, l lets) plan {
	released := len(ticks)
	for released > 1 && t.Release(ticks[released-1]).After(now) {
		released-- // releases are in the order of the ticks
	}
	chosen, kept := -1, 0
	for i := released - 1; i >= 0 && kept < p.keeps(l); i-- {
		ready := t.Release(ticks[i])
		if tooLate(ready, now, p.deadline) || p.passes(ready) || p.gives(l, now, ready) {
			break
		}
		if _, excluded := t.Excluded(ticks[i]); !excluded {
			chosen = i
			kept++
		}
	}
	if chosen >= 0 {
		ready := t.Release(ticks[chosen])
		late := p.catchup == jobs.CatchupAll && (kept > 1 || now.Sub(ready) > lateAfter)
		return plan{mode: election.ForTick, tick: ticks[chosen], older: ticks[:chosen], more: more, ready: ready, late: late}
	}
	last := released - 1
	return plan{
		mode: election.Forfeit, tick: ticks[last], older: ticks[:last], more: more,
		ready: p.forfeitAt(t, ticks[last]),
	}
}

// passes reports whether the policy "none" leaves a tick to others: it came due
// before this replica was there.
func (p policy) passes(release time.Time) bool {
	return p.catchup == jobs.CatchupNone && release.Before(p.awake)
}

// gives reports whether the policy "skip" gives a tick up: it has come due, and
// the store has not answered.
func (p policy) gives(l lets, now, release time.Time) bool {
	return p.down == jobs.SkipOnStoreDown && l.unheard && now.Sub(release) > lateAfter
}

// forfeitAt is when nobody can be about to run a tick any more. One that this
// replica was too late for may still be run by a peer that was not.
func (p policy) forfeitAt(t timetable, tick time.Time) time.Time {
	release := t.Release(tick)
	if _, excluded := t.Excluded(tick); !excluded && p.passes(release) {
		return release.Add(p.deadline + time.Millisecond)
	}
	return release
}

// fate is the verdict on a tick that is not run: it was excluded, came too late,
// or was passed over for a later one.
func fate(t timetable, tick, now time.Time, p policy, l lets) (Verdict, Reason) {
	_, excluded := t.Excluded(tick)
	release := t.Release(tick)
	switch {
	case excluded:
		return Skipped, ReasonExcluded
	case p.passes(release):
		return Missed, ReasonCatchup
	case tooLate(release, now, p.deadline) && l.unheard, p.gives(l, now, release):
		if l.alone {
			return Missed, ReasonUnreplicated
		}
		return Missed, ReasonStore
	case tooLate(release, now, p.deadline) && l.unmet:
		return Missed, ReasonDependency
	case tooLate(release, now, p.deadline):
		return Missed, ReasonDeadline
	case l.held && p.overlap == jobs.QueueOverlap:
		return Skipped, ReasonOverlap
	case p.catchup == jobs.CatchupAll:
		return Missed, ReasonCatchup
	}
	return Skipped, ReasonSuperseded
}

// lets is what has kept a tick from starting so far.
type lets struct {
	unheard bool // the store has once given no answer
	alone   bool // that was because its replicas did not confirm it
	unmet   bool // what the job depends on had not happened when last looked
	held    bool // an older run of the job was on when last asked
	paused  bool // its runs may overlap, and the gate of the job is closed for it
}

// resume returns where the cursor of a job starts, given what the ledger and the
// journal say: at the last decided tick, so that ticks that came due while no
// replica ran are seen; at now for a job, or a schedule, that is new.
func resume(r election.Record, a Adopted, def string, now time.Time) time.Time {
	if a.Since.IsZero() { // no journal: the ledger alone knows
		if r.Decided.IsZero() || r.Def != def || r.Decided.After(now) {
			return now
		}
		return r.Decided
	}
	cursor := latestOf(a.Since, a.Told)
	if r.Decided.After(cursor) {
		cursor = r.Decided
	}
	if cursor.After(now) {
		return now
	}
	return cursor
}
