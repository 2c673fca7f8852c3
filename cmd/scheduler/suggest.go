package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/schedule/plan"
)

// suggestDays is how far suggest looks: every weekday and day of the month is in it.
const suggestDays = 31

func suggestCommand() *cobra.Command {
	var (
		every           time.Duration
		daily           bool
		zone, file, job string
		n               int
	)
	cmd := &cobra.Command{
		Use: "suggest", Short: "Find the quietest time for one more job",
		Long: "Show the phases of a period that share their minutes with the fewest starts of\n" +
			"the jobs in the file, over the next 31 days. The best one comes first: the\n" +
			"lowest peak, the fewest starts in all, the most room to a busier minute.",
		Example: `  scheduler suggest --every 1h -c config.yaml
  scheduler suggest --daily --tz Europe/Berlin --for nightly-report`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case n < 1 || n > maxNext:
				return usagef("-n %d is not between 1 and %d", n, maxNext)
			case daily == cmd.Flags().Changed("every"):
				return usagef("say how often: either --every, such as --every 1h, or --daily")
			case daily:
				every = 24 * time.Hour
			}
			loc, err := readZone(zone)
			if err != nil {
				return err
			}
			others, err := otherJobs(file, job)
			if err != nil {
				return err
			}
			load := plan.NewLoad(others, plan.Days(time.Now(), suggestDays))
			phases, err := plan.Quietest(load, every, loc, n)
			if err != nil {
				return usagef("--every: %w", err)
			}
			return printPhases(cmd.OutOrStdout(), phases, load, loc)
		},
	}
	cmd.Flags().DurationVar(&every, "every", 0, "the period: divides an hour, or a day in whole hours")
	cmd.Flags().BoolVar(&daily, "daily", false, "the same as --every 24h")
	cmd.Flags().StringVar(&zone, "tz", "", "time zone the job will have, an IANA name (default UTC)")
	cmd.Flags().StringVar(&job, "for", "", "job in the file that is to move: it does not count")
	cmd.Flags().IntVarP(&n, "number", "n", 3, "how many phases")
	cmd.Flags().StringVarP(&file, "config", "c", "config.yaml", "file that holds the other jobs")
	return cmd
}

// otherJobs reads the jobs of file without the one called name.
func otherJobs(file, name string) ([]plan.Job, error) {
	cfg, err := loadConfig(file, config.Overrides{})
	if err != nil {
		return nil, err
	}
	all := planned(cfg.Jobs)
	if name == "" {
		return all, nil
	}
	others := slices.DeleteFunc(slices.Clone(all), func(j plan.Job) bool { return j.Name == name })
	if len(others) == len(all) {
		return nil, configError{fmt.Errorf("--for: no job %q in %s%s", clip(name), file, nearest(name, cfg.Jobs))}
	}
	return others, nil
}

func printPhases(out io.Writer, phases []plan.Phase, load *plan.Load, zone *time.Location) error {
	return columns(out, func(w io.Writer) {
		fmt.Fprintf(w, "SCHEDULE (%s)\tOTHER STARTS IN A MINUTE\tIN %d DAYS\tBUSIER MINUTE\n", zone, suggestDays)
		for _, p := range phases {
			room := "none"
			if p.Room > 0 {
				room = cli.Span(p.Room) + " away"
			}
			fmt.Fprintf(w, "%s\tat most %d\t%d\t%s\n", p.Spec, p.Peak, p.Total, room)
		}
		if load.AtLeast {
			fmt.Fprintln(w, tooMany)
		}
	})
}
