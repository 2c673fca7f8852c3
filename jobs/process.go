package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
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
	// drainTime is how long output is read on after the group is dead, for a
	// process outside the group may hold the pipe open.
	drainTime = 500 * time.Millisecond
	// pollFirst and pollMost bound the growing pause between two looks at a group.
	pollFirst = time.Millisecond
	pollMost  = 50 * time.Millisecond
)

// errGroupAlive is the end of a run that could not end its processes.
var errGroupAlive = errors.New("processes survive SIGKILL")

// process is a running program, its group and its output.
type process struct {
	cmd   *exec.Cmd
	out   *output
	pumps sync.WaitGroup
	pipes []*os.File    // our ends of stdout and stderr
	done  chan struct{} // closed when the program has been reaped
	err   error         // of the reaping; read after done
}

// runProcess starts argv and waits until its whole group is dead.
func runProcess(ctx context.Context, run Run, argv []string, e Exec) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var hidden redactor
	env, err := e.environ(run, &hidden)
	if err != nil {
		return err
	}
	p, err := startProcess(argv, e.Dir, env, &output{to: run.Output, mask: hidden.replacer()})
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	cause, endErr := p.end(ctx, e, run.Remaining)
	p.drain()
	return p.verdict(cause, e.SuccessExitCodes, endErr)
}

func startProcess(argv []string, dir string, env []string, out *output) (*process, error) {
	p := &process{cmd: exec.Command(argv[0], argv[1:]...), out: out, done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = dir, env
	ownGroup(p.cmd)

	stdout, err := p.pipe()
	if err != nil {
		return nil, err
	}
	stderr, err := p.pipe()
	if err != nil {
		return nil, errors.Join(err, stdout.Close(), p.closePipes())
	}
	p.cmd.Stdout, p.cmd.Stderr = stdout, stderr
	err = p.cmd.Start()
	_ = errors.Join(stdout.Close(), stderr.Close()) // the program has its own
	if err != nil {
		return nil, errors.Join(err, p.closePipes())
	}
	p.pumps.Go(func() { out.pump("stdout", p.pipes[0]) })
	p.pumps.Go(func() { out.pump("stderr", p.pipes[1]) })
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// pipe keeps the reading end of a new pipe and returns the other.
func (p *process) pipe() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.pipes = append(p.pipes, r)
	return w, nil
}

func (p *process) closePipes() error {
	var errs []error
	for _, r := range p.pipes {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

// end returns when the group is dead: by itself, because its leader has
// exited, or because ctx has ended. Cause is set if ctx ended before the
// program did; err if something could not be ended.
func (p *process) end(ctx context.Context, e Exec, remaining func() time.Duration) (cause, err error) {
	select {
	case <-p.done:
		cause = context.Cause(ctx)
		if p.goneWithin(settleTime) {
			return cause, nil
		}
	case <-ctx.Done():
		cause = context.Cause(ctx)
	}
	terminateGroup(p.cmd.Process)
	if p.goneWithin(e.stopGrace(remaining)) {
		return cause, nil
	}
	killGroup(p.cmd.Process)
	if p.goneWithin(killWait) {
		return cause, nil
	}
	return cause, fmt.Errorf("process group %d: %w", p.cmd.Process.Pid, errGroupAlive)
}

// goneWithin reports whether the program has been reaped and its group is
// dead, waiting for it at most d.
func (p *process) goneWithin(d time.Duration) bool {
	timeout := time.NewTimer(d)
	defer timeout.Stop()
	select {
	case <-p.done:
	default:
		select {
		case <-p.done:
		case <-timeout.C:
			return false
		}
	}
	for pause := pollFirst; !groupDead(p.cmd.Process); pause = min(2*pause, pollMost) {
		select {
		case <-time.After(pause):
		case <-timeout.C:
			return false
		}
	}
	return true
}

// drain reads what is left of the output and returns when no line can come any more.
func (p *process) drain() {
	shut := time.AfterFunc(drainTime, func() { _ = p.closePipes() })
	p.pumps.Wait()
	if shut.Stop() {
		_ = p.closePipes()
	}
}

// verdict says how the run ended. What a program says that was told to stop
// is a detail: the cause counts.
func (p *process) verdict(cause error, alsoGood []int, endErr error) error {
	err := endErr
	select {
	case <-p.done:
		if p.cmd.ProcessState == nil {
			err = errors.Join(p.err, endErr)
			break
		}
		err = errors.Join(exitError(p.cmd.ProcessState, alsoGood, p.out.lastLine()), endErr)
	default:
	}
	switch {
	case cause == nil:
		return err
	case err == nil:
		return cause
	}
	return fmt.Errorf("%w (%w)", cause, err)
}
