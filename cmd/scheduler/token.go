package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

func tokenGroup() *cobra.Command {
	cmd := group("token", "Make lines for the file of tokens")
	cmd.AddCommand(tokenHashCommand())
	return cmd
}

func tokenHashCommand() *cobra.Command {
	var name, role string
	var fresh bool
	cmd := &cobra.Command{
		Use: "hash --name NAME --role ROLE", Short: "Print the line that lets a token in, which holds only its hash",
		Long: "The token is read from stdin, so that no list of processes shows it. With --new\n" +
			"one is made and printed on stderr, this once.\n\n" + exitCodesHelp,
		Example: "  scheduler token hash --name ci --role operator --new >> /etc/solocron/tokens\n" +
			"  scheduler token hash --name ci --role operator < token.txt",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if name == "" || role == "" {
				return usagef("--name and --role are needed")
			}
			r, err := access.ParseRole(role)
			if err != nil {
				return usagef("--role: %w", err)
			}
			token := access.NewToken()
			if !fresh {
				if cli.Terminal(cmd.InOrStdin()) {
					fmt.Fprintln(cmd.ErrOrStderr(), "type the token and end it with Enter and Ctrl-D; it is shown as you type")
				}
				if token, err = cli.ReadToken(cmd.InOrStdin(), "stdin"); err != nil {
					return configError{err}
				}
			}
			line, err := access.Line(name, r, token)
			if err != nil {
				return configError{err}
			}
			if fresh {
				fmt.Fprintf(cmd.ErrOrStderr(), "token: %s\n", token)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), line)
			return err
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "who has the token, as the history calls them")
	cmd.Flags().StringVar(&role, "role", "", "viewer, operator or admin")
	cmd.Flags().BoolVar(&fresh, "new", false, "make a token, and print it on stderr")
	fixed(cmd, "role", "viewer", "operator", "admin")
	return cmd
}
