package scheduler

import (
	"strings"
	"time"

	"github.com/solocron/solocron/jobs"
)

// RowState says how far a run is.
type RowState string

// The states of a run.
const (
	RunQueued   RowState = "queued"   // requested, not begun
	RunRunning  RowState = "running"  //
	RunRetrying RowState = "retrying" // an attempt failed, the next is requested
	RunEnded    RowState = "ended"    // Verdict is set
)

// Row is what a journal keeps of one tick or request: its run, or why there was
// none. Zero values mean "not known" or "does not apply". Times are whole
// milliseconds, in UTC.
type Row struct {
	ID      string            // of the run; it names the job and the moment: see JobOf
	Job     string            //
	Tick    time.Time         // what it is about: a tick, or the moment of the request
	Cause   Cause             //
	By      string            // who asked, of a request; whose run it was, of a lost one
	Note    string            // why they asked
	Params  map[string]string // only those a request gave
	State   RowState          //
	Attempt int               // 1 for the first; 0: it was not run
	Tries   []Try             // attempts before the present one, oldest first, at most 10
	Replica string            // that ran it, or that decided it
	Token   int64             //
	Key     string            // of its lease, if that is not the job's name
	Delay   time.Duration     // from the release of the tick, or the request, to the start of the present attempt
	Started time.Time         // of the present attempt
	Ended   time.Time         // when it ended or was decided
	Verdict Verdict           //
	Reason  Reason            //
	Error   string            // at most 160 bytes
	More    bool              // still older ticks of the job, not listed one by one, share the verdict
	Acked   bool              // a dead letter that somebody has acknowledged
}

// tickOfRow is what r is about, as a Tick.
func tickOfRow(r Row) Tick {
	return Tick{Job: r.Job, At: r.Tick.UTC(), Manual: r.Cause != BySchedule, Cause: r.Cause, By: r.By, Run: r.ID}
}

// runOfRow is the run of r as its runner saw it.
func runOfRow(r Row) jobs.Run {
	return jobs.Run{
		ID: r.ID, Job: r.Job, Tick: r.Tick, Manual: r.Cause != BySchedule, Attempt: r.Attempt, Token: r.Token, Replica: r.Replica,
	}
}

// Try is an attempt that failed and was followed by another.
type Try struct {
	Replica string
	Token   int64
	Started time.Time
	Took    time.Duration
	Verdict Verdict
	Error   string // at most 60 bytes
}

// Entry is one thing to be recorded: that a run has begun, that it will be
// retried, or how it or a tick has ended.
type Entry struct {
	Row  Row
	Prev time.Time    // of a tick: the last tick decided before it; the watermark moves to Row.Tick unless it is before Prev. Zero: it does not move
	Upto time.Time    // not zero: the watermark moves at least here
	Keep jobs.History // with no zeros
	Dead bool         // the attempts are exhausted: list as a dead letter
}

// Recorded is what a journal says to an Entry.
type Recorded struct {
	Fresh  bool // false: the run had ended before, and what was recorded then stands
	Streak int  // of an ended run: final failures of the job in a row, this one included
}

// Definition is a job as a replica has it.
type Definition struct {
	Job string
	Def string // fingerprint of schedule and suspension; at most 100 bytes, no line break
	// Hash is that of the whole definition, and Generation that of the configuration
	// it is from: see Generations. Without them each definition counts as newer than
	// the one before it. At most 64 bytes.
	Hash       string
	Generation int64
}

// Adopted is what the journal knows of a Definition.
type Adopted struct {
	Since time.Time // when the schedule came into force, on the journal's clock
	// Epoch is the generation that brought the definition in force, which later ones
	// may share; without generations, how often the job's has changed. It only grows.
	Epoch int64
	Told  time.Time // watermark: up to here every tick has a row, or had; zero: nothing is recorded
	// Superseded says that the definition in force is another one, of a newer
	// configuration: nothing was adopted.
	Superseded bool
}

// failure reports whether a run ended badly and nobody wanted it to.
func (v Verdict) failure() bool { return v == Failed || v == TimedOut || v == LeaseLost }

// keyMark stands in the ID of a run that was requested with an idempotency key,
// between the job's name, which has no capitals, and a hash of the key.
const keyMark = ".KEY-"

// JobOf returns the job and the moment that the ID of a run names; the moment is
// zero for a request with an idempotency key. IDs come from outside: ok is false
// if there is no job in it.
func JobOf(run string) (job string, at time.Time, ok bool) {
	if job, _, found := strings.Cut(run, keyMark); found {
		return job, time.Time{}, job != ""
	}
	for from := 0; ; from++ {
		dot := strings.IndexByte(run[from:], '.')
		if dot < 0 {
			return "", time.Time{}, false
		}
		from += dot
		stamp, _, _ := strings.Cut(run[from+1:], ".")
		if at, err := time.Parse(stampLayout, stamp); err == nil {
			return run[:from], at, from > 0
		}
	}
}
