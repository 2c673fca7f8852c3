package scheduler

import "github.com/solocron/solocron/jobs"

// A sequel is what follows an attempt that ended.
type sequel uint8

const (
	sequelNone  sequel = iota // the run has ended
	sequelRetry               // another attempt
	sequelDead                // it failed, and no attempt is left: a dead letter
)

// follow decides what follows an attempt, counted from 1, that ended with v
// because of err. What somebody stopped is not tried again; nor is what was lost,
// which may have done its work.
func follow(v Verdict, err error, attempt int, r jobs.Retry) sequel {
	switch {
	case !v.failure():
		return sequelNone
	case v != LeaseLost && r.Again(err, attempt):
		return sequelRetry
	case r.MaxAttempts > 1:
		return sequelDead
	}
	return sequelNone
}

// meets reports whether a run that ended with v is what c asks for.
func meets(c jobs.Condition, v Verdict) bool {
	switch c {
	case jobs.OnFinish:
		return v != Skipped && v != Missed
	case jobs.OnFailure:
		return v.failure()
	}
	return v == Succeeded
}
