package notify

import (
	"time"

	"github.com/solocron/solocron/scheduler"
)

// Fact is one thing seen of a job that may be worth telling.
type Fact struct {
	Sort    Sort
	Key     string // what it is about: the same on every replica that sees it
	Job     string
	Run     string // its ID
	Tick    time.Time
	At      time.Time // when it was seen
	Verdict scheduler.Verdict
	Reason  string
	Error   string
	Replica string
}

// Sort says what a Fact is.
type Sort uint8

// The sorts.
const (
	Clock   Sort = iota // time has passed
	Good                // a run succeeded
	Bad                 // a run failed for good
	Crashed             // a run was lost, and is not run again
	NotRun              // a tick was missed
	Overdue             // it has not started, or not finished, when it should have
	Nothing             // nothing that matters
)

// Side is what was expected of a tick.
type Side string

// The sides.
const (
	StartSide  Side = "start"
	FinishSide Side = "finish"
)

const (
	maxError   = 1000 // bytes of an error in a message
	maxReason  = 100  // bytes
	maxReplica = 200  // bytes
)

// FactOf is what e says. What another replica speaks for, what is tried again and
// what somebody wished so is Nothing.
func FactOf(e scheduler.Event) Fact {
	f := Fact{Sort: sortOf(e), Job: e.Tick.Job, Run: e.Run.ID, Tick: e.Tick.At, At: e.At, Verdict: e.Verdict, Reason: string(e.Reason), Replica: e.Replica}
	if f.Sort == Nothing {
		return Fact{Sort: Nothing}
	}
	if f.Run == "" {
		f.Run = e.Tick.ID()
	}
	if e.By != "" && f.Sort == Crashed {
		f.Replica = e.By // where it ran
	}
	f.Key = f.Run + "/" + string(kindOf(f.Sort))
	if e.Err != nil {
		f.Error = short(e.Err.Error(), maxError)
	}
	f.Reason, f.Replica = short(f.Reason, maxReason), short(f.Replica, maxReplica)
	return f
}

func sortOf(e scheduler.Event) Sort {
	if e.Phase != scheduler.Ended || e.Echo {
		return Nothing
	}
	switch e.Verdict {
	case scheduler.Succeeded:
		return Good
	case scheduler.Failed, scheduler.TimedOut:
		return Bad
	case scheduler.LeaseLost:
		return Crashed
	case scheduler.Missed:
		return NotRun
	case scheduler.Cancelled, scheduler.Interrupted, scheduler.Skipped:
	}
	return Nothing
}

// kindOf is what a message about a bad fact is.
func kindOf(s Sort) Kind {
	switch s {
	case Bad:
		return Failure
	case Crashed:
		return Lost
	case NotRun:
		return Missed
	case Overdue:
		return Late
	case Good:
		return Recovery
	case Clock, Nothing:
	}
	return ""
}
