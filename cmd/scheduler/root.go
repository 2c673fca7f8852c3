package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// newRoot returns the command line. Data goes to stdout, the rest to stderr.
func newRoot(stdout, stderr io.Writer) *cobra.Command {
	root := group("scheduler", "Run jobs on a schedule, each moment on exactly one replica")
	root.Long = root.Short + ".\n\n" +
		"Start with: scheduler dev\n\n" + exitCodesHelp
	root.SilenceUsage, root.SilenceErrors = true, true
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })

	validate := group("config", "Look at a configuration file")
	validate.AddCommand(validateCommand())
	root.AddCommand(serveCommand(), devCommand(), doctorCommand(), validate, nextCommand(), planCommand(),
		testCommand(), suggestCommand(), versionCommand())
	root.AddCommand(whyCommand(), runsCommand(), runCommand(), logsCommand(), triggerCommand(), rerunCommand(),
		backfillCommand(), cancelCommand(), pauseCommand(), resumeCommand(), skipNextCommand(), deadLettersCommand())
	return root
}

// group is a command that only holds others: alone it shows its help, and what
// it does not know is an error with the nearest names.
func group(name, short string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			hint := ""
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "; did you mean " + strings.Join(near, " or ") + "?"
			}
			return usagef("unknown command %q for %q%s", args[0], cmd.CommandPath(), hint)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmd.Help(); err != nil {
				return fmt.Errorf("help: %w", err)
			}
			return nil
		},
		SuggestionsMinimumDistance: 2,
	}
}
