package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

const (
	maxTail   = 100_000  // lines that --tail can ask for
	maxTailed = 64 << 20 // bytes of which they are the last
)

func logsCommand() *cobra.Command {
	var (
		r      remote
		follow bool
		tail   int
	)
	cmd := r.asking(&cobra.Command{
		Use: "logs RUN|JOB", Short: "Show what a run printed, whichever replica it ran on; of a job, its newest run",
		Long: "Of a run that printed much the beginning and the end are kept; what is missing\n" +
			"is said in brackets.\n\n",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if tail < 0 || tail > maxTail {
				return usagef("--tail %d is not between 0 and %d", tail, maxTail)
			}
			if follow && tail > 0 {
				return usagef("either --follow or --tail")
			}
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			run, err := s.runOrNewest(args[0])
			if err != nil {
				return err
			}
			return s.logs(run, follow, tail)
		},
	})
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on until the run has ended")
	cmd.Flags().IntVar(&tail, "tail", 0, "only so many of the last lines; 0: all")
	return cmd
}

// runOrNewest is the run of this ID, or the newest of the job of this name.
func (s *session) runOrNewest(name string) (string, error) {
	var x admin.Run
	err := s.get(cli.Path("runs", name), &x)
	if p, ok := errors.AsType[*cli.ProblemError](err); !ok || p.Kind() != "run-not-found" {
		return name, err
	}
	if !jobName.MatchString(name) {
		return "", err
	}
	var list admin.Runs
	switch asked := s.get(cli.Query(cli.Path("jobs", name, "runs"), "limit", "1"), &list); {
	case asked != nil: // it is no job either: that it is no run says how it was meant
		return "", err
	case len(list.Items) == 0:
		return "", cli.Exit(cli.Missing, fmt.Errorf("no run of %s is remembered", clip(name)))
	}
	s.view.Note("%s", list.Items[0].ID)
	return list.Items[0].ID, nil
}

// logs writes what a run printed.
func (s *session) logs(run string, follow bool, tail int) error {
	ctx := s.cmd.Context()
	query := ""
	if follow {
		query = "true"
	} else {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cli.DefaultTimeout)
		defer cancel()
	}
	res, err := s.Send(ctx, http.MethodGet, cli.Query(cli.Path("runs", run, "log"), "follow", query), nil, "")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if tail > 0 {
		last := &cli.Tail{Out: s.view.Out, Lines: tail}
		if _, err = io.Copy(last, io.LimitReader(res.Body, maxTailed)); err == nil {
			return last.End()
		}
	} else {
		_, err = io.Copy(s.view.Out, res.Body)
	}
	switch {
	case err == nil:
		return nil
	case s.cmd.Context().Err() != nil: // whoever interrupts it has seen enough
		return cli.Quit(cli.Interrupted)
	}
	return cli.Exit(cli.Unreachable, fmt.Errorf("%s: %w", s.Server(), err))
}
