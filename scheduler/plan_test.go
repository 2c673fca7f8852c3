package scheduler

import (
	"errors"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

func TestPlanOfLateTicksByPolicy(t *testing.T) {
	t.Parallel()
	five := []time.Time{at(10, 1, 0), at(10, 2, 0), at(10, 3, 0), at(10, 4, 0), at(10, 5, 0)}
	all := func(most int) jobs.Policies {
		return jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Max: most}}
	}
	none := jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupNone}}
	queue := jobs.Policies{Overlap: jobs.QueueOverlap, QueueLimit: 3}
	for name, x := range map[string]struct {
		policies jobs.Policies
		ticks    []time.Time
		now      time.Time
		awake    time.Time
		lets     lets
		mode     election.Mode
		tick     time.Time
		ready    time.Time
		late     bool
	}{
		"latest runs the last":                     {ticks: five, now: at(10, 5, 1), tick: five[4], ready: five[4]},
		"all begins with the oldest of the last 2": {policies: all(2), ticks: five, now: at(10, 5, 1), tick: five[3], ready: five[3], late: true},
		"all takes 10 if not told":                 {policies: all(0), ticks: five, now: at(10, 5, 1), tick: five[0], ready: five[0], late: true},
		"all with one that is in time":             {policies: all(2), ticks: five[4:], now: at(10, 5, 1), tick: five[4], ready: five[4]},
		"all with one that is late":                {policies: all(2), ticks: five[4:], now: at(10, 5, 6), tick: five[4], ready: five[4], late: true},
		"all, the deadline has passed for some":    {policies: all(10), ticks: five, now: at(10, 12, 30), tick: five[2], ready: five[2], late: true},
		"none runs what came due while it looked":  {policies: none, ticks: five, now: at(10, 5, 1), awake: at(10, 4, 30), tick: five[4], ready: five[4]},
		"none leaves what came due before to those who were there": {
			policies: none, ticks: five, now: at(10, 5, 1), awake: at(10, 5, 1), mode: election.Forfeit,
			tick: five[4], ready: at(10, 15, 0).Add(time.Millisecond),
		},
		"queue that is not held runs the last":     {policies: queue, ticks: five, now: at(10, 5, 1), tick: five[4], ready: five[4]},
		"queue behind a run keeps the last few":    {policies: queue, ticks: five, now: at(10, 5, 1), lets: lets{held: true}, tick: five[2], ready: five[2]},
		"queue behind a run, all fit":              {policies: queue, ticks: five[3:], now: at(10, 5, 1), lets: lets{held: true}, tick: five[3], ready: five[3]},
		"skip behind a run plans the last as ever": {ticks: five, now: at(10, 5, 1), lets: lets{held: true}, tick: five[4], ready: five[4]},
	} {
		p := policyOf(jobs.Job{StartingDeadline: 10 * time.Minute, Policies: x.policies})
		p.awake = x.awake
		got := planFor(everyMinute(t), x.ticks, false, x.now, p, x.lets)
		if got.mode != x.mode || !got.tick.Equal(x.tick) || !got.ready.Equal(x.ready) || got.late != x.late {
			t.Errorf("%s: plan = mode %d tick %s ready %s late %v; want mode %d tick %s ready %s late %v", name,
				got.mode, got.tick, got.ready, got.late, x.mode, x.tick, x.ready, x.late)
		}
	}
}

func TestFateByPolicy(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		policies jobs.Policies
		awake    time.Time
		lets     lets
		now      time.Time
		verdict  Verdict
		reason   Reason
	}{
		"latest":                            {now: at(10, 2, 0), verdict: Skipped, reason: ReasonSuperseded},
		"all, more than are run":            {policies: jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll}}, now: at(10, 2, 0), verdict: Missed, reason: ReasonCatchup},
		"none, nobody was there":            {policies: jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupNone}}, awake: at(10, 1, 30), now: at(10, 2, 0), verdict: Missed, reason: ReasonCatchup},
		"queue, more than may wait":         {policies: jobs.Policies{Overlap: jobs.QueueOverlap}, lets: lets{held: true}, now: at(10, 2, 0), verdict: Skipped, reason: ReasonOverlap},
		"queue, after an outage":            {policies: jobs.Policies{Overlap: jobs.QueueOverlap}, now: at(10, 2, 0), verdict: Skipped, reason: ReasonSuperseded},
		"what it depends on has not ended":  {lets: lets{unmet: true}, now: at(10, 12, 0), verdict: Missed, reason: ReasonDependency},
		"the store was silent, and later":   {lets: lets{unheard: true, unmet: true}, now: at(10, 12, 0), verdict: Missed, reason: ReasonStore},
		"waited in the queue for too long":  {policies: jobs.Policies{Overlap: jobs.QueueOverlap}, lets: lets{held: true}, now: at(10, 12, 0), verdict: Missed, reason: ReasonDeadline},
		"replace does not wait for a queue": {policies: jobs.Policies{Overlap: jobs.ReplaceOverlap}, lets: lets{held: true}, now: at(10, 2, 0), verdict: Skipped, reason: ReasonSuperseded},
	} {
		p := policyOf(jobs.Job{StartingDeadline: 10 * time.Minute, Policies: x.policies})
		p.awake = x.awake
		v, r := fate(everyMinute(t), at(10, 1, 0), x.now, p, x.lets)
		if v != x.verdict || r != x.reason {
			t.Errorf("%s: fate = %s(%s), want %s(%s)", name, v, r, x.verdict, x.reason)
		}
	}
}

func TestResumeWithAJournalCountsFromTheChange(t *testing.T) {
	t.Parallel()
	now := at(12, 0, 0)
	for name, x := range map[string]struct {
		record  election.Record
		adopted Adopted
		want    time.Time
	}{
		"new job":                            {election.Record{}, Adopted{Since: now}, now},
		"known job":                          {election.Record{Decided: at(11, 0, 0)}, Adopted{Since: at(9, 0, 0), Told: at(10, 0, 0)}, at(11, 0, 0)},
		"changed since the last tick":        {election.Record{Decided: at(9, 0, 0)}, Adopted{Since: at(11, 30, 0)}, at(11, 30, 0)},
		"the record is gone":                 {election.Record{}, Adopted{Since: at(9, 0, 0), Told: at(11, 0, 0)}, at(11, 0, 0)},
		"everything is ahead of my clock":    {election.Record{Decided: at(13, 0, 0)}, Adopted{Since: at(9, 0, 0)}, now},
		"changed while all replicas were on": {election.Record{Decided: at(11, 0, 0), Def: "old"}, Adopted{Since: at(10, 0, 0)}, at(11, 0, 0)},
	} {
		if got := resume(x.record, x.adopted, "d", now); !got.Equal(x.want) {
			t.Errorf("%s: resume = %s, want %s", name, got, x.want)
		}
	}
}

func TestWhatFollowsAnAttempt(t *testing.T) {
	t.Parallel()
	failed := errors.New("boom")
	three := jobs.Retry{MaxAttempts: 3}
	for name, x := range map[string]struct {
		verdict Verdict
		err     error
		attempt int
		retry   jobs.Retry
		want    sequel
		lost    jobs.HolderLost
		cut     jobs.Interrupt
		tries   []Try
	}{
		"success":                       {verdict: Succeeded, err: nil, attempt: 1, retry: three, want: sequelNone},
		"failure without a retry":       {verdict: Failed, err: failed, attempt: 1, retry: jobs.Retry{}, want: sequelNone},
		"first failure of three":        {verdict: Failed, err: failed, attempt: 1, retry: three, want: sequelRetry},
		"time-out":                      {verdict: TimedOut, err: ErrTimeout, attempt: 2, retry: three, want: sequelRetry},
		"last failure":                  {verdict: Failed, err: failed, attempt: 3, retry: three, want: sequelDead},
		"cancelled is never retried":    {verdict: Cancelled, err: ErrCancelled, attempt: 1, retry: three, want: sequelNone},
		"interrupted, and that is that": {verdict: Interrupted, err: ErrShutdown, attempt: 1, retry: three, cut: jobs.SkipOnInterrupt, want: sequelNone},
		"interrupted, others go on":     {verdict: Interrupted, err: ErrShutdown, attempt: 1, want: sequelAgain},
		"interruptions use up nothing":  {verdict: Failed, err: failed, attempt: 3, retry: three, tries: []Try{{Verdict: Interrupted}, {Verdict: LeaseLost}}, want: sequelRetry},
		"holder lost, rerun":            {verdict: LeaseLost, attempt: 1, lost: jobs.RerunOnHolderLost, want: sequelAgain},
		"failures use up no crashes":    {verdict: LeaseLost, attempt: 3, retry: three, lost: jobs.RerunOnHolderLost, tries: []Try{{Verdict: Failed}, {Verdict: Failed}}, want: sequelAgain},
		"too many holders lost":         {verdict: LeaseLost, attempt: 3, lost: jobs.RerunOnHolderLost, tries: []Try{{Verdict: LeaseLost}, {Verdict: LeaseLost}}, want: sequelDead},
		"lost may have done its work":   {verdict: LeaseLost, err: election.ErrLeaseLost, attempt: 1, retry: three, want: sequelDead},
		"permanent":                     {verdict: Failed, err: jobs.Permanent(failed), attempt: 1, retry: three, want: sequelDead},
		"exit code that is final": {
			verdict: Failed, err: &jobs.ExitError{Code: 64}, attempt: 1,
			retry: jobs.Retry{MaxAttempts: 3, NonRetryableExitCodes: []int{64}}, want: sequelDead,
		},
	} {
		row := Row{Attempt: x.attempt, Tries: x.tries}
		job := jobs.Job{Policies: jobs.Policies{Retry: x.retry, OnHolderLost: x.lost, OnInterrupt: x.cut}}
		if got := follow(&row, x.verdict, x.err, &job); got != x.want {
			t.Errorf("%s: follow = %d, want %d", name, got, x.want)
		}
	}
}

func TestWhatBecomesOfARequestWhileItsJobIsBusy(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		cause   Cause
		overlap jobs.Overlap
		started bool
		want    crowding
	}{
		"claimed, perhaps for this request": {ByHand, jobs.SkipOverlap, false, crowdLook},
		"trigger, skip":                     {ByHand, jobs.SkipOverlap, true, crowdSkip},
		"trigger, queue":                    {ByHand, jobs.QueueOverlap, true, crowdWait},
		"trigger, replace":                  {ByHand, jobs.ReplaceOverlap, true, crowdReplace},
		"retry, skip":                       {ByRetry, jobs.SkipOverlap, true, crowdWait},
		"retry, replace":                    {ByRetry, jobs.ReplaceOverlap, true, crowdWait},
		"backfill, skip":                    {ByBackfill, jobs.SkipOverlap, true, crowdWait},
	} {
		if got := crowd(Request{Cause: x.cause}, x.overlap, x.started); got != x.want {
			t.Errorf("%s: crowd = %d, want %d", name, got, x.want)
		}
	}
}

func TestWhatARecordSaysOfARunThatShouldHoldIt(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		record  election.Record
		want    finding
		outcome election.Outcome
	}{
		"it runs":                       {election.Record{Token: 7, State: election.StateRunning, Remaining: time.Second}, foundAlive, 0},
		"it is about to run":            {election.Record{Token: 7, State: election.StateClaimed, Remaining: time.Second}, foundAlive, 0},
		"its lease has ended":           {election.Record{Token: 7, State: election.StateRunning}, foundAbandoned, 0},
		"it let its claim expire":       {election.Record{Token: 7, State: election.StateClaimed}, foundUnstarted, 0},
		"it has ended":                  {election.Record{Token: 7, State: election.StateDone, Ring: []election.Past{{Token: 7, Outcome: election.OutcomeFailed}}}, foundEnded, election.OutcomeFailed},
		"it has ended, others since":    {election.Record{Token: 9, State: election.StateRunning, Ring: []election.Past{{Token: 8}, {Token: 7, Outcome: election.OutcomeAbandoned}}}, foundEnded, election.OutcomeAbandoned},
		"nobody remembers":              {election.Record{Token: 9, Ring: []election.Past{{Token: 8}}}, foundForgotten, 0},
		"the record is gone":            {election.Record{}, foundForgotten, 0},
		"the record has lost some data": {election.Record{Token: 5, State: election.StateQuarantine}, foundAlive, 0},
	} {
		if got, outcome := find(7, x.record); got != x.want || outcome != x.outcome {
			t.Errorf("%s: find = %d %q, want %d %q", name, got, outcome, x.want, x.outcome)
		}
	}
}

func TestIDsOfRunsNameTheirJob(t *testing.T) {
	t.Parallel()
	for run, want := range map[string]string{
		"nightly-report.20261129T013000Z":                 "nightly-report",
		"a.b.20261129T013000Z.manual-00ff":                "a.b",
		"x.20261129T013000Z.20261129T013000Z":             "x",
		"nightly-report.KEY-0123456789abcdef":             "nightly-report",
		"nightly-report":                                  "",
		".20261129T013000Z":                               "",
		"nightly-report.20261329T013000Z":                 "",
		"":                                                "",
		".KEY-0123456789abcdef":                           "",
		"nightly-report.20261129T013000Zmanual-00ff00ff0": "",
	} {
		job, _, ok := JobOf(run)
		if job != want && ok || ok != (want != "") {
			t.Errorf("JobOf(%q) = %q, %v; want %q", run, job, ok, want)
		}
	}
}

func TestOverlaidParametersOfNothingAreNothing(t *testing.T) {
	t.Parallel()
	if got := overlaid(nil, nil, map[string]string{"a": "1"}); got["a"] != "1" {
		t.Errorf("overlaid = %v, want a=1", got)
	}
	below := map[string]string{"a": "1", "b": "2"}
	if got := overlaid(nil, below, map[string]string{"a": "3"}); got["a"] != "3" || got["b"] != "2" || below["a"] != "1" {
		t.Errorf("overlaid = %v, below %v; want a=3 b=2, and below untouched", got, below)
	}
	if got := overlaid(nil, nil); got != nil {
		t.Errorf("overlaid = %v, want nil", got)
	}
}
