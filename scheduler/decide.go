package scheduler

import (
	"context"
	"errors"
	"time"

	"github.com/solocron/solocron/election"
)

// A step is what to do after the store has answered a claim.
type step uint8

const (
	stepRun   step = iota // the lease is ours: start the tick and run it
	stepSpeak             // this claim decided the tick: give its verdict
	stepYield             // another replica has the tick, or had it
	stepWait              // not decided: ask again after a pause
	stepStand             // not decided, and not for this replica to: it stands down for the job
)

// retryPause is between two questions about the same tick when the store gives no answer.
var retryPause = election.Backoff{First: 100 * time.Millisecond, Max: 2 * time.Second}

// heldPause is between two questions about a tick that another replica has
// claimed but not started: it will have in a moment, or it has died.
const heldPause = 500 * time.Millisecond

// busyPause is between two questions about a tick that waits for an older run.
var busyPause = election.Backoff{First: 250 * time.Millisecond, Max: 2 * time.Second}

// decide turns the answer to a claim into a step, with the pause before the
// next question for stepWait. Tries counts the questions so far; jitter is in
// [0,1). Whatever is not known to be a yes is a no.
func decide(a *election.ClaimAnswer, tries int, jitter float64) (step, time.Duration) {
	spread := time.Duration(jitter * float64(50*time.Millisecond))
	switch a.Answer {
	case election.Granted:
		return stepRun, 0
	case election.Skipped, election.Closed, election.Missed:
		return stepSpeak, 0
	case election.Spent:
		return stepYield, 0
	case election.Superseded:
		return stepStand, 0
	case election.Early:
		return stepWait, a.Remaining
	case election.Delayed, election.Quarantine:
		return stepWait, a.Remaining + spread
	case election.Held:
		if a.Started {
			return stepWait, busyPause.Pause(tries, jitter)
		}
		return stepWait, min(a.Remaining, heldPause) + spread
	}
	return stepWait, retryPause.Pause(tries, jitter)
}

var (
	// ErrTimeout is the cause that ends the context of a run at its job's timeout.
	ErrTimeout = errors.New("timeout")
	// ErrShutdown is the cause that ends the context of a run when its replica
	// shuts down and the grace period has passed.
	ErrShutdown = errors.New("shutdown")
	// ErrCancelled is the cause that ends the context of a run that somebody has cancelled.
	ErrCancelled = errors.New("cancelled")
	// ErrReplaced is the cause that ends the context of a run that a later tick replaces.
	ErrReplaced = errors.New("replaced by a later tick")
)

// judge is the verdict on a run whose runner returned err, under a context that
// ended, if it did, with cause.
func judge(err, cause error) (Verdict, Reason) {
	lost := errors.Is(cause, election.ErrLeaseLost)
	switch {
	case err == nil && !lost:
		return Succeeded, ReasonNone
	case isPanic(err):
		return Failed, ReasonPanic
	case lost, errors.Is(cause, election.ErrLeaseUncertain):
		return LeaseLost, ReasonNone
	case errors.Is(cause, ErrTimeout):
		return TimedOut, ReasonNone
	case errors.Is(cause, ErrShutdown):
		return Interrupted, ReasonNone
	case errors.Is(cause, ErrReplaced):
		return Cancelled, ReasonReplaced
	case errors.Is(cause, ErrCancelled), errors.Is(cause, context.Canceled):
		return Cancelled, ReasonNone
	}
	return Failed, ReasonNone
}

// outcome is how a record keeps a verdict on a run.
func outcome(v Verdict) election.Outcome {
	switch v {
	case Succeeded:
		return election.OutcomeSucceeded
	case TimedOut:
		return election.OutcomeTimedOut
	case Cancelled, Skipped:
		return election.OutcomeCancelled
	case Interrupted:
		return election.OutcomeInterrupt
	case LeaseLost:
		return election.OutcomeLost
	}
	return election.OutcomeFailed
}

// settle is the final verdict once the record has been asked to keep v: what it
// kept counts. Echo means that another replica speaks for the tick, because it
// found the run without a holder, or will, because the record never heard.
func settle(v Verdict, kept election.Outcome, err error) (_ Verdict, echo bool) {
	switch {
	case err != nil:
		return v, true
	case kept == election.OutcomeAbandoned:
		return LeaseLost, true
	case kept == election.OutcomeNone:
		return LeaseLost, false
	}
	return v, false
}
