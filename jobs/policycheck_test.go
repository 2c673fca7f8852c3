package jobs_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

// checked returns what is wrong with policies, one a line.
func checked(p jobs.Policies) string {
	err := (&jobs.Job{Name: "a", Policies: p}).CheckPolicies()
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestPoliciesWithinTheirLimitsAreAccepted(t *testing.T) {
	t.Parallel()
	for _, p := range []jobs.Policies{
		{},
		{Overlap: jobs.QueueOverlap},
		{Overlap: jobs.QueueOverlap, QueueLimit: 1000},
		{Overlap: jobs.AllowOverlap, Shadow: true, Group: "db", LogLimit: -1, PauseOnFailure: 1000},
		{Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Max: 1000, Spacing: 24 * time.Hour}},
		{Retry: jobs.Retry{
			MaxAttempts: 100, InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 10,
			MaxInterval: 100 * time.Millisecond, Jitter: 1, NonRetryableExitCodes: []int{1, 255},
		}},
		{Retry: jobs.Retry{MaxAttempts: 2, InitialInterval: time.Hour}},
		{History: jobs.History{Succeeded: 1000, Failed: 1, MaxAge: time.Hour}, LogLimit: 64 << 20},
		{Params: []jobs.Param{
			{Name: "a", Required: true, Choices: []string{"x"}},
			{Name: "b_2", Type: jobs.IntParam, Default: "2", Choices: []string{"2", "3"}},
			{Name: "c", Type: jobs.NumberParam, Default: "1.50", Choices: []string{"1.5"}},
		}},
		{DependsOn: []jobs.Dependency{{Job: "b"}, {Job: "c", Condition: jobs.OnFinish, Window: time.Hour}}},
		{Triggers: []jobs.Trigger{{Job: "b", Condition: jobs.OnFailure}, {Job: "c"}}},
	} {
		if got := checked(p); got != "" {
			t.Errorf("%+v: got %s", p, got)
		}
	}
}

func TestEachPolicyOutOfItsLimitsIsRefusedByTheNameOfItsField(t *testing.T) {
	t.Parallel()
	retry := func(r jobs.Retry) jobs.Policies { return jobs.Policies{Retry: r} }
	param := func(p jobs.Param) jobs.Policies { return jobs.Policies{Params: []jobs.Param{p}} }
	for _, c := range []struct {
		policies jobs.Policies
		want     string
	}{
		{jobs.Policies{QueueLimit: 1}, "queueLimit: has no effect unless overlapPolicy is queue"},
		{jobs.Policies{Overlap: jobs.QueueOverlap, QueueLimit: 1001}, "queueLimit: must be from 1 to 1000"},
		{jobs.Policies{Overlap: jobs.QueueOverlap, QueueLimit: -1}, "queueLimit: must be from 1 to 1000"},
		{jobs.Policies{Catchup: jobs.Catchup{Policy: "weekly"}}, `catchup.policy: "weekly" is unknown: there are latest, none and all`},
		{jobs.Policies{Catchup: jobs.Catchup{Max: 1}}, "catchup.max: has no effect unless the policy is all"},
		{jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupNone, Spacing: 1}}, "catchup.spacing: has no effect unless the policy is all"},
		{jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Max: 1001}}, "catchup.max: must be from 1 to 1000"},
		{jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Spacing: -1}}, "catchup.spacing: must be from 0s to 24h"},
		{retry(jobs.Retry{MaxAttempts: 101}), "retry.maxAttempts: must be from 1 to 100"},
		{retry(jobs.Retry{MaxAttempts: -1}), "retry.maxAttempts: must be from 1 to 100"},
		{retry(jobs.Retry{InitialInterval: 1}), "retry.initialInterval: must be from 100ms to 24h"},
		{retry(jobs.Retry{InitialInterval: -1}), "retry.initialInterval: must be from 100ms to 24h"},
		{retry(jobs.Retry{BackoffCoefficient: 0.9}), "retry.backoffCoefficient: must be from 1 to 10"},
		{retry(jobs.Retry{BackoffCoefficient: math.NaN()}), "retry.backoffCoefficient: must be from 1 to 10"},
		{retry(jobs.Retry{MaxInterval: 9 * time.Second}), "retry.maxInterval: 9s is less than initialInterval, 10s"},
		{retry(jobs.Retry{MaxInterval: -1}), "retry.maxInterval: -1ns is less than initialInterval, 10s"},
		{retry(jobs.Retry{MaxInterval: 367 * 24 * time.Hour}), "retry.maxInterval: must be at most 366d"},
		{retry(jobs.Retry{Jitter: 1.1}), "retry.jitter: must be from 0 to 1"},
		{retry(jobs.Retry{Jitter: math.NaN()}), "retry.jitter: must be from 0 to 1"},
		{retry(jobs.Retry{NonRetryableExitCodes: []int{7, 0}}), "retry.nonRetryableExitCodes[1]: must be from 1 to 255"},
		{retry(jobs.Retry{NonRetryableExitCodes: make([]int, 65)}), "retry.nonRetryableExitCodes: has 65 codes: at most 64"},
		{jobs.Policies{PauseOnFailure: 1001}, "pauseOnFailure: must be from 0 to 1000"},
		{jobs.Policies{Group: "a b"}, "concurrencyGroup: must be of a-z, 0-9 and, inside, dots, dashes and underscores, at most 100 bytes"},
		{jobs.Policies{History: jobs.History{Succeeded: 10_001}}, "history.succeeded: must be from 1 to 10000"},
		{jobs.Policies{History: jobs.History{Failed: -1}}, "history.failed: must be from 1 to 10000"},
		{jobs.Policies{History: jobs.History{MaxAge: -1}}, "history.maxAge: must be more than 0 and at most 3660d"},
		{jobs.Policies{LogLimit: 64<<20 + 1}, "logs.maxBytes: must be at most 64Mi"},
		{jobs.Policies{Params: make([]jobs.Param, 65)}, "params: has 65 parameters: at most 64"},
		{param(jobs.Param{}), "params[0].name: is missing: every parameter needs a name"},
		{param(jobs.Param{Name: "2nd"}), `params[0].name: "2nd" must begin with a-z, go on with a-z, 0-9 and _, and have at most 50 bytes`},
		{param(jobs.Param{Name: "a", Type: "integer"}), `params[0].type: "integer" is unknown: there are string, int, number and bool`},
		{param(jobs.Param{Name: "a", Type: "bolo"}), `params[0].type: "bolo" is unknown: did you mean bool? There are string, int, number and bool`},
		{param(jobs.Param{Name: "a", Type: jobs.IntParam, Default: "x"}), `params[0].default: "x" is not a whole number, or too large`},
		{param(jobs.Param{Name: "a", Default: "c", Choices: []string{"a", "b"}}), `params[0].default: "c" is not among the choices`},
		{param(jobs.Param{Name: "a", Choices: []string{"a", "b"}}), `params[0].default: "" is not among the choices`},
		{param(jobs.Param{Name: "a", Type: jobs.BoolParam, Choices: []string{"true", "no"}}), `params[0].choices[1]: "no" is neither true nor false`},
		{param(jobs.Param{Name: "a", Choices: make([]string, 101)}), "params[0].choices: has 101 values: at most 100"},
		{param(jobs.Param{Name: "a", Description: strings.Repeat("x", 1001)}), "params[0].description: has 1001 bytes: at most 1000"},
		{jobs.Policies{Params: []jobs.Param{{Name: "a"}, {Name: "a"}}}, "params[1].name: a is there twice"},
		{jobs.Policies{DependsOn: []jobs.Dependency{{}}}, "dependsOn[0].job: is missing: name another job"},
		{jobs.Policies{DependsOn: []jobs.Dependency{{Job: "a"}}}, "dependsOn[0].job: is the job itself: name another one"},
		{jobs.Policies{DependsOn: []jobs.Dependency{{Job: "b", Window: 367 * 24 * time.Hour}}}, "dependsOn[0].window: must be more than 0 and at most 366d"},
		{jobs.Policies{Triggers: []jobs.Trigger{{Job: "b"}, {Job: "b", Condition: "failed"}}}, "triggers[1].job: b is there twice: write condition: finished where it may have ended in any way"},
		{jobs.Policies{Triggers: []jobs.Trigger{{Job: "b", Condition: "sukceeded"}}}, `triggers[0].condition: "sukceeded" is unknown: did you mean succeeded? There are succeeded, failed and finished`},
	} {
		if got := checked(c.policies); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// O8 of the collected bug reports: a misspelt policy was taken for "allow".
func TestAMisspeltOverlapPolicyIsRefusedAndNotTakenForAllow(t *testing.T) {
	t.Parallel()
	for word, want := range map[jobs.Overlap]string{
		"Forbidd": `overlapPolicy: "Forbidd" is unknown: there are skip, queue, replace and allow`,
		"alow":    `overlapPolicy: "alow" is unknown: did you mean allow? There are skip, queue, replace and allow`,
		"skip":    `overlapPolicy: "skip" is the default: leave it empty`,
	} {
		if got := checked(jobs.Policies{Overlap: word}); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestTwoSyncsAtOnceAreRefused(t *testing.T) {
	t.Parallel()
	j := jobs.Job{Name: "a", Runner: &jobs.Sync{}, Policies: jobs.Policies{Overlap: jobs.AllowOverlap}}
	if err := j.CheckPolicies(); err == nil || !strings.Contains(err.Error(), "overlapPolicy: cannot be allow for a sync") {
		t.Errorf("got %v, want allow refused", err)
	}
}

func TestValidateReportsEveryPolicyWithJobAndField(t *testing.T) {
	t.Parallel()
	j := jobs.Job{Name: "a", Runner: jobs.Func(nil), Policies: jobs.Policies{QueueLimit: 1, PauseOnFailure: -1, LogLimit: 1 << 30}}
	err := j.Validate()
	want := `job "a": queueLimit: has no effect unless overlapPolicy is queue
job "a": pauseOnFailure: must be from 0 to 1000
job "a": logs.maxBytes: must be at most 64Mi`
	if fmt.Sprint(err) != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if field, ok := errors.AsType[*jobs.FieldError](err); !ok || field.Field != "queueLimit" {
		t.Errorf("got %v, want a FieldError for queueLimit", field)
	}
}

func TestTooManyLinksAreRefusedOnce(t *testing.T) {
	t.Parallel()
	var p jobs.Policies
	for i := range 200 {
		p.DependsOn = append(p.DependsOn, jobs.Dependency{Job: fmt.Sprintf("b%d", i)})
		p.Triggers = append(p.Triggers, jobs.Trigger{Job: fmt.Sprintf("c%d", i)})
	}
	const want = "dependsOn: has 200 jobs: at most 100\ntriggers: has 200 jobs: at most 100"
	if got := checked(p); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
