package main

import (
	"time"

	"github.com/spf13/cobra"
)

const maxNext = 1000

func nextCommand() *cobra.Command {
	var (
		q      question
		n      int
		from   string
		output string
	)
	cmd := &cobra.Command{
		Use: "next EXPR|JOB", Short: "Explain a schedule or a job, and show when it is due next",
		Long: "Say in words what a schedule means, and show its next moments: those after now\n" +
			"or after --from, with a note where one is unusual. A single word is the name of\n" +
			"a job in the file of -c. What is allowed but hardly meant goes to stderr.\n\n" + exitCodesHelp,
		Example: `  scheduler next "30 2 * * *" --tz Europe/Berlin --from 2027-03-27 -n 3
  scheduler next nightly-report -c config.yaml -n 10
  scheduler next -o json -- "*/15 * * * *"`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case n < 1 || n > maxNext:
				return usagef("-n %d is not between 1 and %d", n, maxNext)
			case output != "table" && output != "json":
				return usagef("-o %q is neither table nor json", output)
			}
			q.fileGiven = cmd.Flags().Changed("config")
			a, err := q.ask(args)
			if err != nil {
				return err
			}
			now := time.Now()
			after := now
			if from != "" {
				if after, err = readTime("--from", from, a.sched.Location()); err != nil {
					return err
				}
			}
			a.warn(cmd.ErrOrStderr())
			v := look(a.sched, after, n)
			if output == "json" {
				return v.json(cmd.OutOrStdout())
			}
			return v.table(cmd.OutOrStdout(), now)
		},
	}
	cmd.Flags().IntVarP(&n, "number", "n", 5, "how many moments")
	cmd.Flags().StringVar(&from, "from", "", "show what follows this time: RFC 3339, or a date or time in the zone of the schedule")
	cmd.Flags().StringVarP(&output, "output", "o", "table", "table or json")
	cmd.Flags().StringVar(&q.zone, "tz", "", "time zone of the expression, an IANA name (default UTC)")
	cmd.Flags().StringVar(&q.key, "key", "", "job the expression belongs to, as NAMESPACE/NAME: decides H and the phase of @every")
	cmd.Flags().BoolVar(&q.seconds, "seconds", false, "the expression has six fields, seconds first")
	cmd.Flags().StringVarP(&q.file, "config", "c", "config.yaml", "file that holds the job")
	return cmd
}
