package scheduler

import (
	"time"

	"github.com/solocron/solocron/jobs"
)

// Phase says what an Event tells about its tick.
type Phase string

// The phases. A tick that this replica runs is Started then Ended or Retried; one that it
// decides without a run is Ended; one that another replica has is Yielded.
const (
	Started Phase = "started"
	Retried Phase = "retried" // an attempt ended with Verdict, and the next was requested for after Retry
	Ended   Phase = "ended"   // Verdict is set: this replica speaks for the cluster
	Yielded Phase = "yielded" // By has the tick, or had it
	Waiting Phase = "waiting" // no decision yet: Err or Note says why; tried again at Retry
	Output  Phase = "output"  // the run printed Note on Stream
	Noted   Phase = "noted"   // the run reports progress in Note
	Overran Phase = "overran" // the run goes on although its lease has ended; Note is its goroutine's stack
)

// Event is one fact about one tick on one replica.
type Event struct {
	Phase   Phase
	At      time.Time // on this replica's clock
	Replica string
	Tick    Tick
	Run     jobs.Run      // Started, Ended after a start, Output, Noted
	Delay   time.Duration // Started: from the release of the tick to the first line of the job
	Used    *jobs.Usage   // Ended after a start, Retried: what its processes used; nil: there were none
	Took    time.Duration // Ended after a start, Retried: how long the run took
	Verdict Verdict       // Ended, Retried
	Reason  Reason        // Ended, Retried. Yielded: ReasonSuperseded if this replica stands down for the job
	Echo    bool          // Ended: another replica speaks for this tick; this one only says that its run is over
	More    bool          // Ended: still older ticks of the job, not listed one by one, share the verdict
	Err     error         // Ended, Retried: why it failed. Waiting: what the store said
	By      string        // Yielded: who has the tick, if known. Ended lost: the crashed holder
	Retry   time.Duration // Waiting: until the next try. Retried: until the next attempt
	Note    string
	Stream  string // Output: stdout or stderr
}

// Observer is told what happens. It is called from many goroutines, in the
// path of the work: it must be quick and must not call back into the Scheduler.
type Observer interface{ Observe(Event) }

// ObserverFunc is a function as an Observer.
type ObserverFunc func(Event)

// Observe calls f.
func (f ObserverFunc) Observe(e Event) { f(e) }
