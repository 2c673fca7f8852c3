package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
)

func pauseCommand() *cobra.Command {
	var (
		r     reasoned
		until string
		span  time.Duration
	)
	cmd := r.flags(&cobra.Command{
		Use: "pause JOB", Short: "Skip the ticks of a job until it is resumed, or for a time",
		Long: "What runs goes on, and trigger still works.\n\n",
		Example: "  scheduler pause nightly-report --for 2h --reason \"database upgrade\"\n" +
			"  scheduler pause nightly-report --until 2026-12-01T06:00",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if until != "" && span != 0 || span < 0 {
				return usagef("either --until or --for, which is more than 0")
			}
			c, err := r.client()
			if err != nil {
				return err
			}
			place, body := path("jobs", args[0], "pause"), r.body("", "")
			switch {
			case span > 0:
				place, body = path("jobs", args[0], "snooze"), r.body("for", span.String())
			case until != "":
				at, err := tickOf(cmd.Context(), c, args[0], until)
				if err != nil {
					return err
				}
				body = r.body("until", at.UTC().Format(time.RFC3339))
			}
			var g admin.Gate
			if err := c.post(cmd.Context(), place, body, "", &g); err != nil {
				return err
			}
			return sayGate(cmd.OutOrStdout(), args[0], g)
		},
	})
	cmd.Flags().StringVar(&until, "until", "", "ticks before this time: RFC 3339, or a time in the job's zone")
	cmd.Flags().DurationVar(&span, "for", 0, "for this time from now, such as 2h30m")
	return cmd
}

func sayGate(out io.Writer, job string, g admin.Gate) error {
	text := "open: " + job
	if g.Closed {
		text = "paused: " + job + " until it is resumed"
		if !g.Until.IsZero() {
			text = "paused: " + job + " until " + g.Until.Local().Format(wallLayout)
		}
	}
	_, err := fmt.Fprintln(out, oneLine(text))
	return err
}

func resumeCommand() *cobra.Command {
	var r reasoned
	return r.flags(&cobra.Command{
		Use: "resume JOB", Short: "End a pause; what was skipped stays skipped",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := r.client()
			if err != nil {
				return err
			}
			var g admin.Gate
			if err := c.post(cmd.Context(), path("jobs", args[0], "resume"), r.body("", ""), "", &g); err != nil {
				return err
			}
			return sayGate(cmd.OutOrStdout(), args[0], g)
		},
	})
}

func skipNextCommand() *cobra.Command {
	var r reasoned
	return r.flags(&cobra.Command{
		Use: "skip-next JOB", Short: "Skip the next tick of a job, and only that",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := r.client()
			if err != nil {
				return err
			}
			var s admin.Skipped
			if err := c.post(cmd.Context(), path("jobs", args[0], "skip-next"), r.body("", ""), "", &s); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "will be skipped: %s %s\n", oneLine(args[0]), s.Tick.Local().Format(wallLayout))
			return nil
		},
	})
}
