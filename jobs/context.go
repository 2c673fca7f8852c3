package jobs

import (
	"context"
	"fmt"
)

type contextKey struct{}

// runContext carries a run without a copy of it: a Run is large, and few runners
// ask their context for it.
type runContext struct {
	context.Context
	run *Run
}

func (c runContext) Value(key any) any {
	if key == (contextKey{}) {
		return *c.run
	}
	return c.Context.Value(key)
}

// NewContext returns a context that carries run, which must not change any more.
func NewContext(ctx context.Context, run *Run) context.Context {
	return runContext{ctx, run}
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
