package memlease

import (
	"context"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/internal/ledger"
)

// Revoke implements election.Overseer.
func (s *Store) Revoke(ctx context.Context, v election.Revocation) (election.Record, error) {
	if err := check.Revocation(&v); err != nil {
		return election.Record{}, err
	}
	if err := refused(ctx); err != nil {
		return election.Record{}, err
	}
	now := s.open()
	defer s.mu.Unlock()
	r, _ := s.find(v.Key, now)
	change, err := ledger.Revoke(&r.Record, &v, now)
	if err != nil {
		return election.Record{}, err
	}
	s.write(v.Key, r, change, now)
	return ledger.Describe(&r.Record, v.Key, now), nil
}

// SetGate implements election.Overseer.
func (s *Store) SetGate(ctx context.Context, key string, g election.Gate) error {
	if err := check.Gate(key, &g); err != nil {
		return err
	}
	if err := refused(ctx); err != nil {
		return err
	}
	now := s.open()
	defer s.mu.Unlock()
	r, _ := s.find(key, now)
	s.write(key, r, ledger.SetGate(&r.Record, &g, now), now)
	return nil
}

// Read implements election.Overseer.
func (s *Store) Read(ctx context.Context, keys []string) ([]election.Record, error) {
	for _, key := range keys {
		if err := check.Key(key); err != nil {
			return nil, err
		}
	}
	if err := refused(ctx); err != nil {
		return nil, err
	}
	now := s.open()
	defer s.mu.Unlock()
	s.expect(len(keys))
	records := make([]election.Record, len(keys))
	for i, key := range keys {
		if r := s.records[key]; r != nil && r.gone > now.MS {
			s.draft.open(r)
			records[i] = ledger.Describe(&s.draft.Record, key, now)
		}
	}
	return records, nil
}

const (
	manyKeys = 1024    // fewer are no start: they are what is read now and then
	maxRoom  = 100_000 // the same keys may be asked for again and again
)

// expect makes room in an empty store for n keys that are asked for, as a hint:
// a scheduler that starts claims them in a burst, in which the map is not to grow.
func (s *Store) expect(n int) {
	if len(s.records) > 0 || n < manyKeys {
		return
	}
	s.asked = min(s.asked+n, maxRoom)
	if s.asked >= 2*s.room { // all are asked for in parts: not a new map for each
		s.records, s.room = make(map[string]*record, s.asked), s.asked
	}
}
