package scheduler

import (
	"context"
	"time"
)

// Requests is the durable queue of what is wanted outside the schedules. All
// methods are safe to repeat after an error: the second time changes nothing.
type Requests interface {
	// Put keeps requests. Fresh is false for an ID that is known, or was in the
	// last 24 hours: then nothing changes.
	Put(ctx context.Context, requests []Request) (fresh []bool, err error)
	// Poll returns what waits, at most limit of each.
	Poll(ctx context.Context, limit int) (Inbox, error)
	// Begin gives requests to runs. Of all tokens that ask, one is answered Begun.
	Begin(ctx context.Context, begins []Begin) ([]Beginning, error)
	// PutBack makes requests that the tokens have begun, or that nobody has, due
	// again after the pause; others are left alone. Token 0 is nobody's.
	PutBack(ctx context.Context, begins []Begin, pause time.Duration) error
	// Withdraw removes a request that nobody has begun, and returns it; false: it
	// was begun or is gone.
	Withdraw(ctx context.Context, id string) (Request, bool, error)
	// Settle forgets the requests with these IDs, and the stops of the runs with
	// these IDs: what became of them is recorded.
	Settle(ctx context.Context, ids []string) error
	// Stop keeps the wish to end a run, until it is settled.
	Stop(ctx context.Context, stop Stop) error
}

// Archive remembers runs and verdicts.
type Archive interface {
	// Record keeps entries, each alone: the first end of a run stands.
	Record(ctx context.Context, entries []Entry) ([]Recorded, error)
	// Open returns the rows of all runs that have begun and not ended.
	Open(ctx context.Context) ([]Row, error)
	// Past returns rows of a job that have ended, newest tick first.
	Past(ctx context.Context, job string, q Query) ([]Row, error)
	// Find returns the row of a run that has begun or ended; false: there is none.
	Find(ctx context.Context, run string) (Row, bool, error)
	// Adopt says since when definitions are in force, which is from now on for
	// one that differs from the job's last, and for a job that is new. The
	// watermark moves to that moment: nothing before it is a tick of the job. One
	// whose hash differs and whose generation is lower than that of the job's is
	// superseded, and changes nothing.
	Adopt(ctx context.Context, defs []Definition) ([]Adopted, error)
	// Told returns the watermark of each job: up to there every tick has a row,
	// or had; zero: nothing is recorded.
	Told(ctx context.Context, jobs []string) ([]time.Time, error)
}

// Query selects rows.
type Query struct {
	Sort  RowSort
	From  time.Time // ticks not before; zero: any
	To    time.Time // ticks not after; zero: any
	Limit int       // 0: all that are kept
}

// RowSort is a sort of rows, each with its own bound in the history of a job.
type RowSort uint8

// The sorts of rows.
const (
	AnySort   RowSort = iota
	GoodRuns          // succeeded
	OtherRuns         // ran and ended otherwise
	NotRun            // skipped and missed
)

// Sort is the sort of a row that has ended.
func (r *Row) Sort() RowSort {
	switch r.Verdict {
	case Succeeded:
		return GoodRuns
	case Skipped, Missed:
		return NotRun
	}
	return OtherRuns
}

// Checkpoints remember how far the runs of jobs have come.
type Checkpoints interface {
	// SaveCheckpoint keeps data for the next attempt, in place of what the job has
	// kept before. It refuses a token below that of what is kept.
	SaveCheckpoint(ctx context.Context, job string, token int64, data []byte) error
	// Checkpoint returns what was saved last and under which token; nil and 0 if
	// there is nothing.
	Checkpoint(ctx context.Context, job string) (data []byte, token int64, err error)
}

// Journal is what a scheduler keeps beside its leases. It is on a clock of its
// own. Implementations pass journaltest.
type Journal interface {
	Requests
	Archive
	Checkpoints
}
