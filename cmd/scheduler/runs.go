package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/scheduler"
)

// runGroup is what there is to do with runs. Of old it showed one.
func runGroup() *cobra.Command {
	cmd := group("run", "List, show, follow, stop and repeat runs")
	get := runGetCommand("run")
	unknown := cmd.Args
	cmd.Flags().AddFlagSet(get.Flags())
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = true }) // run get says what they are
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 && strings.Contains(args[0], ".") { // no verb has a dot, and every run has
			return nil
		}
		return unknown(cmd, args)
	}
	help := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return help(cmd, args)
		}
		get.SetContext(cmd.Context())
		get.SetOut(cmd.OutOrStdout())
		get.SetErr(cmd.ErrOrStderr())
		return get.RunE(get, args)
	}
	cmd.AddCommand(runListCommand("list"), runGetCommand("get"), logsCommand(), watchCommand(), cancelCommand(), rerunCommand())
	return cmd
}

// runFilter is which runs somebody wants to see.
type runFilter struct {
	status, replica, trigger string
	since, until             string
	limit                    int
}

func runListCommand(name string) *cobra.Command {
	var r remote
	var f runFilter
	cmd := r.showing(&cobra.Command{
		Use: name + " [JOB]", Short: "List runs, of all jobs or of one, those about the latest moment first",
		Example: "  scheduler runs nightly-report --limit 5\n  scheduler run list --status failed,lost --since 24h -o name",
		Args:    args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.limit < 1 || f.limit > maxItems {
				return usagef("--limit %d is not between 1 and %d", f.limit, maxItems)
			}
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			place, err := f.path(append(args, "")[0], time.Now())
			if err != nil {
				return err
			}
			if len(args) == 1 {
				s.job = args[0]
				if err := s.known(args[0]); err != nil {
					return err
				}
			}
			return listing(s, place, "pageSize", f.limit, s.tableOfRuns)
		},
	})
	fl := cmd.Flags()
	fl.StringVar(&f.status, "status", "", "only these, with commas: queued, running, retrying, open (those three) or verdicts such as failed,lost")
	fl.StringVar(&f.replica, "replica", "", "only those that ran on this replica")
	fl.StringVar(&f.trigger, "trigger", "", "only those for this cause: schedule, manual, retry, rerun, backfill, dependency")
	fl.StringVar(&f.since, "since", "", "only about moments after this: a length of time such as 24h, or RFC 3339")
	fl.StringVar(&f.until, "until", "", "only about moments before this")
	fl.IntVar(&f.limit, "limit", 20, "how many runs")
	return cmd
}

func (f *runFilter) path(job string, now time.Time) (string, error) {
	since, err := momentAgo("--since", f.since, now)
	if err != nil {
		return "", err
	}
	until, err := momentAgo("--until", f.until, now)
	if err != nil {
		return "", err
	}
	return cli.Query(cli.Path("runs"), "job", job, "status", f.status, "replica", f.replica, "trigger", f.trigger, "since", since, "until", until), nil
}

// momentAgo reads a moment, or a length of time before now, for the API; "" for none.
func momentAgo(flag, text string, now time.Time) (string, error) {
	if text == "" {
		return "", nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(-d.Abs()).UTC().Format(time.RFC3339), nil
	}
	at, err := readTime(flag, text, time.UTC)
	if err != nil {
		return "", err
	}
	return at.UTC().Format(time.RFC3339), nil
}

// known is nil if there is a job of this name, or runs of one that is gone: a list of
// runs of a mistyped one would only be empty.
func (s *session) known(job string) error {
	var answer struct{}
	return s.get(cli.Query(cli.Path("jobs", job, "runs"), "limit", "1"), &answer)
}

// tableOfRuns is runs in columns.
func (s *session) tableOfRuns(runs []admin.Run) cli.Table {
	t := cli.Table{
		Head: []string{"RUN", "STATUS", "REPLICA", "STARTED", "TOOK", "NOTE", "CAUSE", "BY", "ATTEMPT", "TOKEN"}, Wide: 4, Status: 2, Empty: "no runs",
	}
	for i := range runs {
		x := &runs[i]
		t.Rows = append(t.Rows, []string{
			x.ID, standing(x), x.Replica, s.view.Moment(x.Started), took(x), cli.Clip(cmp.Or(x.Error, x.Reason), maxNote),
			string(x.Cause), x.By, number(int64(x.Attempt)), number(x.Token),
		})
	}
	return t
}

// number is n for people; nothing for none.
func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
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

func took(x *admin.Run) string {
	if x.Started.IsZero() || x.Ended.Before(x.Started) {
		return ""
	}
	return x.Ended.Sub(x.Started).Round(time.Millisecond).String()
}

func runGetCommand(name string) *cobra.Command {
	var r remote
	return r.showing(&cobra.Command{
		Use: name + " RUN", Short: "Show all that is recorded of a run",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			return showing(s, cli.Call{Path: cli.Path("runs", args[0])}, s.showRun)
		},
	})
}

// showRun writes what is known of a run, one thing a line.
func (s *session) showRun(x *admin.Run) error {
	var f cli.Facts
	f.Add("run", x.ID)
	f.Add("job", x.Job)
	f.Add("about", s.view.Moment(x.Tick))
	f.Add("cause", string(x.Cause))
	f.Add("by", x.By)
	f.Add("reason", x.Reason)
	for _, name := range slices.Sorted(maps.Keys(x.Params)) {
		f.Add("param "+name, x.Params[name])
	}
	f.Add("status", standing(x))
	f.Add("not before", s.view.Moment(x.NotBefore))
	for i := range x.Attempts {
		a := &x.Attempts[i]
		f.Add("before", strings.TrimSpace(fmt.Sprintf("%s on %s after %s %s", a.Verdict, a.Replica, a.Took, a.Error)))
	}
	f.Add("attempt", number(int64(x.Attempt)))
	f.Add("replica", x.Replica)
	f.Add("token", number(x.Token))
	f.Add("started", s.view.Moment(x.Started))
	f.Add("delay", x.StartDelay)
	f.Add("ended", s.view.Moment(x.Ended))
	f.Add("took", took(x))
	f.Add("error", x.Error)
	return s.view.Facts(f)
}
