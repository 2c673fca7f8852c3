package journal

import (
	"context"
	"errors"

	"github.com/solocron/solocron/scheduler"
)

// The bounds of what a Journal keeps.
const (
	MaxLetters    = 1_000    // dead letters that are listed
	MaxDeeds      = 10_000   // deeds
	MaxRequests   = 100_000  // requests, begun or not
	MaxKnown      = 200_000  // IDs of requests that are gone, of those known for 24 hours; the oldest are forgotten
	MaxStops      = 10_000   // stops
	MaxOpen       = 100_000  // rows that Open returns
	MaxCheckpoint = 64 << 10 // bytes of a checkpoint
	MaxPoll       = 1_000    // of each that one Poll returns
	MaxQueued     = 10_000   // requests that one Queued returns
	MaxHistory    = 10_000   // rows of one sort of a job
)

var (
	// ErrOldToken says that a checkpoint was saved under a higher token.
	ErrOldToken = errors.New("a run with a higher token has saved a checkpoint")
	// ErrFull says that so many requests or stops wait that no more are taken.
	ErrFull = errors.New("too many wait in the journal")
)

// Journal is all that a journal keeps: for schedulers, runs and people.
type Journal interface {
	scheduler.Journal
	Letters
	Diary
	Checkpoints
	// Queued returns requests that nobody has begun, due or not, soonest first:
	// at most limit, and MaxQueued; 0 is MaxQueued.
	Queued(ctx context.Context, limit int) ([]scheduler.Request, error)
}

// Letters lists the runs that nobody will try again.
type Letters interface {
	// DeadLetters returns the rows recorded as dead and not acknowledged, the
	// last to end first: at most limit, and MaxLetters; 0 is MaxLetters. When
	// there are more, the oldest are forgotten.
	DeadLetters(ctx context.Context, limit int) ([]scheduler.Row, error)
	// Acknowledge takes a run off the list, marks its row, and notes a Deed by
	// who did it; false: it is not on the list. The run is off the list when the
	// error is that of noting alone: then it is true beside the error.
	Acknowledge(ctx context.Context, run, by string) (bool, error)
}

// Diary remembers what people did.
type Diary interface {
	// Audit keeps a deed; texts beyond their bounds are cut.
	Audit(ctx context.Context, d Deed) error
	// Deeds returns the last deeds, newest first: at most limit, and MaxDeeds;
	// 0 is MaxDeeds.
	Deeds(ctx context.Context, limit int) ([]Deed, error)
}

// Checkpoints remember how far the runs of jobs have come.
type Checkpoints interface {
	// SaveCheckpoint keeps data of at most MaxCheckpoint bytes for the next run
	// of the job. It refuses a token below that of the stored one with ErrOldToken.
	SaveCheckpoint(ctx context.Context, job string, token int64, data []byte) error
	// Checkpoint returns what was saved last and under which token; nil and 0 if
	// there is nothing.
	Checkpoint(ctx context.Context, job string) (data []byte, token int64, err error)
}
