package main

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

func leaseGroup() *cobra.Command {
	cmd := group("lease", "Look at the rights to run, and take one away")
	cmd.AddCommand(leaseListCommand(), leaseReleaseCommand())
	return cmd
}

func leaseListCommand() *cobra.Command {
	var r remote
	var held bool
	var limit int
	cmd := r.showing(&cobra.Command{
		Use: "list", Short: "List who may run which job now, and for how long",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			return listing(s, cli.Query(cli.Path("leases"), "held", yes(held)), "pageSize", limit, s.tableOfLeases)
		},
	})
	cmd.Flags().BoolVar(&held, "held", false, "only those that somebody has")
	cmd.Flags().IntVar(&limit, "limit", 1000, "how many leases")
	return cmd
}

func (s *session) tableOfLeases(list []admin.Lease) cli.Table {
	t := cli.Table{
		Head: []string{"JOB", "STATE", "HOLDER", "TOKEN", "REMAINING", "RUN", "ACQUIRED", "CRASHES", "LATE"}, Wide: 3, Status: 2, Empty: "no leases",
	}
	for i := range list {
		l := &list[i]
		t.Rows = append(t.Rows, []string{
			l.Job, l.State, dash(l.Holder), number(l.Token), dash(remaining(l)), dash(l.Run), s.view.Moment(l.Acquired), fmt.Sprint(l.Crashes), fmt.Sprint(l.Late),
		})
	}
	return t
}

func remaining(l *admin.Lease) string {
	if l.RemainingSeconds <= 0 {
		return ""
	}
	return l.Remaining
}

func leaseReleaseCommand() *cobra.Command {
	var r reasoned
	var token int64
	cmd := r.flags(&cobra.Command{
		Use: "release JOB", Short: "Take the lease of a job away from whoever has it",
		Long: "The holder is told by its next renewal and ends the run; nobody else is let in\n" +
			"until its lease has surely ended. It asks first.\n\n",
		Example: "  scheduler lease release nightly-report --reason \"pod hangs\"",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.reason == "" {
				return usagef("--reason is needed")
			}
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			s.job = args[0]
			return r.release(s, token)
		},
	})
	cmd.Flags().Int64Var(&token, "token", 0, "only the lease with this token; 0: the one that is held now")
	r.asksFirst(cmd)
	return cmd
}

// release takes the lease of the session's job away.
func (r *reasoned) release(s *session, token int64) error {
	l, err := s.lease(s.job)
	if err != nil {
		return err
	}
	if !l.Held || token != 0 && token != l.Token {
		return cli.Exit(cli.Conflict, fmt.Errorf("the lease of %s is not held under this token: it is %s", clip(s.job), l.State))
	}
	what := fmt.Sprintf("take the lease of %s away from %s (token %d)", l.Job, l.Holder, l.Token)
	if r.dryRun {
		return s.view.Line("would %s", what)
	}
	if err := s.confirm(what); err != nil {
		return err
	}
	body := map[string]any{"reason": r.reason, "confirmJob": s.job, "token": l.Token}
	return showing(s, cli.Call{Method: http.MethodPost, Path: cli.Path("leases", s.job, "release"), Body: body}, func(l *admin.Lease) error {
		return s.view.Line("taken away: %s, closed for another %s", l.Job, l.Remaining)
	})
}

var errNoLease = errors.New("the server does not list its lease")

// lease is that of a job.
func (s *session) lease(job string) (*admin.Lease, error) {
	var details struct{}
	if err := s.get(cli.Path("jobs", job), &details); err != nil {
		return nil, err
	}
	list, err := s.All(s.cmd.Context(), cli.Path("leases"), "pageSize", maxItems)
	if err != nil {
		return nil, err
	}
	leases, err := cli.Decode[admin.Lease](list)
	if err != nil {
		return nil, err
	}
	for i := range leases {
		if leases[i].Job == job {
			return &leases[i], nil
		}
	}
	return nil, cli.Exit(cli.Missing, fmt.Errorf("%s: %w", job, errNoLease))
}
