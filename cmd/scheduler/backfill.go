package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/scheduler"
)

func backfillCommand() *cobra.Command {
	var (
		r        reasoned
		from, to string
		most     int
		spacing  time.Duration
		params   []string
	)
	cmd := r.flags(&cobra.Command{
		Use: "backfill JOB --from TIME --to TIME", Short: "Run a job for past moments of its schedule, oldest first",
		Long:    "--from is in the stretch, --to is not.\n\n",
		Example: "  scheduler backfill nightly-report --from 2026-11-01 --to 2026-11-08 --spacing 5m",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case from == "" || to == "":
				return usagef("--from and --to are needed")
			case most < 1 || most > scheduler.MaxBackfill:
				return usagef("--max %d is not between 1 and %d", most, scheduler.MaxBackfill)
			case spacing < 0:
				return usagef("--spacing %s is negative", spacing)
			}
			given, err := readParams(params)
			if err != nil {
				return err
			}
			c, err := r.client()
			if err != nil {
				return err
			}
			body := map[string]any{"max": most, "params": given, "reason": r.reason}
			for name, text := range map[string]string{"from": from, "to": to} {
				at, err := tickOf(cmd.Context(), c, args[0], text)
				if err != nil {
					return err
				}
				body[name] = at.UTC().Format(time.RFC3339)
			}
			if spacing > 0 {
				body["spacing"] = spacing.String()
			}
			var list admin.Runs
			if err := c.post(cmd.Context(), path("jobs", args[0], "backfill"), body, "", &list); err != nil {
				return err
			}
			return listRuns(cmd.OutOrStdout(), list.Items)
		},
	})
	cmd.Flags().StringVar(&from, "from", "", "first moment: RFC 3339, or a date or time in the job's zone")
	cmd.Flags().StringVar(&to, "to", "", "the moment before which it ends")
	cmd.Flags().IntVar(&most, "max", scheduler.DefaultBackfill, "refuse if there are more")
	cmd.Flags().DurationVar(&spacing, "spacing", 0, "between two of them becoming due")
	cmd.Flags().StringArrayVar(&params, "param", nil, "a parameter of the job: name=value; may be repeated")
	return cmd
}
