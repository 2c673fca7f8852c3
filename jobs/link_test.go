package jobs_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

// tellAll uses every method of run that its Link is behind.
func tellAll(run jobs.Run) time.Duration {
	run.Progress("half way")
	run.Output("stderr", "a line")
	run.Used(jobs.Usage{MaxRSS: 7})
	return run.Remaining()
}

func TestRunTellsItsLink(t *testing.T) {
	t.Parallel()
	var told []string
	run := testRun()
	run.Link = jobs.Hooks{
		Left:       func() time.Duration { return time.Minute },
		OnProgress: func(text string) { told = append(told, "progress "+text) },
		OnOutput:   func(stream, line string) { told = append(told, stream+" "+line) },
		OnUsed:     func(u jobs.Usage) { told = append(told, fmt.Sprint("used ", u.MaxRSS)) },
	}
	left := tellAll(run)
	want := []string{"progress half way", "stderr a line", "used 7"}
	if left != time.Minute || !slices.Equal(told, want) {
		t.Errorf("got %v left and %q, want a minute and %q", left, told, want)
	}
}

func TestRunThatNobodyListensToHasNoLimit(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]jobs.Link{"no link": nil, "no hook": jobs.Hooks{}} {
		run := testRun()
		run.Link = link
		if got := tellAll(run); got != jobs.NoLimit {
			t.Errorf("%s: got %v left, want NoLimit", name, got)
		}
		if err := run.Check(); err != nil {
			t.Errorf("%s: %v, want it to go on", name, err)
		}
	}
}
