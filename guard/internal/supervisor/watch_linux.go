package supervisor

import (
	"syscall"

	"github.com/solocron/solocron/guard/internal/wire"
)

// watch returns when no process of the run is left, or one that does not die.
func (g *guard) watch() {
	fds := []pollFD{
		{fd: wire.OrdersFD, events: pollIn},
		{fd: int32(g.reaped), events: pollIn},
		{fd: int32(g.alarm), events: pollIn},
	}
	for {
		step, at := g.next(now())
		g.do(step)
		if g.gone || step == giveUp {
			return
		}
		if step != wait && step != kill {
			continue
		}
		poll(fds, g.alarm.set(at))
		if fds[1].revents != 0 {
			g.hearReaper()
		}
		if fds[0].revents != 0 && !g.hearScheduler() {
			fds[0].fd = -1 // a closed pipe is always ready
		}
	}
}

// do takes one step of the plan. The program's group is asked as one while its
// leader can still say what becomes of the rest.
func (g *guard) do(s step) {
	at := now()
	switch s {
	case wait:
	case ask:
		g.asked = at
		g.how |= wire.ByDeadline
		_ = syscall.Kill(-g.pid, syscall.SIGTERM)
	case sweep:
		g.swept = at
		signalTree(syscall.Getpid(), syscall.SIGTERM)
	case kill:
		if g.killed == 0 {
			g.killed = at
			if g.exited == 0 {
				g.how |= wire.ByDeadline
			}
		}
		if g.exited == 0 { // unreaped, so that its number is no other group's
			_ = syscall.Kill(-g.pid, syscall.SIGKILL)
		}
		signalTree(syscall.Getpid(), syscall.SIGKILL)
	case giveUp:
		g.how |= wire.Survived
	}
}

// hearReaper takes what the reaper has seen.
func (g *guard) hearReaper() {
	b := make([]byte, wire.RecordSize)
	if !readFull(g.reaped, b) {
		return
	}
	switch r := wire.DecodeRecord(b); r.Kind {
	case wire.Exited:
		g.exited = now()
		tell(r)
	case wire.Ended:
		g.gone = true
	}
}

// hearScheduler takes the latest deadline, and reports whether another can come.
// The end of the pipe is the death of the scheduler.
func (g *guard) hearScheduler() bool {
	b := make([]byte, 64*wire.DeadlineSize)
	n, err := syscall.Read(wire.OrdersFD, b)
	switch {
	case err == syscall.EINTR || err == syscall.EAGAIN: //nolint:errorlint // errnos are compared, and package errors stays out
		return true
	case err != nil || n < wire.DeadlineSize:
		g.Deadline = g.orphaned(now())
		return false
	}
	// Writes of a deadline are whole, and reads are of whole ones.
	last := n - n%wire.DeadlineSize - wire.DeadlineSize
	g.Deadline = wire.DecodeDeadline(b[last:])
	return true
}
