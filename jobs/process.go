package jobs

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

const (
	// killSlack is kept back of the lease's remaining time, so that a killed
	// process is seen dead while the lease still holds.
	killSlack = 200 * time.Millisecond
	// settleTime is what processes left behind get to end by themselves after
	// their parent's exit: a tee that reads the last of a pipe.
	settleTime = 100 * time.Millisecond
	// killWait bounds the wait for the death of a killed process: one that
	// hangs in the kernel does not die.
	killWait = 2 * time.Second
)

// errGroupAlive is the end of a run that could not end its processes.
var errGroupAlive = errors.New("processes survive SIGKILL")

// process is a running program with those that it started.
type process interface {
	// end returns when all of them are dead: by themselves, because the program
	// has exited, or because ctx has ended. Cause is set if ctx ended before the
	// program did; err if something could not be ended.
	end(ctx context.Context, e Exec, remaining func() time.Duration) (cause, err error)
	// exit is how the program ended; nil: nobody knows.
	exit() *exit
}

// exit is how a program ended.
type exit struct {
	code   int            // -1 if a signal ended it
	signal syscall.Signal // 0 if none did
	usage  Usage
}

// start starts cmd below the guard that argv names; none, and by itself, if argv is empty.
func start(cmd *exec.Cmd, argv []string, e Exec, remaining func() time.Duration) (process, error) {
	if len(argv) == 0 {
		return startDirect(cmd)
	}
	return startGuarded(argv, cmd, e, remaining)
}

// runProcess starts argv and waits until all of it is dead.
func runProcess(ctx context.Context, run Run, argv []string, e Exec, guard []string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var hidden redactor
	env, err := e.environ(run, &hidden)
	if err != nil {
		return err
	}
	book := openCheckpoint(ctx, run)
	defer book.close()

	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = e.Dir, append(env, book.environ()...)
	out := &output{to: run.Link, mask: hidden.replacer()}
	streams, err := openStreams(cmd, out)
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	remaining := run.Remaining
	p, err := start(cmd, guard, e, remaining)
	streams.started()
	if err != nil {
		streams.drain()
		return fmt.Errorf("start: %w", err)
	}
	cause, endErr := p.end(ctx, e, remaining)
	streams.drain()
	if x := p.exit(); x != nil {
		run.Used(x.usage)
	}
	return verdict(p.exit(), cause, endErr, e.SuccessExitCodes, out.lastLine())
}

// verdict says how the run ended. What a program says that was told to stop
// is a detail: the cause counts.
func verdict(x *exit, cause, endErr error, alsoGood []int, lastLine string) error {
	err := endErr
	if x != nil {
		err = errors.Join(exitError(x, alsoGood, lastLine), endErr)
	}
	switch {
	case cause == nil:
		return err
	case err == nil:
		return cause
	}
	return fmt.Errorf("%w (%w)", cause, err)
}
