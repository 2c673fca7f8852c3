package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
)

func deadLettersCommand() *cobra.Command {
	var (
		r            remote
		ack, redrive string
	)
	cmd := r.showing(&cobra.Command{
		Use: "dead-letters", Short: "List the runs that failed for good, until somebody deals with them",
		Example: "  scheduler dead-letters --redrive nightly-report.20261129T013000Z",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case ack != "" && redrive != "":
				return usagef("either --ack or --redrive")
			case ack != "":
				return r.dealWith(cmd, ack, "acknowledge", "acknowledged")
			case redrive != "":
				return r.dealWith(cmd, redrive, "redrive", "requested again")
			}
			var list admin.Runs
			return r.show(cmd.Context(), cmd.OutOrStdout(), path("dead-letters"), &list, func(out io.Writer) error {
				return listRuns(out, list.Items)
			})
		},
	})
	cmd.Flags().StringVar(&ack, "ack", "", "take this run off the list")
	cmd.Flags().StringVar(&redrive, "redrive", "", "run this run again, and take it off the list")
	return cmd
}

// dealWith does something about one letter.
func (r *remote) dealWith(cmd *cobra.Command, run, verb, done string) error {
	c, err := r.client()
	if err != nil {
		return err
	}
	var x admin.Run
	if err := c.post(cmd.Context(), path("dead-letters", run, verb), nil, "", &x); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", done, oneLine(x.ID))
	return err
}
