package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// teardownTime is what all steps of a teardown together get.
const teardownTime = 10 * time.Second

// teardown is what has to be undone, last done first.
type teardown struct {
	log   *slog.Logger
	steps []step
}

type step struct {
	name string
	do   func(context.Context) error
}

// push adds a step; what it returns is reported under its name.
func (t *teardown) push(name string, do func(context.Context) error) {
	t.steps = append(t.steps, step{name, do})
}

// run does all steps, whether or not those before succeeded, within
// teardownTime, and joins their errors. It does them once.
func (t *teardown) run() error {
	ctx, cancel := context.WithTimeout(context.Background(), teardownTime)
	defer cancel()
	var errs []error
	for len(t.steps) > 0 {
		last := t.steps[len(t.steps)-1]
		t.steps = t.steps[:len(t.steps)-1]
		t.log.Debug("closing", "step", last.name)
		if err := last.do(ctx); err != nil {
			errs = append(errs, fmt.Errorf("close %s: %w", last.name, err))
		}
	}
	return errors.Join(errs...)
}
