package durations

import (
	"math"
	"slices"
	"time"

	"github.com/solocron/solocron/scheduler"
)

const (
	// Near is from which share of the timeout on a run counts as near it.
	Near = 0.8
	// Enough is from how many runs on a timeout is suggested.
	Enough = 20

	headroom  = 1.5 // of the suggested timeout over all but one in a hundred runs
	tooTight  = 0.01
	atLeast   = 10 * time.Second
	censored  = 2 // what a timeout is multiplied by that has ended more runs than tooTight
	suggested = 30 * 24 * time.Hour
)

// Stats is how long runs took. Runs that were skipped, missed, cut short by people,
// by a shutdown or by their lease are not among them.
type Stats struct {
	Runs          int           // how many were looked at
	P50, P90, P99 time.Duration // so long or less took half of them, and so on
	Max           time.Duration
	Timeout       time.Duration // what one may take; 0: there is no limit
	NearTimeout   float64       // share of runs that took Near of it or more, TimedOut included
	TimedOut      float64       // share of runs that it ended
	Suggested     time.Duration // a timeout that would suit; 0: too few runs to say
}

// Of returns the statistics of rows, which may be of any kind, under the timeout
// that is in force now; 0: none is.
func Of(rows []scheduler.Row, timeout time.Duration) Stats {
	var took []time.Duration
	timedOut := 0
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Started.IsZero() || r.Ended.Before(r.Started):
			continue
		case r.Verdict == scheduler.TimedOut:
			timedOut++
		case r.Verdict != scheduler.Succeeded && r.Verdict != scheduler.Failed:
			continue
		}
		took = append(took, r.Ended.Sub(r.Started))
	}
	return stats(took, timedOut, timeout)
}

func stats(took []time.Duration, timedOut int, timeout time.Duration) Stats {
	s := Stats{Runs: len(took), Timeout: timeout}
	if s.Runs == 0 {
		return s
	}
	slices.Sort(took)
	s.P50, s.P90, s.P99, s.Max = quantile(took, 0.5), quantile(took, 0.9), quantile(took, 0.99), took[len(took)-1]
	s.TimedOut = float64(timedOut) / float64(s.Runs)
	if timeout > 0 {
		limit := time.Duration(Near * float64(timeout))
		first, _ := slices.BinarySearch(took, limit)
		s.NearTimeout = max(float64(len(took)-first)/float64(s.Runs), s.TimedOut)
	}
	s.Suggested = suggest(s)
	return s
}

// quantile is the shortest time that at least the share q of sorted took or less.
func quantile(sorted []time.Duration, q float64) time.Duration {
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[max(rank-1, 0)]
}

// suggest returns a timeout that leaves headroom over nearly all runs. How long
// those would have taken that a timeout has ended, nobody knows: if it ended more
// than a few, it is doubled.
func suggest(s Stats) time.Duration {
	if s.Runs < Enough {
		return 0
	}
	want := max(time.Duration(headroom*float64(s.P99)), s.Max, atLeast)
	if s.TimedOut > tooTight && s.Timeout > 0 {
		want = max(want, censored*s.Timeout)
	}
	return min(round(want), suggested)
}

// round is the first length of time that people would write and that is not less
// than d.
func round(d time.Duration) time.Duration {
	step := 5 * time.Second
	for _, s := range []struct{ above, step time.Duration }{
		{time.Minute, 30 * time.Second},
		{10 * time.Minute, time.Minute},
		{time.Hour, 15 * time.Minute},
		{6 * time.Hour, time.Hour},
	} {
		if d > s.above {
			step = s.step
		}
	}
	return (d + step - 1) / step * step
}
