package memjournal

import (
	"sync"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

// Journal keeps a journal in memory. It is safe for concurrent use. All its
// methods answer at once, whatever their context says.
type Journal struct {
	clock func() time.Time

	mu      sync.Mutex // guards all below
	queue   queue
	books   map[string]*book // by job
	open    map[string]scheduler.Row
	letters map[string]scheduler.Row // dead letters
	deeds   []journal.Deed           // oldest first
	marks   map[string]checkpoint    // by job
	order   order
}

var _ journal.Journal = (*Journal)(nil)

// New returns an empty Journal on the clock now; nil is time.Now.
func New(now func() time.Time) *Journal {
	if now == nil {
		now = time.Now
	}
	return &Journal{
		clock: now, queue: newQueue(), books: make(map[string]*book), open: make(map[string]scheduler.Row),
		letters: make(map[string]scheduler.Row), marks: make(map[string]checkpoint),
	}
}

// now is the journal's clock, in whole milliseconds.
func (j *Journal) now() time.Time { return j.clock().Truncate(time.Millisecond).UTC() }
