package scheduler

import (
	"fmt"
	"time"
)

// Cause says why a run was wanted.
type Cause string

// The causes.
const (
	BySchedule   Cause = "schedule"
	ByHand       Cause = "manual"
	ByRetry      Cause = "retry"
	ByRerun      Cause = "rerun"
	ByBackfill   Cause = "backfill"
	ByDependency Cause = "dependency"
)

// Request is a wish to run a job outside its schedule. A journal keeps it until
// the run it led to is recorded.
type Request struct {
	ID        string            // unique; a second one with the same ID is the same request. At most 300 bytes
	Run       string            // the run it asks for: ID, but for ByRetry, whose run has begun before
	Job       string            // at most 100 bytes
	Cause     Cause             //
	Tick      time.Time         // what the run is about: a tick, or the moment of the request; whole milliseconds
	Of        Cause             // ByRetry: what the run was begun for
	Params    map[string]string // as given, checked; at most 64, of 1,000 bytes each
	By        string            // who asked; at most 200 bytes
	Note      string            // why, in their words; at most 500 bytes
	Made      time.Time         // on the clock of whoever made it
	Overlap   string            // of a trigger alone: skip, queue, replace or allow; "": as the job says
	NotBefore time.Time         // on the journal's clock; zero: at once
	Attempt   int               // of the run: 1, or more for ByRetry
	Tries     []Try             // ByRetry: the attempts before, oldest first, at most 10
	Token     int64             // of the run that has begun it, as the journal knows; 0: none has
}

// retryID is the ID of the request for an attempt of a run.
func retryID(run string, attempt int) string { return fmt.Sprintf("%s#%d", run, attempt) }

// Stop is the wish to end a run.
type Stop struct {
	Run    string // its ID
	Reason Reason // ReasonNone: somebody's wish; ReasonReplaced: a later tick takes its place
	By     string // at most 200 bytes
	Note   string // at most 500 bytes
}

// Inbox is what waits in a journal.
type Inbox struct {
	Now   time.Time     // the journal's clock
	Due   []Request     // not begun by anybody, NotBefore has come; the longest due first
	Begun []Request     // begun and not settled
	Stops []Stop        // wishes that were not settled
	Next  time.Duration // until the next request comes due; 0: there is none
}

// Begin names a request that a claimed lease is about to be started for.
type Begin struct {
	ID    string
	Token int64
}

// Beginning is what a journal says to a Begin.
type Beginning uint8

// The answers to a Begin.
const (
	Gone     Beginning = iota // it was withdrawn or settled, or never known
	Begun                     // it is this token's; also when repeated
	Occupied                  // another token has begun it
)
