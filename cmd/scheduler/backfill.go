package main

import (
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/scheduler"
)

// backfill is what somebody wants run again of the past.
type backfill struct {
	reasoned
	from, to string
	most     int
	spacing  time.Duration
	params   []string
}

func backfillCommand() *cobra.Command {
	var b backfill
	cmd := b.flags(&cobra.Command{
		Use: "backfill JOB --from TIME --to TIME", Short: "Run a job for past moments of its schedule, oldest first",
		Long:    "--from is in the stretch, --to is not.\n\n",
		Example: "  scheduler job backfill nightly-report --from 2026-11-01 --to 2026-11-08 --spacing 5m",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case b.from == "" || b.to == "":
				return usagef("--from and --to are needed")
			case b.most < 1 || b.most > scheduler.MaxBackfill:
				return usagef("--max %d is not between 1 and %d", b.most, scheduler.MaxBackfill)
			case b.spacing < 0:
				return usagef("--spacing %s is negative", b.spacing)
			}
			params, err := readParams(b.params)
			if err != nil {
				return err
			}
			s, err := b.open(cmd)
			if err != nil {
				return err
			}
			s.job = args[0]
			return b.run(s, params)
		},
	})
	f := cmd.Flags()
	f.StringVar(&b.from, "from", "", "first moment: RFC 3339, or a date or time in the job's zone")
	f.StringVar(&b.to, "to", "", "the moment before which it ends")
	f.IntVar(&b.most, "max", scheduler.DefaultBackfill, "refuse if there are more")
	f.DurationVar(&b.spacing, "spacing", 0, "between two of them becoming due")
	f.StringArrayVar(&b.params, "param", nil, "a parameter of the job: name=value; may be repeated")
	return cmd
}

// run asks for the runs, or says for which it would.
func (b *backfill) run(s *session, params map[string]string) error {
	from, err := s.tickOf(s.job, b.from)
	if err != nil {
		return err
	}
	to, err := s.tickOf(s.job, b.to)
	if err != nil {
		return err
	}
	first, end := from.UTC().Format(time.RFC3339), to.UTC().Format(time.RFC3339)
	body := map[string]any{"max": b.most, "params": params, "reason": b.reason, "from": first, "to": end}
	if b.spacing > 0 {
		body["spacing"] = b.spacing.String()
	}
	place := cli.Path("jobs", s.job, "backfill")
	if b.dryRun {
		body["dryRun"] = true
		var list cli.List
		if err := s.do(cli.Call{Method: http.MethodPost, Path: place, Body: body, Again: true}, &list); err != nil {
			return err
		}
		return showList(s, &list, func(runs []admin.Run) cli.Table { return s.tableOfWishes(runs, from.Location()) })
	}
	key := cli.NewKey()
	var list cli.List
	if err := s.do(cli.Call{Method: http.MethodPost, Path: place, Body: body, Key: key}, &list); err != nil {
		return unsure(err, key)
	}
	return showList(s, &list, s.tableOfRuns)
}

// tableOfWishes is the runs that would be asked for, about moments in zone.
func (s *session) tableOfWishes(runs []admin.Run, zone *time.Location) cli.Table {
	t := cli.Table{Head: []string{"WOULD RUN", "UTC", "NOT BEFORE"}, Empty: "no moments"}
	for i := range runs {
		x := &runs[i]
		t.Rows = append(t.Rows, []string{s.view.Moment(x.Tick.In(zone)), x.Tick.UTC().Format(time.RFC3339), s.view.Moment(x.NotBefore)})
	}
	return t
}
