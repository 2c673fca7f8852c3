package durations_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry/durations"
)

var began = time.Date(2026, 11, 29, 1, 30, 0, 0, time.UTC)

func row(v scheduler.Verdict, took time.Duration) scheduler.Row {
	return scheduler.Row{Verdict: v, Started: began, Ended: began.Add(took)}
}

// ramp is n runs that took 1 s, 2 s and so on.
func ramp(n int) []scheduler.Row {
	var rows []scheduler.Row
	for i := range n {
		rows = append(rows, row(scheduler.Succeeded, time.Duration(i+1)*time.Second))
	}
	return rows
}

func TestQuantilesAndTheShareNearTheTimeoutAreThoseOfTheRuns(t *testing.T) {
	t.Parallel()
	got := durations.Of(ramp(100), 100*time.Second)
	want := durations.Stats{
		Runs: 100, P50: 50 * time.Second, P90: 90 * time.Second, P99: 99 * time.Second, Max: 100 * time.Second,
		Timeout: 100 * time.Second, NearTimeout: 0.21, Suggested: 150 * time.Second,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestOnlyRunsThatEndedByThemselvesOrByTheirTimeoutCount(t *testing.T) {
	t.Parallel()
	rows := []scheduler.Row{
		row(scheduler.Failed, 2*time.Second),
		row(scheduler.TimedOut, 10*time.Second),
		row(scheduler.Cancelled, time.Hour),
		row(scheduler.LeaseLost, time.Hour),
		row(scheduler.Interrupted, time.Hour),
		{Verdict: scheduler.Missed, Ended: began},
		{Verdict: scheduler.Succeeded, Started: began.Add(time.Hour), Ended: began}, // a clock that was set back
	}
	got := durations.Of(rows, 10*time.Second)
	if got.Runs != 2 || got.Max != 10*time.Second || got.TimedOut != 0.5 || got.NearTimeout != 0.5 {
		t.Errorf("got %+v, want two runs, one of them timed out", got)
	}
	if got.Suggested != 0 {
		t.Errorf("suggested after two runs: got %v, want nothing", got.Suggested)
	}
	if none := durations.Of(nil, time.Minute); none != (durations.Stats{Timeout: time.Minute}) {
		t.Errorf("of no runs: got %+v", none)
	}
}

func TestATimeoutThatEndsRunsIsDoubledAndAQuickJobGetsAFloor(t *testing.T) {
	t.Parallel()
	var cut []scheduler.Row
	for range 30 {
		cut = append(cut, row(scheduler.TimedOut, time.Minute))
	}
	if got := durations.Of(cut, time.Minute).Suggested; got != 2*time.Minute {
		t.Errorf("all runs are ended by a timeout of 1m: got %v, want 2m", got)
	}
	var quick []scheduler.Row
	for range 30 {
		quick = append(quick, row(scheduler.Succeeded, 20*time.Millisecond))
	}
	if got := durations.Of(quick, 0).Suggested; got != 10*time.Second {
		t.Errorf("runs of 20 ms: got %v, want 10s", got)
	}
}

func TestTheSuggestionCoversEveryRunThatWasSeen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var rows []scheduler.Row
		for _, s := range rapid.SliceOfN(rapid.IntRange(0, 1_000_000), durations.Enough, 200).Draw(t, "milliseconds") {
			rows = append(rows, row(scheduler.Succeeded, time.Duration(s)*time.Millisecond))
		}
		s := durations.Of(rows, time.Hour)
		if s.Suggested < s.Max || float64(s.Suggested) < 1.5*float64(s.P99) {
			t.Fatalf("suggested %v for a maximum of %v and a p99 of %v", s.Suggested, s.Max, s.P99)
		}
		if s.P50 > s.P90 || s.P90 > s.P99 || s.P99 > s.Max || math.IsNaN(s.NearTimeout) {
			t.Fatalf("quantiles out of order: %+v", s)
		}
	})
}
