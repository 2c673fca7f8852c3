package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
)

func whyCommand() *cobra.Command {
	var r remote
	return r.showing(&cobra.Command{
		Use: "why JOB TICK", Short: "Tell what became of a tick, and why",
		Long: "TICK is a moment of the job's schedule: 02:30 (today), 2026-11-29T02:30, both in\n" +
			"the job's zone, or one with an offset such as 2026-11-29T01:30:00Z.\n\n",
		Example: "  scheduler why nightly-report 02:30",
		Args:    args(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := r.client()
			if err != nil {
				return err
			}
			at, err := tickOf(cmd.Context(), c, args[0], args[1])
			if err != nil {
				return err
			}
			var s admin.Story
			place := path("jobs", args[0], "ticks", at.UTC().Format(time.RFC3339Nano))
			return r.show(cmd.Context(), cmd.OutOrStdout(), place, &s, func(out io.Writer) error { return tell(out, s) })
		},
	})
}

// tell writes a story for people.
func tell(out io.Writer, s admin.Story) error {
	fmt.Fprintf(out, "%s, %s %s", s.Job, s.Tick.Format(wallLayout), s.TimeZone)
	if s.Run != nil {
		fmt.Fprintf(out, ", run %s", oneLine(s.Run.ID))
	}
	fmt.Fprintln(out)
	for _, line := range s.Story {
		fmt.Fprintln(out, oneLine(line))
	}
	for _, id := range s.Silent {
		fmt.Fprintf(out, "%s lives and gave no answer\n", oneLine(id))
	}
	return nil
}

var clockOnly = regexp.MustCompile(`^\d\d:\d\d(:\d\d)?$`)

// tickOf reads a moment that somebody typed, on the wall of the zone of job unless it
// has an offset.
func tickOf(ctx context.Context, c *client, job, text string) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	zone, err := zoneOf(ctx, c, job)
	if err != nil {
		return time.Time{}, err
	}
	if clockOnly.MatchString(text) {
		text = time.Now().In(zone).Format(time.DateOnly) + "T" + text
	}
	return readTime("time", text, zone)
}

// zoneOf is the time zone of a job.
func zoneOf(ctx context.Context, c *client, job string) (*time.Location, error) {
	var d struct {
		TimeZone string `json:"timeZone"`
	}
	if err := c.get(ctx, path("jobs", job), &d); err != nil {
		return nil, err
	}
	return readZone(d.TimeZone)
}
