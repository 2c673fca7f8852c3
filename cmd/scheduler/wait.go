package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/scheduler"
)

const (
	longPoll     = 5 * time.Second        // that a server keeps a question about a run
	pollPause    = 500 * time.Millisecond // between two questions that were answered at once
	waitPatience = time.Minute            // for a server that does not answer
	lastOutput   = 10 * time.Second       // for what a run printed at its end
)

// errTimeout is the cause of the end of a wait.
var errTimeout = errors.New("timeout")

// waiting is for the end of a run.
type waiting struct {
	*session
	run     string
	timeout time.Duration    // 0: for ever
	follow  bool             // show what it prints meanwhile
	changed func(*admin.Run) // is told of each change; nil: nobody is
}

// wait waits for the end of the run. The error has a code; it was printed when the
// time is over or somebody interrupts the wait.
func (w *waiting) wait() (admin.Run, error) {
	ctx := w.cmd.Context()
	if w.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, w.timeout, errTimeout)
		defer cancel()
	}
	var output sync.WaitGroup
	reading, stop := context.WithCancel(ctx)
	defer stop()
	if w.follow {
		output.Go(func() { w.copyLog(reading) })
	}
	x, err := w.poll(ctx)
	late := time.AfterFunc(lastOutput, stop)
	defer late.Stop()
	if err != nil {
		stop()
	}
	output.Wait()
	if ctx.Err() != nil && err != nil {
		return x, w.gaveUp(ctx)
	}
	return x, err
}

// poll asks until the run has ended.
func (w *waiting) poll(ctx context.Context) (admin.Run, error) {
	p := w.view.Progress("waiting for " + w.run)
	defer p.End()
	var last string
	for answered := time.Now(); ; {
		asked := time.Now()
		var x admin.Run
		call := cli.Call{Path: cli.Query(cli.Path("runs", w.run), "wait", longPoll.String()), Longer: longPoll}
		err := w.Do(ctx, call, &x)
		switch code, _ := cli.CodeOf(err); {
		case err == nil:
			answered = time.Now()
		case ctx.Err() != nil, code != cli.Unreachable, time.Since(answered) > waitPatience:
			return x, err
		}
		if err == nil {
			now := progressOf(&x)
			if now != last {
				last = now
				w.change(&x)
			}
			if x.State == scheduler.RunEnded {
				return x, nil
			}
			if w.changed == nil || w.view.Live {
				p.Set(now)
			}
		}
		if time.Since(asked) < pollPause {
			pause(ctx, pollPause)
		}
	}
}

func (w *waiting) change(x *admin.Run) {
	if w.changed != nil {
		w.changed(x)
	}
}

// progressOf says how far a run is.
func progressOf(x *admin.Run) string {
	text := standing(x) + " " + x.ID
	if x.Replica != "" {
		text += " on " + x.Replica
	}
	if x.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", x.Attempt)
	}
	return text
}

// gaveUp says that the run goes on, and how to wait for it again.
func (w *waiting) gaveUp(ctx context.Context) error {
	code, why := cli.Interrupted, "interrupted"
	if errors.Is(context.Cause(ctx), errTimeout) {
		code, why = cli.TimedOut, "not ended within "+w.timeout.String()
	}
	fmt.Fprintf(w.view.Err, "%s: run %s goes on; to wait again: scheduler run watch %s\n", why, cli.OneLine(w.run), cli.OneLine(w.run))
	return cli.Quit(code)
}

// copyLog shows what the run prints until it has ended.
func (w *waiting) copyLog(ctx context.Context) {
	res, err := w.Send(ctx, http.MethodGet, cli.Query(cli.Path("runs", w.run, "log"), "follow", "true"), nil, "")
	if err == nil {
		defer res.Body.Close()
		_, err = io.Copy(w.view.Out, res.Body)
	}
	if err != nil && ctx.Err() == nil {
		w.view.Note("output is no longer shown: %v; scheduler run logs %s -f shows it from the start", err, w.run)
	}
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
