package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/scheduler"
)

// wanted is what somebody says who wants a run.
type wanted struct {
	remote
	params []string
	reason string
	key    string
	wait   bool
}

func triggerCommand() *cobra.Command {
	var w wanted
	return w.flags(&cobra.Command{
		Use: "trigger JOB", Short: "Run a job now, with parameters of its own",
		Long: "The request is kept when this returns: it is run also if the replica that took\n" +
			"it dies. The same --key is the same request for 24 hours.\n\n",
		Example: `  scheduler trigger nightly-report --param day=2026-11-28 --reason "dns is back" --wait`,
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return w.ask(cmd, path("jobs", args[0], "trigger"))
		},
	})
}

func rerunCommand() *cobra.Command {
	var w wanted
	return w.flags(&cobra.Command{
		Use: "rerun RUN", Short: "Run a run again: the same moment and parameters, but those given here",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return w.ask(cmd, path("runs", args[0], "rerun"))
		},
	})
}

func (w *wanted) flags(cmd *cobra.Command) *cobra.Command {
	w.asking(cmd)
	cmd.Flags().StringArrayVar(&w.params, "param", nil, "a parameter of the job: name=value; may be repeated")
	cmd.Flags().StringVar(&w.reason, "reason", "", "why, for those who read the history")
	cmd.Flags().StringVar(&w.key, "key", "", "idempotency key")
	cmd.Flags().BoolVar(&w.wait, "wait", false, "wait until the run has ended; exit code 0 only if it succeeded")
	return cmd
}

// ask requests a run, and waits for its end if that is wished.
func (w *wanted) ask(cmd *cobra.Command, place string) error {
	params, err := readParams(w.params)
	if err != nil {
		return err
	}
	c, err := w.client()
	if err != nil {
		return err
	}
	var x admin.Run
	if err := c.post(cmd.Context(), place, map[string]any{"params": params, "reason": w.reason}, w.key, &x); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", standing(&x), oneLine(x.ID))
	if !w.wait {
		return nil
	}
	return w.await(cmd.Context(), cmd.OutOrStdout(), c, x.ID)
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

const (
	waitPause    = 300 * time.Millisecond
	waitPatience = 30 * time.Second // for a server that does not answer
)

// errNotSucceeded is the end of a run that somebody has waited for. It has been printed.
var errNotSucceeded = errors.New("the run did not succeed")

// await looks at a run until it has ended, and says how.
func (w *wanted) await(ctx context.Context, out io.Writer, c *client, run string) error {
	for answered := time.Now(); ; {
		var x admin.Run
		err := c.get(ctx, path("runs", run), &x)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("run %s goes on: %w", run, context.Cause(ctx))
		case err != nil && time.Since(answered) > waitPatience:
			return err
		case err == nil && x.State == scheduler.RunEnded:
			fmt.Fprintln(out, ending(&x))
			if x.Verdict != scheduler.Succeeded {
				return errNotSucceeded
			}
			return nil
		case err == nil:
			answered = time.Now()
		}
		select {
		case <-ctx.Done():
		case <-time.After(waitPause):
		}
	}
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
	return oneLine(text)
}
