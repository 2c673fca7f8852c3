package main

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/scheduler"
)

func cancelCommand() *cobra.Command {
	var r reasoned
	cmd := r.flags(&cobra.Command{
		Use: "cancel RUN…", Short: "Stop runs, wherever they are; they are not tried again",
		Long: "More than one run is stopped only after you say yes.\n\n",
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			if len(args) > 1 && !r.dryRun {
				if err := s.confirm(fmt.Sprintf("stop %d runs", len(args))); err != nil {
					return err
				}
			}
			for _, run := range args {
				if err := r.cancel(s, run); err != nil {
					return err
				}
			}
			return nil
		},
	})
	r.asksFirst(cmd)
	return cmd
}

// cancel stops one run.
func (r *reasoned) cancel(s *session, run string) error {
	if r.dryRun {
		return showing(s, cli.Call{Path: cli.Path("runs", run)}, func(x *admin.Run) error {
			if x.State == scheduler.RunEnded {
				return cli.Exit(cli.Conflict, errors.New("the run "+x.ID+" has ended: "+standing(x)))
			}
			return s.view.Line("would stop: %s, which is %s", x.ID, standing(x))
		})
	}
	call := cli.Call{Method: http.MethodPost, Path: cli.Path("runs", run, "cancel"), Body: r.body("", "")}
	return showing(s, call, func(x *admin.Run) error {
		if x.Verdict != "" {
			return s.view.Line("%s %s", standing(x), x.ID)
		}
		return s.view.Line("told to stop: %s", x.ID)
	})
}
