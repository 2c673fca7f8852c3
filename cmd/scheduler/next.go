package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/schedule"
)

const maxNext = 1000

func nextCommand() *cobra.Command {
	var (
		n          int
		zone, file string
	)
	cmd := &cobra.Command{
		Use: "next EXPR|JOB", Short: "Show when a schedule or a job is due next",
		Long: "Show the next moments of a schedule, or with -c of a job in a file.",
		Example: `  scheduler next "30 2 * * 1-5" --tz Europe/Berlin
  scheduler next nightly-report -c config.yaml -n 10`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if n < 1 || n > maxNext {
				return usagef("-n %d is not between 1 and %d", n, maxNext)
			}
			sched, err := findSchedule(strings.Join(args, " "), zone, file)
			if err != nil {
				return err
			}
			return printNext(cmd.OutOrStdout(), sched, time.Now(), n)
		},
	}
	cmd.Flags().IntVarP(&n, "number", "n", 5, "how many moments")
	cmd.Flags().StringVar(&zone, "tz", "", "time zone of the expression, an IANA name (default UTC)")
	cmd.Flags().StringVarP(&file, "config", "c", "", "file that holds the job")
	return cmd
}

// findSchedule reads what as the name of a job in file, if there is one, or
// else as an expression.
func findSchedule(what, zone, file string) (*schedule.Schedule, error) {
	if file == "" {
		return parseSchedule(what, zone)
	}
	cfg, err := loadConfig(file, config.Overrides{})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(cfg.Jobs, func(j config.Job) bool { return j.Name == what })
	switch {
	case i < 0:
		return nil, usagef("no job %q in %s", what, file)
	case zone != "":
		return nil, usagef("--tz is for an expression: job %q has the zone %s", what, cfg.Jobs[i].TimeZone)
	}
	return cfg.Jobs[i].Schedule, nil
}

func parseSchedule(expr, zone string) (*schedule.Schedule, error) {
	var o schedule.Options
	if zone != "" {
		loc, err := schedule.LoadZone(zone)
		if err != nil {
			return nil, usageError{fmt.Errorf("--tz: %w", err)}
		}
		o.Zone = loc
	}
	o.Seconds = len(strings.Fields(expr)) == 6
	sched, err := schedule.Parse(expr, o)
	if err != nil {
		return nil, usageError{err}
	}
	return sched, nil
}

// printNext writes the n moments of sched that follow now.
func printNext(out io.Writer, sched *schedule.Schedule, now time.Time, n int) error {
	loc := sched.Location()
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintf(w, "schedule   %s\nzone       %s\n\n", sched.Spec(), loc)
	fmt.Fprintln(w, "#\tLOCAL\tUTC\tFROM NOW")
	at := now
	for i := range n {
		if at = sched.Next(at); at.IsZero() {
			fmt.Fprintln(w, "no further moments")
			break
		}
		fmt.Fprintf(w, "%d\t%s\t%s\tin %s\n", i+1,
			at.In(loc).Format("Mon 2006-01-02 15:04:05 -0700"), at.UTC().Format(time.RFC3339), span(at.Sub(now)))
	}
	return w.Flush()
}

// span is d for people: the two largest units.
func span(d time.Duration) string {
	d = d.Round(time.Second)
	days, hours := d/(24*time.Hour), d%(24*time.Hour)/time.Hour
	minutes, seconds := d%time.Hour/time.Minute, d%time.Minute/time.Second
	switch {
	case days > 0:
		return fmt.Sprintf("%dd %dh", days, hours)
	case hours > 0:
		return fmt.Sprintf("%dh %dm", hours, minutes)
	case minutes > 0:
		return fmt.Sprintf("%dm %ds", minutes, seconds)
	}
	return fmt.Sprintf("%ds", seconds)
}
