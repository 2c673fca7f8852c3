package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
)

// reasoned is a command that acts, and may be told why.
type reasoned struct {
	remote
	reason string
}

func (r *reasoned) flags(cmd *cobra.Command) *cobra.Command {
	r.asking(cmd)
	cmd.Flags().StringVar(&r.reason, "reason", "", "why, for those who read the history")
	return cmd
}

// body is what is sent, with one more member if it has a value.
func (r *reasoned) body(name, value string) map[string]string {
	body := map[string]string{"reason": r.reason}
	if value != "" {
		body[name] = value
	}
	return body
}

func cancelCommand() *cobra.Command {
	var r reasoned
	return r.flags(&cobra.Command{
		Use: "cancel RUN", Short: "Stop a run, wherever it is; it is not tried again",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := r.client()
			if err != nil {
				return err
			}
			var x admin.Run
			if err := c.post(cmd.Context(), path("runs", args[0], "cancel"), r.body("", ""), "", &x); err != nil {
				return err
			}
			if x.Verdict != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", standing(&x), oneLine(x.ID))
				return nil
			}
			fmt.Fprintf(cmd.OutOrStdout(), "told to stop: %s\n", oneLine(x.ID))
			return nil
		},
	})
}
