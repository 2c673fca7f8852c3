package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

const (
	maxTail   = 100_000  // lines that --tail can ask for
	maxTailed = 64 << 20 // bytes of which they are the last

	maxAttempt = 1000 // that --attempt can ask for
)

// excerpt is what of the output of a run somebody wants to see.
type excerpt struct {
	follow     bool
	tail       int    // of the last lines; 0: all
	attempt    int    // 0: of all
	since      string // a length of time, or a moment; "": from the start
	timestamps bool
}

func logsCommand() *cobra.Command {
	var (
		r remote
		x excerpt
	)
	cmd := r.asking(&cobra.Command{
		Use: "logs RUN|JOB", Short: "Show what a run printed, whichever replica it ran on; of a job, its newest run",
		Long: "Of a run that printed much the beginning and the end are kept; what is missing\n" +
			"is said in brackets.\n\n",
		Example: "  scheduler logs nightly-report -f\n  scheduler run logs nightly-report.20261129T013000Z --attempt 2 --since 10m --timestamps",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			query, err := x.query(time.Now())
			if err != nil {
				return err
			}
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			run, err := s.runOrNewest(args[0])
			if err != nil {
				return err
			}
			return s.logs(cli.Query(cli.Path("runs", run, "log"), query...), x)
		},
	})
	f := cmd.Flags()
	f.BoolVarP(&x.follow, "follow", "f", false, "go on until the run has ended")
	f.IntVar(&x.tail, "tail", 0, "only so many of the last lines; 0: all")
	f.IntVar(&x.attempt, "attempt", 0, "only what this attempt printed, 1 being the first; 0: all")
	f.StringVar(&x.since, "since", "", "only what was printed after this: a length of time such as 10m, or RFC 3339")
	f.BoolVar(&x.timestamps, "timestamps", false, "before each line when it was printed, RFC 3339 in UTC")
	return cmd
}

// query is x in the words of the API, in pairs.
func (x *excerpt) query(now time.Time) ([]string, error) {
	switch {
	case x.tail < 0 || x.tail > maxTail:
		return nil, usagef("--tail %d is not between 0 and %d", x.tail, maxTail)
	case x.follow && x.tail > 0:
		return nil, usagef("either --follow or --tail")
	case x.attempt < 0 || x.attempt > maxAttempt:
		return nil, usagef("--attempt %d is not between 0 and %d", x.attempt, maxAttempt)
	}
	since, err := momentAgo("--since", x.since, now)
	if err != nil {
		return nil, err
	}
	attempt := ""
	if x.attempt > 0 {
		attempt = strconv.Itoa(x.attempt)
	}
	return []string{"follow", yes(x.follow), "attempt", attempt, "since", since, "timestamps", yes(x.timestamps)}, nil
}

// yes is how the API is told that something is wished; "" if it is not.
func yes(wished bool) string {
	if wished {
		return "true"
	}
	return ""
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

// logs writes what is at path, of which x was asked for.
func (s *session) logs(path string, x excerpt) error {
	ctx := s.cmd.Context()
	if !x.follow {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cli.DefaultTimeout)
		defer cancel()
	}
	res, err := s.Send(ctx, http.MethodGet, path, nil, "")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if x.tail > 0 {
		last := &cli.Tail{Out: s.view.Out, Lines: x.tail}
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
