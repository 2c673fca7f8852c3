package memlease

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/solocron/solocron/election"
)

// Store keeps lease records in memory. The zero Store is ready. It implements
// election.Store and election.Overseer and is safe for concurrent use.
type Store struct {
	// Now is the store's clock; nil means time.Now. Set it before the first call.
	Now func() time.Time

	mu      sync.Mutex
	records map[string]*record
	weigh   func(*record, *ask) step // nil: weigh; a test breaks rules here
}

var (
	_ election.Store    = (*Store)(nil)
	_ election.Overseer = (*Store)(nil)
)

// Forget loses every record, as a FLUSHALL would: for tests of lost data.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.records)
}

// instant is one reading of the store's clock.
type instant struct {
	at time.Time // whole milliseconds
	ms int64
	us int64
}

// open locks the store and reads its clock: one instant for a whole batch. The
// caller unlocks.
func (s *Store) open() instant {
	s.mu.Lock()
	if s.records == nil {
		s.records = make(map[string]*record)
	}
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	us := now().UnixMicro()
	return instant{at: time.UnixMilli(us / 1000).UTC(), ms: us / 1000, us: us}
}

// find returns the record of key and whether there is one; if not, an empty
// record that save can store.
func (s *Store) find(key string, now instant) (*record, bool) {
	r, ok := s.records[key]
	if ok && r.gone <= now.ms {
		delete(s.records, key)
		ok = false
	}
	if !ok {
		return new(record), false
	}
	return r, true
}

// save stores r for at least life milliseconds, and for as long as its gate is
// to be remembered.
func (s *Store) save(key string, r *record, now instant, life int64) {
	if !r.stored {
		s.records[key], r.stored = r, true
	}
	r.gone = max(now.ms+max(life, 1), r.gate.keep())
}

// refused is the error of calls that came after their context had ended.
func refused(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", election.ErrNotApplied, context.Cause(ctx))
}
