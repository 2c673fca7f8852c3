package jobs

import (
	"context"
	"fmt"
)

type contextKey struct{}

// NewContext returns a context that carries run.
func NewContext(ctx context.Context, run Run) context.Context {
	return context.WithValue(ctx, contextKey{}, run)
}

// FromContext returns the run that ctx was made for, and whether there is one.
func FromContext(ctx context.Context) (Run, bool) {
	run, ok := ctx.Value(contextKey{}).(Run)
	return run, ok
}

// stopped returns the error of a run: the cause of ctx if ctx has ended,
// with what the work said about it, else err as it is.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	cause := context.Cause(ctx)
	if err == nil {
		return cause
	}
	return fmt.Errorf("%w (%s)", cause, err.Error())
}
