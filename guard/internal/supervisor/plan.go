package supervisor

import "github.com/solocron/solocron/guard/internal/wire"

const (
	// settleTime is what processes left behind get to end by themselves after
	// the program's exit, in ns: a tee that reads the last of a pipe.
	settleTime = int64(100e6)
	// killEvery is the pause in ns between two rounds of SIGKILL: what was
	// forked during one is found by the next.
	killEvery = int64(5e6)
	// killWait bounds the rounds, in ns: a process that hangs in the kernel, or
	// has become another user's, does not die.
	killWait = int64(2e9)
)

// plan is what a guard knows of its run. Times are ns of CLOCK_BOOTTIME; 0 is
// not yet.
type plan struct {
	wire.Deadline
	grace  int64
	exited int64 // when the program ended
	asked  int64 // when the program's group got SIGTERM
	swept  int64 // when all that the program left got SIGTERM
	killed int64 // when the first round of SIGKILL was
}

// step is what to do now.
type step int

const (
	wait   step = iota // nothing
	ask                // SIGTERM to the program's group
	sweep              // SIGTERM to everything
	kill               // SIGKILL to everything
	giveUp             // some process does not die
)

// next returns what to do at now, and, for wait and kill, when to look again.
func (p *plan) next(now int64) (step, int64) {
	killAt := p.Dead
	if p.swept != 0 {
		killAt = min(killAt, later(p.swept, p.grace))
	}
	switch {
	case p.killed != 0 && now >= p.killed+killWait:
		return giveUp, 0
	case p.killed != 0 || now >= killAt:
		return kill, now + killEvery
	case p.exited != 0 && p.swept != 0:
		return wait, killAt
	case p.exited != 0 && now >= p.exited+settleTime:
		return sweep, 0
	case p.exited != 0:
		return wait, min(killAt, p.exited+settleTime)
	case p.asked != 0:
		return wait, killAt
	case now >= p.Stop:
		return ask, 0
	}
	return wait, min(killAt, p.Stop)
}

// orphaned is the deadline of a run whose scheduler has gone at now.
func (p *plan) orphaned(now int64) wire.Deadline {
	return wire.Deadline{Stop: min(now, p.Stop), Dead: min(p.Dead, later(now, p.grace))}
}

// later adds d to t and stays Never.
func later(t, d int64) int64 {
	if t > wire.Never-d {
		return wire.Never
	}
	return t + d
}
