package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config"
)

// againstServer stands for what the replica runs by.
const againstServer = "server"

func diffCommand() *cobra.Command {
	var r remote
	var against string
	cmd := r.showing(&cobra.Command{
		Use: "diff FILE", Short: "Show what a change to this file would change; exit code 1 if there is anything",
		Long: "Compare a file with another one, field by field, or with what the server runs by.\n" +
			"The server compares the jobs, and the settings too if it has run by the file\n" +
			"before: else it cannot know what they are in its environment. Next runs are\n" +
			"before and after. \"scheduler plan\" compares all starts of some days.\n\n",
		Example: "  scheduler config diff config.yaml\n  scheduler config diff config.yaml --against old.yaml",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			after, err := loadConfig(args[0], config.Overrides{})
			if err != nil {
				return err
			}
			if against == againstServer {
				return s.diffServer(args[0], after)
			}
			before, err := loadConfig(against, config.Overrides{})
			if err != nil {
				return err
			}
			return s.showChanges(config.Diff(before, after, time.Now()))
		},
	})
	cmd.Flags().StringVar(&against, "against", againstServer, "server, or the file that there was before")
	return cmd
}

// showChanges writes what differs; that anything does is its error.
func (s *session) showChanges(list []config.Change) error {
	if !s.view.Format.ForPeople() {
		if err := s.view.Machine(changesOf(list)); err != nil {
			return err
		}
	} else {
		for i := range list {
			s.showChange(s.view.Out, &list[i])
		}
	}
	if len(list) > 0 {
		return errDiffers
	}
	s.view.Note("no difference")
	return nil
}

// showChange writes what becomes of one job, or of the settings.
func (s *session) showChange(out io.Writer, c *config.Change) {
	name := "settings"
	if c.Job != "" {
		name = "job " + c.Job
	}
	fmt.Fprintf(out, "%s: %s\n", cli.OneLine(name), c.Kind)
	for _, f := range c.Fields {
		fmt.Fprintf(out, "  %s: %s -> %s\n", cli.OneLine(f.Path), dash(cli.OneLine(f.Old)), dash(cli.OneLine(f.New)))
	}
	if !c.Before.Equal(c.After) {
		fmt.Fprintf(out, "  next run: %s -> %s\n", dash(s.view.Moment(c.Before)), dash(s.view.Moment(c.After)))
	}
}
