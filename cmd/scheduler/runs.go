package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/scheduler"
)

// maxRuns is how many runs a server lists.
const maxRuns = 1000

func runsCommand() *cobra.Command {
	var r remote
	var limit int
	cmd := r.showing(&cobra.Command{
		Use: "runs [JOB]", Short: "List the runs of a job, or all that have not ended",
		Example: "  scheduler runs nightly-report --limit 5",
		Args:    args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 || limit > maxRuns {
				return usagef("--limit %d is not between 1 and %d", limit, maxRuns)
			}
			place := path("runs")
			if len(args) == 1 {
				place = path("jobs", args[0], "runs") + "?limit=" + strconv.Itoa(limit)
			}
			var list admin.Runs
			return r.show(cmd.Context(), cmd.OutOrStdout(), place, &list, func(out io.Writer) error {
				return listRuns(out, list.Items[:min(limit, len(list.Items))])
			})
		},
	})
	cmd.Flags().IntVar(&limit, "limit", 20, "how many runs")
	return cmd
}

// listRuns writes runs in columns.
func listRuns(out io.Writer, runs []admin.Run) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(out, "no runs")
		return err
	}
	return columns(out, func(w io.Writer) {
		fmt.Fprintln(w, "RUN\tSTATE\tREPLICA\tSTARTED\tTOOK\tNOTE")
		for i := range runs {
			x := &runs[i]
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", oneLine(x.ID), standing(x), oneLine(x.Replica), instant(x.Started), took(x), plain(cmp.Or(x.Error, x.Reason)))
		}
	})
}

// standing is how far a run is, or how it has ended.
func standing(x *admin.Run) string {
	switch {
	case x.State != scheduler.RunEnded:
		return string(x.State)
	case x.Why != scheduler.ReasonNone:
		return fmt.Sprintf("%s(%s)", x.Verdict, x.Why)
	}
	return string(x.Verdict)
}

// instant is a moment for people; nothing for none.
func instant(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format(time.DateTime)
}

func took(x *admin.Run) string {
	if x.Started.IsZero() || x.Ended.Before(x.Started) {
		return ""
	}
	return x.Ended.Sub(x.Started).Round(time.Millisecond).String()
}

func runCommand() *cobra.Command {
	var r remote
	return r.showing(&cobra.Command{
		Use: "run RUN", Short: "Show one run",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var x admin.Run
			return r.show(cmd.Context(), cmd.OutOrStdout(), path("runs", args[0]), &x, func(out io.Writer) error {
				return showRun(out, &x)
			})
		},
	})
}

// showRun writes what is known of a run, one thing a line.
func showRun(out io.Writer, x *admin.Run) error {
	return columns(out, func(w io.Writer) {
		say := func(name, value string) {
			if value != "" {
				fmt.Fprintf(w, "%s\t%s\n", name, oneLine(value))
			}
		}
		say("run", x.ID)
		say("job", x.Job)
		say("about", x.Tick.Local().Format(wallLayout))
		say("cause", string(x.Cause))
		say("by", x.By)
		say("reason", x.Reason)
		for _, name := range slices.Sorted(maps.Keys(x.Params)) {
			say("param "+name, x.Params[name])
		}
		say("state", standing(x))
		say("not before", instant(x.NotBefore))
		for i := range x.Attempts {
			a := &x.Attempts[i]
			say("before", fmt.Sprintf("%s on %s after %s %s", a.Verdict, a.Replica, a.Took, a.Error))
		}
		if x.Attempt > 0 {
			say("attempt", strconv.Itoa(x.Attempt))
		}
		say("replica", x.Replica)
		if x.Token != 0 {
			say("token", strconv.FormatInt(x.Token, 10))
		}
		say("started", instant(x.Started))
		say("delay", x.StartDelay)
		say("ended", instant(x.Ended))
		say("took", took(x))
		say("error", x.Error)
	})
}
