package main

import (
	"slices"
	"time"
)

// Tally is what all replicas together did with the ticks of a window.
type Tally struct {
	Due     int // ticks of all jobs
	Runs    int
	Doubled int // ticks run more than once
	Missed  int // ticks not run
	P50     time.Duration
	P99     time.Duration
	Max     time.Duration
}

// RunsPerTick is 1 when every tick ran once, or when errors cancel out: look at Doubled and Missed too.
func (t Tally) RunsPerTick() float64 { return float64(t.Runs) / float64(t.Due) }

// Exact reports whether every tick ran exactly once.
func (t Tally) Exact() bool { return t.Doubled == 0 && t.Missed == 0 }

// Count makes the tally of shots for jobs that were due ticks times each.
func Count(shots []Shot, jobs, ticks int) Tally {
	type key struct {
		job  int32
		tick int64
	}
	runs := make(map[key]int, len(shots))
	late := make([]time.Duration, 0, len(shots))
	for _, s := range shots {
		runs[key{s.Job, s.Tick}]++
		late = append(late, time.Duration(s.LateUS)*time.Microsecond)
	}
	t := Tally{Due: jobs * ticks, Runs: len(shots), Missed: jobs*ticks - len(runs)}
	for _, n := range runs {
		if n > 1 {
			t.Doubled++
		}
	}
	slices.Sort(late)
	t.P50, t.P99, t.Max = Percentile(late, 50), Percentile(late, 99), Percentile(late, 100)
	return t
}

// Percentile returns the smallest of the sorted values that at least p percent
// of them do not exceed; zero if there are none.
func Percentile[T any](sorted []T, p int) T {
	if len(sorted) == 0 {
		var zero T
		return zero
	}
	return sorted[max((len(sorted)*p+99)/100-1, 0)]
}

// Median returns the middle of values, the lower one of two; zero if there are none.
func Median(values []float64) float64 {
	return Percentile(slices.Sorted(slices.Values(values)), 50)
}
