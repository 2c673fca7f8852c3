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
	records := make([]election.Record, len(keys))
	for i, key := range keys {
		if r := s.records[key]; r != nil && r.gone > now.MS {
			records[i] = ledger.Describe(&r.Record, key, now)
		}
	}
	return records, nil
}
