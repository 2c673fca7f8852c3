package jobs

import (
	"errors"
	"math"
	"slices"
	"time"
)

// What a Retry that says nothing has.
const (
	defaultInitialInterval = 10 * time.Second
	defaultMaxInterval     = 5 * time.Minute
	defaultBackoff         = 2
)

// Pause is the wait between the end of an attempt, counted from 1, that failed
// and the next. Jitter, from 0 up to but not 1, says where in its spread the
// wait falls: 0 makes it r.Jitter of itself shorter, 0.5 leaves it as it is.
// MaxInterval bounds the wait before it is spread.
func (r Retry) Pause(attempt int, jitter float64) time.Duration {
	first, factor := r.InitialInterval, r.BackoffCoefficient
	if first == 0 {
		first = defaultInitialInterval
	}
	if factor == 0 {
		factor = defaultBackoff
	}
	longest := float64(r.maxInterval())
	wait := min(longest, float64(first)*math.Pow(factor, float64(max(1, attempt)-1)))
	spread := wait * (1 + r.Jitter*(2*jitter-1))
	return time.Duration(max(0, min(spread, 2*longest)))
}

// maxInterval is never less than the first wait, which somebody may have made
// long without a thought for the limit.
func (r Retry) maxInterval() time.Duration {
	if r.MaxInterval == 0 {
		return max(defaultMaxInterval, r.InitialInterval)
	}
	return r.MaxInterval
}

// Again reports whether an attempt, counted from 1, that ended with err is to be
// followed by another: there is one left, and err is neither Permanent nor an
// exit code that is not to be retried. What the work does not say itself, that
// somebody cancelled it, is for the caller to know.
func (r Retry) Again(err error, attempt int) bool {
	if err == nil || attempt >= r.MaxAttempts {
		return false
	}
	if _, ok := errors.AsType[*permanentError](err); ok {
		return false
	}
	exit, ok := errors.AsType[*ExitError](err)
	return !ok || !slices.Contains(r.NonRetryableExitCodes, exit.Code)
}

// Permanent marks err as one that another attempt would only meet again: a run
// that ends with it is not retried. Its text is that of err; nil stays nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }

func (e *permanentError) Unwrap() error { return e.err }
