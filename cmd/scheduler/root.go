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
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })

	root.AddGroup(&cobra.Group{ID: "serve", Title: "Run it:"}, &cobra.Group{ID: "jobs", Title: "Jobs and runs:"},
		&cobra.Group{ID: "files", Title: "Schedules and files:"}, &cobra.Group{ID: "cluster", Title: "Cluster:"})
	add := func(id string, list ...*cobra.Command) {
		for _, cmd := range list {
			cmd.GroupID = id
			root.AddCommand(cmd)
		}
	}
	add("serve", serveCommand(), devCommand(), doctorCommand(), healthcheckCommand())
	add("jobs", jobGroup(), runGroup(), letterGroup(), triggerCommand(), runListCommand("runs"), logsCommand(), whyCommand())
	add("files", configGroup(), nextCommand(), planCommand(), testCommand(), suggestCommand())
	add("cluster", statusCommand(), eventsCommand(), replicaGroup(), leaseGroup(), activityGroup(), tokenGroup(), notifyGroup())
	root.AddCommand(docsGroup(), versionCommand())
	root.AddCommand(topics()...)
	root.AddCommand(hidden(pauseCommand(), resumeCommand(), skipNextCommand(), backfillCommand(), cancelCommand(), rerunCommand(), deadLettersCommand())...)
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

// hidden are the verbs as they were of old, without their noun. They stay for scripts.
func hidden(list ...*cobra.Command) []*cobra.Command {
	for _, cmd := range list {
		cmd.Hidden = true
	}
	return list
}
