package ledger

import (
	"math"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Gate closes ticks of a record. One that was opened is one whose Until has
// passed: so the ticks that it closed stay closed. The zero Gate closes nothing.
type Gate struct {
	Until  int64 // ticks before it are closed; Forever: every tick
	Reason string
	By     string
}

// Forever is a moment that never comes.
const Forever = math.MaxInt64

func (g Gate) closes(tick int64) bool { return tick < g.Until }

// turned is what a record has after somebody sets to in the place of g.
func (g Gate) turned(to *election.Gate, now int64) Gate {
	switch {
	case !to.Closed && g.Until <= now:
		return g // it has been open
	case !to.Closed:
		return Gate{Until: now}
	case to.Until.IsZero():
		return Gate{Until: Forever, Reason: to.Reason, By: to.By}
	}
	return Gate{Until: max(check.Millis(to.Until), min(g.Until, now)), Reason: to.Reason, By: to.By}
}

// keep is the last moment at which a record is needed for g.
func (g Gate) keep() int64 {
	switch g.Until {
	case 0, Forever:
		return g.Until
	}
	return g.Until + check.GateKeep.Milliseconds()
}

// describe is g as people see it.
func (g Gate) describe(now int64) election.Gate {
	switch {
	case g.Until <= now:
		return election.Gate{}
	case g.Until == Forever:
		return election.Gate{Closed: true, Reason: g.Reason, By: g.By}
	}
	return election.Gate{Closed: true, Until: check.Time(g.Until), Reason: g.Reason, By: g.By}
}

// shut is until when g was closed, if it is open by now; zero if it never was.
func (g Gate) shut(now int64) time.Time {
	if g.Until > now {
		return time.Time{}
	}
	return check.Time(g.Until)
}
