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
	asked   int   // for how many keys in vain, while there was no record: see expect
	room    int   // for how many of them records was made
	draft   draft // one for all: it is large

	weigh func(*ledger.Record, *ledger.Ask) ledger.Step // nil: ledger.Weigh; a test breaks rules here

	claims pool[election.ClaimAnswer]
	holds  pool[election.HoldAnswer]
}

var (
	_ election.Store    = (*Store)(nil)
	_ election.Overseer = (*Store)(nil)
	_ election.Recycler = (*Store)(nil)
)

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
// record that write can store. It is good until the next find.
func (s *Store) find(key string, now ledger.Instant) (*draft, bool) {
	r, ok := s.records[key]
	if ok && r.gone <= now.MS {
		delete(s.records, key)
		ok = false
	}
	if !ok {
		s.draft = draft{}
		return &s.draft, false
	}
	s.draft.open(r)
	return &s.draft, true
}

// write does with d what a step has changed.
func (s *Store) write(key string, d *draft, c ledger.Change, now ledger.Instant) {
	switch c.What {
	case ledger.Nothing:
		return
	case ledger.Dropped:
		delete(s.records, key)
		return
	}
	if d.kept == nil {
		d.kept = new(record)
		s.records[key] = d.kept
	}
	d.close()
	if c.Life == ledger.SameLife {
		return
	}
	if life := d.KeepFor(c.Life, now.MS); life == ledger.Forever {
		d.kept.gone = ledger.Forever
	} else {
		d.kept.gone = now.MS + life
	}
}

// refused is the error of calls that came after their context had ended.
func refused(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", election.ErrNotApplied, context.Cause(ctx))
}
