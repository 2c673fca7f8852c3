package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Bounds of the policies.
const (
	MaxQueueLimit     = 1000
	MaxCatchup        = 1000
	MaxAttempts       = 100
	MaxExitCodes      = 64 // of Retry.NonRetryableExitCodes
	MaxPauseOnFailure = 1000
	MaxHistory        = 10_000   // of each sort
	MaxLogLimit       = 64 << 20 // bytes
	MaxLinks          = 100      // of DependsOn, and of Triggers

	day = 24 * time.Hour
)

// CheckPolicies reports everything that is wrong with the policies of j, each as
// a *FieldError with the path that the field has in YAML: retry.maxAttempts,
// params[0].default. Which other jobs there are is not looked at.
func (j *Job) CheckPolicies() error { return errors.Join(j.policyFaults()...) }

func (j *Job) policyFaults() []error {
	var f faultList
	j.checkOverlap(&f)
	j.checkCatchup(&f)
	j.checkRetry(&f)
	f.between("pauseOnFailure", j.PauseOnFailure, 0, MaxPauseOnFailure)
	if j.Group != "" && CheckName(j.Group) != nil {
		f.add("concurrencyGroup", "must be of a-z, 0-9 and, inside, dots, dashes and underscores, at most %d bytes", MaxName)
	}
	j.checkParams(&f)
	j.checkLinks(&f)
	j.checkHistory(&f)
	j.checkTrouble(&f)
	if j.LogLimit > MaxLogLimit {
		f.add("logs.maxBytes", "must be at most %dMi", MaxLogLimit>>20)
	}
	return f
}

// faultList gathers what is wrong with the fields of a job.
type faultList []error

func (f *faultList) add(field, format string, args ...any) {
	*f = append(*f, &FieldError{Field: field, Msg: fmt.Sprintf(format, args...)})
}

func (f *faultList) between(field string, n, least, most int) {
	if n < least || n > most {
		f.add(field, "must be from %d to %d", least, most)
	}
}

// upTo is between 1 and most for a number whose zero means that it is not said.
func (f *faultList) upTo(field string, n, most int) {
	if n != 0 {
		f.between(field, n, 1, most)
	}
}

func (j *Job) checkOverlap(f *faultList) {
	switch j.Overlap {
	case SkipOverlap, QueueOverlap, ReplaceOverlap:
	case AllowOverlap:
		if _, ok := plain(j.Runner).(*Sync); ok {
			f.add("overlapPolicy", "cannot be allow for a sync: two at once would fight over one checkpoint; write skip, queue or replace")
		}
	default:
		f.add("overlapPolicy", "%s", unknownWord(string(j.Overlap), "skip", "queue", "replace", "allow"))
	}
	if j.QueueLimit != 0 && j.Overlap != QueueOverlap {
		f.add("queueLimit", "has no effect unless overlapPolicy is queue")
		return
	}
	f.upTo("queueLimit", j.QueueLimit, MaxQueueLimit)
}

func (j *Job) checkCatchup(f *faultList) {
	c := j.Catchup
	switch c.Policy {
	case CatchupAll:
	case CatchupLatest, CatchupNone:
		for _, field := range []struct {
			name  string
			given bool
		}{{"catchup.max", c.Max != 0}, {"catchup.spacing", c.Spacing != 0}} {
			if field.given {
				f.add(field.name, "has no effect unless the policy is all")
			}
		}
		return
	default:
		f.add("catchup.policy", "%s", unknownWord(string(c.Policy), "latest", "none", "all"))
	}
	f.upTo("catchup.max", c.Max, MaxCatchup)
	if c.Spacing < 0 || c.Spacing > day {
		f.add("catchup.spacing", "must be from 0s to 24h")
	}
}

func (j *Job) checkRetry(f *faultList) {
	r := &j.Retry
	f.upTo("retry.maxAttempts", r.MaxAttempts, MaxAttempts)
	if r.InitialInterval != 0 && (r.InitialInterval < 100*time.Millisecond || r.InitialInterval > day) {
		f.add("retry.initialInterval", "must be from 100ms to 24h")
	}
	if r.BackoffCoefficient != 0 && !(r.BackoffCoefficient >= 1 && r.BackoffCoefficient <= 10) {
		f.add("retry.backoffCoefficient", "must be from 1 to 10")
	}
	switch first := max(r.InitialInterval, 0); {
	case r.MaxInterval == 0:
	case r.MaxInterval < first, r.InitialInterval == 0 && r.MaxInterval < defaultInitialInterval:
		f.add("retry.maxInterval", "%s is less than initialInterval, %s", r.MaxInterval, cmp.Or(first, defaultInitialInterval))
	case r.MaxInterval > 366*day:
		f.add("retry.maxInterval", "must be at most 366d")
	}
	if !(r.Jitter >= 0 && r.Jitter <= 1) {
		f.add("retry.jitter", "must be from 0 to 1")
	}
	if len(r.NonRetryableExitCodes) > MaxExitCodes {
		f.add("retry.nonRetryableExitCodes", "has %d codes: at most %d", len(r.NonRetryableExitCodes), MaxExitCodes)
		return
	}
	for i, code := range r.NonRetryableExitCodes {
		if code < 1 || code > 255 {
			f.add(fmt.Sprintf("retry.nonRetryableExitCodes[%d]", i), "must be from 1 to 255")
		}
	}
}

func (j *Job) checkHistory(f *faultList) {
	h := j.History
	f.upTo("history.succeeded", h.Succeeded, MaxHistory)
	f.upTo("history.failed", h.Failed, MaxHistory)
	if h.MaxAge < 0 || h.MaxAge > 3660*day {
		f.add("history.maxAge", "must be more than 0 and at most 3660d")
	}
}
