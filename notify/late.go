package notify

import (
	"time"

	"github.com/solocron/solocron/scheduler"
)

// A lateness is what is known of a tick after the moment until which something was
// expected of it.
type lateness uint8

const (
	inTime   lateness = iota
	late              // and not over
	lateOver          // and a success by now
)

// judgeTick says whether the tick did in time what was expected on this side. Row is
// what the journal has of it, nil for nothing; told is the job's watermark: what is not
// after it is dealt with even if no row is left, or was never a tick of the job. The
// answer depends on recorded moments alone, so that it is the same on every replica,
// whenever it asks.
func judgeTick(side Side, row *scheduler.Row, tick, told, deadline time.Time) lateness {
	switch {
	case row == nil && (told.IsZero() || !tick.After(told)):
		return inTime
	case row == nil:
		return late
	}
	began := row.Started
	if len(row.Tries) > 0 {
		began = row.Tries[0].Started
	}
	ended := row.State == scheduler.RunEnded
	switch {
	case began.IsZero() && ended: // skipped or missed, which is told as such
		return inTime
	case began.IsZero():
		return late
	case side == StartSide && !began.After(deadline):
		return inTime
	case side == FinishSide && ended && row.Verdict != scheduler.Succeeded: // told as such
		return inTime
	case side == FinishSide && ended && !row.Ended.After(deadline):
		return inTime
	case ended && row.Verdict == scheduler.Succeeded:
		return lateOver
	}
	return late
}

// lateFacts is what to tell of a tick that was judged.
func lateFacts(l lateness, side Side, row *scheduler.Row, job string, tick, deadline time.Time) []Fact {
	if l == inTime {
		return nil
	}
	id := scheduler.Tick{Job: job, At: tick}.ID()
	f := Fact{Sort: Overdue, Key: id + "/" + string(Late) + "/" + string(side), Job: job, Run: id, Tick: tick, At: deadline, Reason: string(side)}
	if row != nil {
		f.Replica = row.Replica
	}
	if l == late {
		return []Fact{f}
	}
	over := Fact{Sort: Good, Key: id + "/" + string(Recovery), Job: job, Run: id, Tick: tick, At: row.Ended, Verdict: row.Verdict, Replica: row.Replica}
	return []Fact{f, over}
}
