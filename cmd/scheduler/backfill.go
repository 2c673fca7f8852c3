package main

import (
	"net/http"
	"strconv"
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
	if b.dryRun {
		path := cli.Query(cli.Path("jobs", s.job, "next"), "n", strconv.Itoa(min(b.most+1, scheduler.MaxBackfill)), "from", first, "to", end)
		return showing(s, cli.Call{Path: path}, func(n *admin.Nexts) error { return b.rehearse(s, n) })
	}
	body := map[string]any{"max": b.most, "params": params, "reason": b.reason, "from": first, "to": end}
	if b.spacing > 0 {
		body["spacing"] = b.spacing.String()
	}
	key := cli.NewKey()
	var list cli.List
	if err := s.do(cli.Call{Method: http.MethodPost, Path: cli.Path("jobs", s.job, "backfill"), Body: body, Key: key}, &list); err != nil {
		return unsure(err, key)
	}
	return showList(s, &list, s.tableOfRuns)
}

// rehearse says which moments would be run.
func (b *backfill) rehearse(s *session, n *admin.Nexts) error {
	if len(n.Items) > b.most {
		return usagef("there are more than %d moments: say --max", b.most)
	}
	t := cli.Table{Head: []string{"WOULD RUN", "UTC"}, Empty: "no moments"}
	for i := range n.Items {
		u := &n.Items[i]
		t.Rows = append(t.Rows, []string{s.view.Moment(u.Time), u.UTC.Format(time.RFC3339)})
	}
	return s.view.Table(t)
}
