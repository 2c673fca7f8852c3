package jobs_test

import (
	"errors"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

func TestRunMayGoOnWhileItsLeaseLasts(t *testing.T) {
	t.Parallel()
	left := time.Second
	run := jobs.Run{ID: "job.20261129T013000Z", Link: jobs.Hooks{Left: func() time.Duration { return left }}}
	if err := run.Check(); err != nil {
		t.Errorf("with a second left: %v", err)
	}
	left = 0
	if err := run.Check(); !errors.Is(err, jobs.ErrNoTimeLeft) {
		t.Errorf("with nothing left: %v, want ErrNoTimeLeft", err)
	}
	if err := (jobs.Run{}).Check(); err != nil {
		t.Errorf("without a lease: %v", err)
	}
}
