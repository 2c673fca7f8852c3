package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/jobs"
)

// wanted is what somebody says who wants a run.
type wanted struct {
	remote
	params       []string
	reason, key  string
	at, overlap  string
	wait, follow bool
	timeout      time.Duration
	dryRun       bool
}

// overlaps are the policies for a run while another one of its job is on.
func overlaps() []string {
	return []string{"skip", string(jobs.QueueOverlap), string(jobs.ReplaceOverlap), string(jobs.AllowOverlap)}
}

func triggerCommand() *cobra.Command {
	var w wanted
	cmd := w.flags(&cobra.Command{
		Use: "trigger JOB", Short: "Run a job now, with parameters of its own",
		Long: "The request is kept when this returns: it is run also if the replica that took\n" +
			"it dies. With --wait the exit code is that of the run. The same\n" +
			"--idempotency-key is the same request for 24 hours.\n\n",
		Example: `  scheduler trigger nightly-report --param day=2026-11-28 --reason "dns is back" --wait`,
		Args:    args(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return w.trigger(cmd, args[0]) },
	})
	cmd.Flags().StringVar(&w.overlap, "overlap", "", "what becomes of this run while another one is on, whatever the job says: "+strings.Join(overlaps(), ", "))
	fixed(cmd, "overlap", overlaps()...)
	cmd.Flags().StringVar(&w.at, "at", "", "the moment that the run is about, not after now: RFC 3339, or a time in the job's zone")
	return cmd
}

func rerunCommand() *cobra.Command {
	var w wanted
	return w.flags(&cobra.Command{
		Use: "rerun RUN", Short: "Run a run again: the same moment and parameters, but those given here",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return w.rerun(cmd, args[0]) },
	})
}

func (w *wanted) flags(cmd *cobra.Command) *cobra.Command {
	w.showing(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&w.params, "param", nil, "a parameter of the job: name=value; may be repeated")
	f.StringVar(&w.reason, "reason", "", "why, for those who read the history")
	f.StringVar(&w.key, "idempotency-key", "", "the same key is the same request (default one made for this call and its retries)")
	f.StringVar(&w.key, "key", "", "the same as --idempotency-key")
	_ = f.MarkHidden("key") // it is there
	f.BoolVar(&w.wait, "wait", false, "wait until the run has ended; exit code 0 only if it succeeded, else 10 or 11")
	f.BoolVarP(&w.follow, "follow", "f", false, "wait, and show what the run prints")
	f.DurationVar(&w.timeout, "timeout", 0, "wait no longer than this; exit code 124")
	f.BoolVar(&w.dryRun, "dry-run", false, "say what would happen, and do nothing")
	return cmd
}

// check refuses flags that make no sense.
func (w *wanted) check() (map[string]string, error) {
	switch {
	case w.timeout < 0:
		return nil, usagef("--timeout %s is negative", w.timeout)
	case w.timeout > 0 && !w.wait && !w.follow:
		return nil, usagef("--timeout is for --wait or --follow")
	case w.overlap != "" && !slices.Contains(overlaps(), w.overlap):
		return nil, usagef("--overlap %q is none of %s", clip(w.overlap), strings.Join(overlaps(), ", "))
	case w.follow && w.wish.Output != "" && !cli.Format(w.wish.Output).ForPeople():
		return nil, usagef("--follow shows what the run prints: it has no -o %s", w.wish.Output)
	}
	return readParams(w.params)
}

func (w *wanted) trigger(cmd *cobra.Command, job string) error {
	params, err := w.check()
	if err != nil {
		return err
	}
	s, err := w.open(cmd)
	if err != nil {
		return err
	}
	s.job = job
	body := map[string]any{"params": params, "reason": w.reason}
	if w.overlap != "" {
		body["overlapPolicy"] = w.overlap
	}
	if w.at != "" {
		at, err := s.tickOf(job, w.at)
		if err != nil {
			return err
		}
		body["scheduledTime"] = at.UTC().Format(time.RFC3339Nano)
	}
	if w.dryRun {
		body["dryRun"] = true
		return showing(s, cli.Call{Method: http.MethodPost, Path: cli.Path("jobs", job, "trigger"), Body: body, Again: true}, func(x *admin.Run) error {
			return s.view.Line("would run %s", job)
		})
	}
	return w.ask(s, cli.Path("jobs", job, "trigger"), body)
}

func (w *wanted) rerun(cmd *cobra.Command, run string) error {
	params, err := w.check()
	if err != nil {
		return err
	}
	s, err := w.open(cmd)
	if err != nil {
		return err
	}
	if w.dryRun {
		return showing(s, cli.Call{Path: cli.Path("runs", run)}, func(x *admin.Run) error {
			return s.view.Line("would run again: %s, which is %s", x.ID, standing(x))
		})
	}
	return w.ask(s, cli.Path("runs", run, "rerun"), map[string]any{"params": params, "reason": w.reason})
}

// ask requests a run, and waits for its end if that is wished.
func (w *wanted) ask(s *session, place string, body map[string]any) error {
	key := cmp.Or(w.key, cli.NewKey())
	waits := w.wait || w.follow
	var x admin.Run
	err := s.do(cli.Call{Method: http.MethodPost, Path: place, Body: body, Key: key}, &x)
	if err != nil {
		return unsure(err, key)
	}
	if !waits || s.view.Format.ForPeople() {
		if err := s.asked(&x); err != nil {
			return err
		}
	}
	if !waits {
		return nil
	}
	return s.awaitEnd(&waiting{session: s, run: x.ID, timeout: w.timeout, follow: w.follow})
}

// asked shows a run that was asked for.
func (s *session) asked(x *admin.Run) error {
	if s.view.Format.ForPeople() {
		return s.view.Line("%s %s", standing(x), x.ID)
	}
	return s.view.Machine(x)
}

// awaitEnd waits for a run and says how it ended, by the exit code too.
func (s *session) awaitEnd(w *waiting) error {
	x, err := w.wait()
	if err != nil {
		return err
	}
	if s.view.Format.ForPeople() {
		err = s.view.Line("%s", ending(&x))
	} else {
		err = s.view.Machine(&x)
	}
	if err != nil {
		return err
	}
	return cli.Quit(cli.CodeOfVerdict(x.Verdict))
}

// unsure adds to an error after which it is not known whether the request was kept how
// to find that out.
func unsure(err error, key string) error {
	code, _ := cli.CodeOf(err)
	if _, told := errors.AsType[*cli.ProblemError](err); told || code != cli.Unreachable && code != cli.Interrupted {
		return err
	}
	return cli.Exit(code, fmt.Errorf("%w; whether it was asked for is not known: repeat it with --idempotency-key %s", err, key))
}

// readParams reads parameters written as name=value.
func readParams(texts []string) (map[string]string, error) {
	params := make(map[string]string, len(texts))
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, usagef("--param %q is not name=value", clip(text))
		}
		if _, twice := params[name]; twice {
			return nil, usagef("--param %s is given twice", clip(name))
		}
		params[name] = value
	}
	return params, nil
}

// ending says how a run ended.
func ending(x *admin.Run) string {
	text := standing(x)
	if t := took(x); t != "" {
		text += fmt.Sprintf(" on %s after %s", x.Replica, t)
	}
	if x.Error != "" {
		text += ": " + x.Error
	}
	return text
}
