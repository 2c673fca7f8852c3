package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/schedule/plan"
)

// What plan may be asked for.
const (
	maxDays = 366
	maxList = 10_000
)

func planCommand() *cobra.Command {
	var (
		days, list int
		from       string
	)
	cmd := &cobra.Command{
		Use: "plan OLD.yaml NEW.yaml", Short: "Show which starts a change of the file gains, loses and moves",
		Long: "Compare the jobs of two files by when they start: after jitter and deferral,\n" +
			"without what is excluded or suspended. A lost start and a gained one beside it\n" +
			"are one that moved; \"clock changes\" marks the days on which it does.\n" +
			"Exit code 0: no difference; 1: there is one; 3: a file is invalid.",
		Example: "  scheduler plan old.yaml config.yaml --days 90",
		Args:    args(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case days < 1 || days > maxDays:
				return usagef("--days %d is not between 1 and %d", days, maxDays)
			case list < 0 || list > maxList:
				return usagef("--list %d is not between 0 and %d", list, maxList)
			}
			begin := time.Now().UTC().Truncate(time.Minute)
			if from != "" {
				var err error
				if begin, err = readTime("--from", from, time.UTC); err != nil {
					return err
				}
			}
			before, err := loadConfig(args[0], config.Overrides{})
			if err != nil {
				return err
			}
			after, err := loadConfig(args[1], config.Overrides{})
			if err != nil {
				return err
			}
			p := comparison{
				before: planned(before.Jobs), after: planned(after.Jobs),
				window: plan.Days(begin, days), days: days, list: list,
			}
			return p.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().IntVar(&days, "days", 30, "how many days to look at")
	cmd.Flags().IntVar(&list, "list", 10, "how many changes of each job to list")
	cmd.Flags().StringVar(&from, "from", "", "begin at this time instead of now: RFC 3339, or a date or time in UTC")
	return cmd
}

// planned returns the jobs as package plan wants them.
func planned(jobs []config.Job) []plan.Job {
	all := make([]plan.Job, 0, len(jobs))
	for _, j := range jobs {
		p := plan.Job{Name: j.Name}
		if !j.Suspend {
			p.Schedule = j.Schedule
		}
		all = append(all, p)
	}
	return all
}
