package journal

import (
	"context"
	"errors"
	"time"
)

// HeadLimit is how many bytes from the beginning of a run's output are kept
// for as long as anything of it is.
const HeadLimit = 4 << 10

// ErrOvertaken is the answer to a writer after which another has written: the
// run has been taken over, and what is left of the old attempt is refused.
var ErrOvertaken = errors.New("a later attempt of the run writes its output")

// Logs keeps the output of runs. Implementations pass journaltest.
type Logs interface {
	// Append keeps parts, each alone; errs is nil if all were kept, and else
	// has an entry for each part. A part may be sent again after an error: what
	// was kept is not kept twice. Chunks are not held on to.
	Append(ctx context.Context, parts []Part) (errs []error)
	// Read returns at most limit chunks (0 and more than 256: 256) from a place
	// on. Where a chunk begins behind the end of the one before, or behind from,
	// the bytes between were not kept. Next is where to read on; done says that
	// the run has ended and all was read. A run that printed nothing, or whose
	// replica died, is never done here: its row says more.
	Read(ctx context.Context, run string, from Cursor, limit int) (chunks []Chunk, next Cursor, done bool, err error)
}

// MaxRead is the largest number of chunks that one Read returns.
const MaxRead = 256

// Cursor is a place in the output of a run, in bytes from its beginning, as
// Read gives it. Zero is the beginning.
type Cursor int64

// Part is what one writer adds to the output of one run.
type Part struct {
	Run    string  // its ID, at most MaxRunID bytes
	Writer Writer  //
	Chunks []Chunk // with offsets from the beginning of the writer's output
	Total  int64   // bytes that the writer has seen so far, kept or not
	Done   bool    // the attempt has ended and these are its last chunks
	Keep   int     // bytes of the run's chunks behind the head that are kept, the latest
}

// MaxRunID is the longest ID of a run that Logs accept, in bytes.
const MaxRunID = 500

// Writer is who writes the output of a run. What a later one writes comes
// behind all that was written before.
type Writer struct {
	Token   int64 // of the run's attempt: a higher one is later
	Session int64 // of one token: likewise
}

// Before reports whether w is followed by other.
func (w Writer) Before(other Writer) bool {
	if w.Token != other.Token {
		return w.Token < other.Token
	}
	return w.Session < other.Session
}

// LogBounds says what Logs keep beside the bytes of each run. The zero
// LogBounds is a good choice.
type LogBounds struct {
	Age  time.Duration // after the last line of a run; 0: 30 days
	Runs int           // with output, of one job; 0: 200. The oldest go first
}

// WithDefaults returns b with no zeros.
func (b LogBounds) WithDefaults() LogBounds {
	if b.Age <= 0 {
		b.Age = 30 * 24 * time.Hour
	}
	if b.Runs <= 0 {
		b.Runs = 200
	}
	return b
}
