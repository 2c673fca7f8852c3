package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
)

func TestOnlyAGrantRuns(t *testing.T) {
	t.Parallel()
	want := map[election.Answer]step{
		election.Unknown:    stepWait,
		election.Granted:    stepRun,
		election.Held:       stepWait,
		election.Skipped:    stepSpeak,
		election.Spent:      stepYield,
		election.Closed:     stepSpeak,
		election.Superseded: stepStand,
		election.Early:      stepWait,
		election.Delayed:    stepWait,
		election.Quarantine: stepWait,
		election.Missed:     stepSpeak,
	}
	for answer := range election.Answer(255) {
		got, pause := decide(&election.ClaimAnswer{Answer: answer, Remaining: time.Second}, 1, 0.5)
		expect, known := want[answer]
		if !known {
			expect = stepWait // an answer that nobody knows is a no
		}
		if got != expect {
			t.Errorf("answer %d: step %d, want %d", answer, got, expect)
		}
		if (got == stepWait) != (pause > 0) {
			t.Errorf("answer %d: step %d with pause %s", answer, got, pause)
		}
	}
}

func TestReplicaWhoseClockIsAheadWaitsForTheDifference(t *testing.T) {
	t.Parallel()
	_, got := decide(&election.ClaimAnswer{Answer: election.Early, Remaining: 400 * time.Millisecond}, 1, 0.9)
	if want := 400 * time.Millisecond; got != want {
		t.Errorf("pause = %s, want %s", got, want)
	}
}

func TestVerdictOnARun(t *testing.T) {
	t.Parallel()
	failed := errors.New("exit status 1")
	for name, x := range map[string]struct {
		err, cause error
		verdict    Verdict
		reason     Reason
	}{
		"success":                            {nil, nil, Succeeded, ReasonNone},
		"failure":                            {failed, nil, Failed, ReasonNone},
		"panic":                              {&panicError{"boom", nil}, nil, Failed, ReasonPanic},
		"panic after the timeout":            {&panicError{"boom", nil}, ErrTimeout, Failed, ReasonPanic},
		"stopped by its timeout":             {failed, ErrTimeout, TimedOut, ReasonNone},
		"done just before its timeout":       {nil, ErrTimeout, Succeeded, ReasonNone},
		"stopped by shutdown":                {failed, ErrShutdown, Interrupted, ReasonNone},
		"done in spite of shutdown":          {nil, ErrShutdown, Succeeded, ReasonNone},
		"lease lost":                         {failed, election.ErrLeaseLost, LeaseLost, ReasonNone},
		"lease lost, and ignored by the job": {nil, election.ErrLeaseLost, LeaseLost, ReasonNone},
		"lease uncertain":                    {failed, election.ErrLeaseUncertain, LeaseLost, ReasonNone},
		"done while the lease was uncertain": {nil, election.ErrLeaseUncertain, Succeeded, ReasonNone},
		"cancelled":                          {failed, context.Canceled, Cancelled, ReasonNone},
		"wrapped cause":                      {failed, fmt.Errorf("renew: %w", election.ErrLeaseLost), LeaseLost, ReasonNone},
	} {
		v, r := judge(x.err, x.cause)
		if v != x.verdict || r != x.reason {
			t.Errorf("%s: judge = %s(%s), want %s(%s)", name, v, r, x.verdict, x.reason)
		}
	}
}

func TestTheRecordHasTheLastWord(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		kept election.Outcome
		err  error
		want Verdict
		echo bool
	}{
		"kept":                  {election.OutcomeSucceeded, nil, Succeeded, false},
		"found abandoned":       {election.OutcomeAbandoned, nil, LeaseLost, true},
		"revoked":               {election.OutcomeNone, nil, LeaseLost, false},
		"the store never heard": {election.OutcomeNone, errors.New("no answer"), Succeeded, true},
	} {
		v, echo := settle(Succeeded, x.kept, x.err)
		if v != x.want || echo != x.echo {
			t.Errorf("%s: settle = %s, echo %v; want %s, %v", name, v, echo, x.want, x.echo)
		}
	}
}

func TestEveryVerdictOnARunHasItsOwnOutcome(t *testing.T) {
	t.Parallel()
	seen := make(map[election.Outcome]Verdict)
	for _, v := range []Verdict{Succeeded, Failed, TimedOut, Cancelled, Interrupted, LeaseLost} {
		o := outcome(v)
		if other, taken := seen[o]; taken {
			t.Errorf("%s and %s are both kept as %q", v, other, o)
		}
		seen[o] = v
	}
}

func TestReplicasAgreeOnTheOrderOfRanks(t *testing.T) {
	t.Parallel()
	live := []string{"a", "b", "c", "d", "e"}
	first := make(map[string]int)
	for i := range 10_000 {
		job := fmt.Sprintf("job-%d", i)
		var ranks []int
		for _, self := range live {
			r := rank(live, self, job)
			ranks = append(ranks, r)
			if r == 0 {
				first[self]++
			}
		}
		slices.Sort(ranks)
		if !slices.Equal(ranks, []int{0, 1, 2, 3, 4}) {
			t.Fatalf("%s: ranks %v, want each place once", job, ranks)
		}
	}
	for _, self := range live {
		if n := first[self]; n < 1800 || n > 2200 {
			t.Errorf("%s is first for %d of 10000 jobs, want about 2000", self, n)
		}
	}
}

func TestReplicaThatGoesMovesOnlyItsOwnJobs(t *testing.T) {
	t.Parallel()
	for i := range 1000 {
		job := fmt.Sprintf("job-%d", i)
		before, after := rank([]string{"a", "b", "c"}, "a", job), rank([]string{"a", "b"}, "a", job)
		if before == 0 && after != 0 {
			t.Errorf("%s: a was first and is not after c has gone", job)
		}
	}
}

func TestHeadStartGrowsWithRankAndBurst(t *testing.T) {
	t.Parallel()
	unit := 50 * time.Millisecond
	for _, x := range []struct {
		rank, n int
		jitter  float64
		want    time.Duration
	}{
		{0, 1, 0.9, 0},
		{0, 10_000, 0.9, 0},
		{1, 0, 0, 50 * time.Millisecond},
		{2, 0, 0, 100 * time.Millisecond},
		{1, 0, 1, 75 * time.Millisecond},
		{1, 10_000, 0, 450 * time.Millisecond},
	} {
		if got := headStart(x.rank, x.n, unit, x.jitter); got != x.want {
			t.Errorf("headStart(%d, %d, %v) = %s, want %s", x.rank, x.n, x.jitter, got, x.want)
		}
	}
}
