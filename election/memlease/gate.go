package memlease

import (
	"math"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// gate closes ticks of a record. One that was opened is one whose until has
// passed: so the ticks that it closed stay closed. The zero gate closes nothing.
type gate struct {
	until  int64 // ticks before it are closed; forever: every tick
	reason string
	by     string
}

const forever = math.MaxInt64

func (g gate) closes(tick int64) bool { return tick < g.until }

// turned is what a record has after somebody sets to in the place of g.
func (g gate) turned(to *election.Gate, now int64) gate {
	switch {
	case !to.Closed && g.until <= now:
		return g // it has been open
	case !to.Closed:
		return gate{until: now}
	case to.Until.IsZero():
		return gate{until: forever, reason: to.Reason, by: to.By}
	}
	return gate{until: max(check.Millis(to.Until), min(g.until, now)), reason: to.Reason, by: to.By}
}

// keep is the last moment at which a record is needed for g.
func (g gate) keep() int64 {
	switch g.until {
	case 0, forever:
		return g.until
	}
	return g.until + check.GateKeep.Milliseconds()
}

// describe is g as people see it.
func (g gate) describe(now int64) election.Gate {
	switch {
	case g.until <= now:
		return election.Gate{}
	case g.until == forever:
		return election.Gate{Closed: true, Reason: g.reason, By: g.by}
	}
	return election.Gate{Closed: true, Until: check.Time(g.until), Reason: g.reason, By: g.by}
}

// shut is until when g was closed, if it is open by now; zero if it never was.
func (g gate) shut(now int64) time.Time {
	if g.until > now {
		return time.Time{}
	}
	return check.Time(g.until)
}
