package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/cmd/scheduler/internal/manual"
)

func docsGroup() *cobra.Command {
	cmd := group("docs", "Write the manual of this program")
	page := func(name, short string, form manual.Form) *cobra.Command {
		return &cobra.Command{
			Use: name + " DIR", Short: short, Args: args(cobra.ExactArgs(1)),
			RunE: func(cmd *cobra.Command, args []string) error {
				n, err := manual.Write(cmd.Root(), args[0], form)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s in %s\n", plural(n, "page"), args[0])
				return err
			},
		}
	}
	cmd.AddCommand(page("man", "Write man pages", manual.Man()), page("markdown", "Write pages in Markdown", manual.Markdown()))
	return cmd
}

// topics are what help tells beside commands.
func topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "The exit codes, for scripts", Long: cli.ExitCodes},
		{Use: "environment", Short: "The variables that the commands for replicas look at", Long: environmentHelp},
	}
}

const environmentHelp = `Variables of the environment that commands which speak to a replica look at; flags
go before them:
  SOLOCRON_SERVER      address of a replica: http://host:port, https://..., unix:///path
  SOLOCRON_TOKEN       token to sign in with; there is no flag, which would show in ps
  SOLOCRON_TOKEN_FILE  file that holds it
  SOLOCRON_CLIENT_CERT, SOLOCRON_CLIENT_KEY
                       files of the certificate to sign in with and of its key, for https://
  SOLOCRON_CA_FILE     file of the authorities to trust, for https://
  SOLOCRON_OUTPUT      table, wide, json, jsonl, yaml or name
  SOLOCRON_TZ          time zone to write times in
  NO_COLOR, TERM=dumb  no colours
SCHEDULER_* are settings of serve: see scheduler serve --help.`
