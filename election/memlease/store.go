package memlease

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/ledger"
)

// Store keeps lease records in memory. The zero Store is ready. It implements
// election.Store and election.Overseer and is safe for concurrent use.
type Store struct {
	// Now is the store's clock; nil means time.Now. Set it before the first call.
	Now func() time.Time

	mu      sync.Mutex
	records map[string]*record
	weigh   func(*ledger.Record, *ledger.Ask) ledger.Step // nil: ledger.Weigh; a test breaks rules here

	claims pool[election.ClaimAnswer]
	holds  pool[election.HoldAnswer]
}

var (
	_ election.Store    = (*Store)(nil)
	_ election.Overseer = (*Store)(nil)
	_ election.Recycler = (*Store)(nil)
)

// record is what the store knows of one key.
type record struct {
	ledger.Record
	gone   int64 // when it vanishes, in ms
	stored bool  // it stands in the store's map
}

// Forget loses every record, as a FLUSHALL would: for tests of lost data.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.records)
}

// open locks the store and reads its clock: one instant for a whole batch. The
// caller unlocks.
func (s *Store) open() ledger.Instant {
	s.mu.Lock()
	if s.records == nil {
		s.records = make(map[string]*record)
	}
	if s.Now != nil {
		return ledger.At(s.Now())
	}
	return ledger.At(time.Now())
}

// find returns the record of key and whether there is one; if not, an empty
// record that write can store.
func (s *Store) find(key string, now ledger.Instant) (*record, bool) {
	r, ok := s.records[key]
	if ok && r.gone <= now.MS {
		delete(s.records, key)
		ok = false
	}
	if !ok {
		return new(record), false
	}
	return r, true
}

// write does with r what a step has changed.
func (s *Store) write(key string, r *record, c ledger.Change, now ledger.Instant) {
	switch {
	case c.What == ledger.Nothing:
		return
	case c.What == ledger.Dropped:
		delete(s.records, key)
		return
	case !r.stored:
		s.records[key], r.stored = r, true
	}
	if c.Life == ledger.SameLife {
		return
	}
	if life := r.KeepFor(c.Life, now.MS); life == ledger.Forever {
		r.gone = ledger.Forever
	} else {
		r.gone = now.MS + life
	}
}

// refused is the error of calls that came after their context had ended.
func refused(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", election.ErrNotApplied, context.Cause(ctx))
}
