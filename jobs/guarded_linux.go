package jobs

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/solocron/solocron/guard"
)

const (
	// guardSlack is what a guard gets beyond the times that it was told until it is
	// taken for frozen.
	guardSlack = time.Second
	// reasonWait is how long the end of a context is awaited that must be near,
	// since a guard has seen the deadline come.
	reasonWait = time.Second
	// stopShare is the part of the remaining time, one in so many, at whose
	// beginning a guard stops a program by itself. It is small, for the scheduler
	// should be first: it knows better, and only one that is frozen is not.
	stopShare = 6
	// extendShare, extendMost and extendLeast say how often a guard is told of a
	// later deadline: once in such a part of the remaining time.
	extendShare = 10
	extendMost  = time.Second
	extendLeast = 20 * time.Millisecond
)

// errStopped is the end of a program that its guard stopped and nobody else knows why.
var errStopped = errors.New("the guard ended it: the lease was nearly over")

// guarded is a program below a guard.
type guarded struct {
	p     *guard.Process
	until guard.Deadline // as the guard knows it
}

func startGuarded(argv []string, cmd *exec.Cmd, e Exec, remaining func() time.Duration) (process, error) {
	until := deadline(e, remaining)
	p, err := guard.Start(argv, cmd, e.grace(), until)
	if err != nil {
		return nil, err
	}
	return &guarded{p: p, until: until}, nil
}

// deadline is when a program must stop and be dead by itself. The clock is read
// before the question: a pause in between makes the deadline earlier.
func deadline(e Exec, remaining func() time.Duration) guard.Deadline {
	now := guard.Now()
	left := remaining()
	if left == NoLimit {
		return guard.Unlimited()
	}
	dead := now + left - killSlack
	return guard.Deadline{Stop: dead - max(0, min(e.grace(), left/stopShare)), Dead: dead}
}

func (g *guarded) end(ctx context.Context, e Exec, remaining func() time.Duration) (cause, err error) {
	var (
		stop   = ctx.Done()
		exited = g.p.Exited()
		limit  <-chan time.Time
		look   = time.NewTimer(lookAgain(remaining))
	)
	defer look.Stop()
	for {
		select {
		case <-g.p.Done():
			if stop != nil {
				cause = context.Cause(ctx)
			}
			return g.ended(ctx, cause)
		case <-exited:
			if stop != nil {
				cause = context.Cause(ctx)
			}
			exited, stop = nil, nil
			limit = time.After(settleTime + e.stopGrace(remaining) + killWait + guardSlack)
		case <-stop:
			stop, cause = nil, context.Cause(ctx)
			grace := e.stopGrace(remaining)
			_ = g.p.Stop(grace) // a guard that cannot be told is found out below
			look.Stop()
			limit = time.After(grace + killWait + guardSlack)
		case <-look.C:
			g.extend(e, remaining)
			look.Reset(lookAgain(remaining))
		case <-limit:
			g.p.Kill()
			select {
			case <-g.p.Done():
			case <-time.After(killWait):
				return cause, fmt.Errorf("guard %d: %w", g.p.GuardPid(), errGroupAlive)
			}
			return g.ended(ctx, cause)
		}
	}
}

// lookAgain is how long until the guard may have to be told of a later deadline.
func lookAgain(remaining func() time.Duration) time.Duration {
	left := remaining()
	if left == NoLimit {
		return guard.Never
	}
	return max(extendLeast, min(extendMost, left/extendShare))
}

// extend tells the guard of a deadline that has moved.
func (g *guarded) extend(e Exec, remaining func() time.Duration) {
	until := deadline(e, remaining)
	if moved := until.Dead - g.until.Dead; moved.Abs() < extendLeast/2 {
		return
	}
	if g.p.SetDeadline(until) == nil {
		g.until = until
	}
}

// ended says what the guard had to do. What it did by itself was right: whoever
// ends ctx for the same reason has woken too late to be first.
func (g *guarded) ended(ctx context.Context, cause error) (_, err error) {
	cleanup, err := g.p.Wait()
	if cleanup.Survived {
		err = errors.Join(err, fmt.Errorf("process group %d: %w", g.p.Pid(), errGroupAlive))
	}
	if cause != nil || !cleanup.Stopped {
		return cause, err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx), err
	case <-time.After(reasonWait):
		return errStopped, err
	}
}

func (g *guarded) exit() *exit {
	x, ok := g.p.Exit()
	if !ok {
		return nil
	}
	end := &exit{code: x.Status.ExitStatus(), usage: Usage(x.Usage)}
	if x.Status.Signaled() {
		end.signal = x.Status.Signal()
	}
	return end
}
