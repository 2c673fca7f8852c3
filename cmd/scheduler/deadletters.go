package main

import (
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

func letterGroup() *cobra.Command {
	cmd := group("dead-letter", "Deal with runs that failed for good")
	cmd.AddCommand(letterListCommand(),
		letterCommand("ack", "Take runs off the list", "acknowledge", "acknowledged"),
		letterCommand("redrive", "Run them again, and take them off the list", "redrive", "requested again"))
	return cmd
}

func letterListCommand() *cobra.Command {
	var r remote
	var limit int
	cmd := r.showing(&cobra.Command{
		Use: "list", Short: "List the runs that failed for good, until somebody deals with them",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			return listing(s, cli.Path("dead-letters"), "limit", limit, s.tableOfLetters)
		},
	})
	cmd.Flags().IntVar(&limit, "limit", 100, "how many runs")
	return cmd
}

func (s *session) tableOfLetters(runs []admin.Run) cli.Table {
	t := s.tableOfRuns(runs)
	t.Empty = "no dead letters"
	return t
}

// letterCommand does something about some letters.
func letterCommand(name, short, verb, done string) *cobra.Command {
	var r remote
	var dryRun bool
	cmd := r.showing(&cobra.Command{
		Use: name + " LETTER…", Short: short,
		Long: "More than one is dealt with only after you say yes.\n\n",
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			if len(args) > 1 && !dryRun {
				if err := s.confirm(fmt.Sprintf("%s %d runs", name, len(args))); err != nil {
					return err
				}
			}
			for _, run := range args {
				if err := s.dealWith(run, verb, done, dryRun); err != nil {
					return err
				}
			}
			return nil
		},
	})
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would happen, and do nothing")
	r.asksFirst(cmd)
	return cmd
}

// dealWith does something about one letter.
func (s *session) dealWith(run, verb, done string, dryRun bool) error {
	if dryRun {
		return showing(s, cli.Call{Path: cli.Path("runs", run)}, func(x *admin.Run) error {
			return s.view.Line("would %s: %s, which is %s", verb, x.ID, standing(x))
		})
	}
	// A redrive has the key of its letter: sent twice it is one.
	call := cli.Call{Method: http.MethodPost, Path: cli.Path("dead-letters", run, verb)}
	return showing(s, call, func(x *admin.Run) error { return s.view.Line("%s: %s", done, x.ID) })
}

// deadLettersCommand is how it was of old: one command with flags.
func deadLettersCommand() *cobra.Command {
	var (
		r            remote
		ack, redrive string
	)
	cmd := r.showing(&cobra.Command{
		Use: "dead-letters", Short: "The same as dead-letter list, ack and redrive",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if ack != "" && redrive != "" {
				return usagef("either --ack or --redrive")
			}
			s, err := r.open(cmd)
			switch {
			case err != nil:
				return err
			case ack != "":
				return s.dealWith(ack, "acknowledge", "acknowledged", false)
			case redrive != "":
				return s.dealWith(redrive, "redrive", "requested again", false)
			}
			return listing(s, cli.Path("dead-letters"), "limit", 100, s.tableOfLetters)
		},
	})
	cmd.Flags().StringVar(&ack, "ack", "", "take this run off the list")
	cmd.Flags().StringVar(&redrive, "redrive", "", "run this run again, and take it off the list")
	return cmd
}
