package scheduler

import (
	"time"

	"github.com/solocron/solocron/jobs"
)

// A sequel is what follows an attempt that ended.
type sequel uint8

const (
	sequelNone  sequel = iota // the run has ended
	sequelRetry               // another attempt, after the pause of the job's retry policy
	sequelAgain               // another attempt at once: this one was cut short
	sequelDead                // it failed, and no attempt is left: a dead letter
)

const (
	defaultCrashes = 3   // attempts that a job may lose if its retry policy names no number
	maxInterrupts  = 100 // attempts of one run: a job that no deploy lets finish
)

// follow decides what follows the attempt of row, which ended with v because of
// err. What somebody stopped is not tried again. Failures, crashes and
// interruptions are counted apart: only failures use up attempts.
func follow(row *Row, v Verdict, err error, j *jobs.Job) sequel {
	crashes, interrupts := tally(row.Tries)
	switch {
	case v == Interrupted && j.OnInterrupt == jobs.RerunOnInterrupt && row.Attempt < maxInterrupts:
		return sequelAgain
	case v == LeaseLost && j.OnHolderLost == jobs.RerunOnHolderLost && crashes+1 < crashLimit(j.Retry):
		return sequelAgain
	case v == LeaseLost && j.OnHolderLost == jobs.RerunOnHolderLost:
		return sequelDead
	case !v.failure():
		return sequelNone
	case v != LeaseLost && j.Retry.Again(err, row.Attempt-crashes-interrupts):
		return sequelRetry
	case j.Retry.MaxAttempts > 1:
		return sequelDead
	}
	return sequelNone
}

// tally counts the earlier attempts that were lost and those that were
// interrupted, as far as a row lists them.
func tally(tries []Try) (crashes, interrupts int) {
	for _, t := range tries {
		switch t.Verdict {
		case LeaseLost:
			crashes++
		case Interrupted:
			interrupts++
		}
	}
	return crashes, interrupts
}

func crashLimit(r jobs.Retry) int {
	if r.MaxAttempts > 1 {
		return r.MaxAttempts
	}
	return defaultCrashes
}

// after is how long the attempt waits that follows.
func (q sequel) after(r jobs.Retry, failures int, jitter float64) time.Duration {
	if q == sequelRetry {
		return r.Pause(failures, jitter)
	}
	return 0
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
