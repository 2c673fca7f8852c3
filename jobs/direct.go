package jobs

import (
	"context"
	"fmt"
	"os/exec"
	"time"
)

const (
	// pollFirst and pollMost bound the growing pause between two looks at a group.
	pollFirst = time.Millisecond
	pollMost  = 50 * time.Millisecond
)

// direct is a program without a guard. Its process group is all of it that can
// be reached.
type direct struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the program has been reaped
	err  error         // of the reaping; read after done
}

func startDirect(cmd *exec.Cmd) (process, error) {
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &direct{cmd: cmd, done: make(chan struct{})}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

func (p *direct) end(ctx context.Context, e Exec, remaining func() time.Duration) (cause, err error) {
	select {
	case <-p.done:
		cause = context.Cause(ctx)
		if p.goneWithin(settleTime) {
			return cause, p.unreaped()
		}
	case <-ctx.Done():
		cause = context.Cause(ctx)
	}
	terminateGroup(p.cmd.Process)
	if p.goneWithin(e.stopGrace(remaining)) {
		return cause, p.unreaped()
	}
	killGroup(p.cmd.Process)
	if p.goneWithin(killWait) {
		return cause, p.unreaped()
	}
	return cause, fmt.Errorf("process group %d: %w", p.cmd.Process.Pid, errGroupAlive)
}

// unreaped is the error of the reaping if it told nothing of the program.
func (p *direct) unreaped() error {
	if p.cmd.ProcessState == nil {
		return p.err
	}
	return nil
}

// goneWithin reports whether the program has been reaped and its group is
// dead, waiting for it at most d.
func (p *direct) goneWithin(d time.Duration) bool {
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

func (p *direct) exit() *exit {
	select {
	case <-p.done:
	default:
		return nil
	}
	state := p.cmd.ProcessState
	if state == nil {
		return nil
	}
	return &exit{code: state.ExitCode(), signal: endSignal(state), usage: usageOf(state)}
}
