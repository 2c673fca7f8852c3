package journal

import (
	"context"
	"time"
)

// The bounds of what Batches keep.
const (
	MaxBatches   = 10_000    // batches
	BatchRoom    = 16 << 20  // bytes of all of them together, about
	MaxBatch     = 512 << 10 // bytes of one
	MaxBatchRead = 100       // that one call returns
)

// Batch is happenings that one replica wrote together.
type Batch struct {
	ID   BatchID
	Data []byte
}

// Batches keeps the latest batches of all replicas in one order. Implementations
// pass journaltest.RunFeeds.
type Batches interface {
	// Append keeps data, of 1 to MaxBatch bytes, behind all others; the oldest give
	// way. After an error it may or may not be kept; if it is appended again, it
	// may be there twice.
	Append(ctx context.Context, data []byte) error
	// Last returns the one that was appended last; false: there is none.
	Last(ctx context.Context) (Batch, bool, error)
	// From returns those from one on, that one included if it is still kept, the
	// oldest first: at most limit, and MaxBatchRead.
	From(ctx context.Context, id BatchID, limit int) ([]Batch, error)
	// Await returns those after one as soon as there are any; nothing if there
	// are none for as long as wait, which is at least a millisecond.
	Await(ctx context.Context, after BatchID, limit int, wait time.Duration) ([]Batch, error)
}

// BatchesKept is how many batches of an average size, in bytes, may be kept for all to
// keep within the bounds. It is never less than MaxBatchRead.
func BatchesKept(size int) int {
	return max(min(MaxBatches, BatchRoom/max(size, 1)), MaxBatchRead)
}
