package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/schedule"
)

func testCommand() *cobra.Command {
	return &cobra.Command{
		Use: "test FILE", Short: "Run the tests that a configuration file holds about its schedules",
		Long: "Run the tests: of each job. A test says from when, and which ticks are next:\n\n" +
			"  tests:\n" +
			"    - from: 2027-03-27T00:00:00+01:00\n" +
			"      next: [\"2027-03-27T02:30:00+01:00\", \"2027-03-28T03:00:00+02:00\"]\n\n" +
			"Ticks that a calendar excludes are passed over; a tick that is deferred or has\n" +
			"jitter is named by its own moment. Exit code 0: all hold; 1: some do not, each\n" +
			"a line with file:line; 3: the file is invalid.",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(args[0], config.Overrides{})
			if err != nil {
				return err
			}
			ran, failed := 0, 0
			for _, job := range cfg.Jobs {
				for _, test := range job.Tests {
					ran++
					if msg := try(job.Schedule, test.From, test.Next); msg != "" {
						failed++
						fmt.Fprintf(cmd.OutOrStdout(), "%s:%d: %s: %s\n", args[0], test.Line, job.Name, msg)
					}
				}
			}
			switch {
			case failed > 0:
				return fmt.Errorf("%d of %s failed", failed, plural(ran, "test"))
			case ran == 0:
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "no tests in %s\n", args[0])
			default:
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "ok: %s\n", plural(ran, "test"))
			}
			return err
		},
	}
}

// try compares the ticks of sched after from with want, and says where they
// first differ; nothing if they do not.
func try(sched *schedule.Schedule, from time.Time, want []time.Time) string {
	zone := sched.Location()
	at := from
	for i, w := range want {
		got, ok := nextRun(sched, at)
		place := fmt.Sprintf("tick %d after %s", i+1, from.In(zone).Format(time.RFC3339))
		switch {
		case !ok:
			return fmt.Sprintf("%s: got none, want %s", place, w.In(zone).Format(time.RFC3339))
		case !got.Equal(w):
			note := sched.Note(got)
			if note != "" {
				note = " (" + note + ")"
			}
			return fmt.Sprintf("%s: got %s%s, want %s", place, got.In(zone).Format(time.RFC3339), note, w.In(zone).Format(time.RFC3339))
		}
		at = got
	}
	return ""
}

// maxExcluded is how many excluded ticks in a row are passed over.
const maxExcluded = 1_000_000

// nextRun returns the first tick after at that is not excluded.
func nextRun(sched *schedule.Schedule, at time.Time) (time.Time, bool) {
	for range maxExcluded {
		if at = sched.Next(at); at.IsZero() {
			break
		}
		if _, skipped := sched.Excluded(at); !skipped {
			return at, true
		}
	}
	return time.Time{}, false
}
