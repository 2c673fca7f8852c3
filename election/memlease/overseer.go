package memlease

import (
	"context"
	"fmt"
	"slices"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
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
	if v.Token != 0 && v.Token != r.token {
		return election.Record{}, fmt.Errorf("revoking %q: %w", v.Key, election.ErrChanged)
	}
	delay := v.LockDelay.Milliseconds()
	if r.live(now.ms) {
		r.expires += delay
	} else {
		r.expires = max(r.expires, now.ms+delay)
	}
	r.owner, r.state = "", election.StateRevoked
	r.token = max(r.token+1, now.us)
	r.keep = v.Retention.Milliseconds()
	s.save(v.Key, r, now, r.left(now.ms)+r.keep)
	return r.describe(v.Key, now), nil
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
	if turned := r.gate.turned(&g, now.ms); g.Closed || turned != r.gate {
		r.gate = turned
		s.save(key, r, now, r.left(now.ms)+r.delay+r.keep)
	}
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
		if r, found := s.find(key, now); found {
			records[i] = r.describe(key, now)
		}
	}
	return records, nil
}

func (r *record) describe(key string, now instant) election.Record {
	return election.Record{
		Key: key, State: r.state, Holder: r.holder, Token: r.token, Remaining: millis(r.left(now.ms)),
		Tick: check.Time(r.tick), Decided: check.Time(r.decided), Completed: check.Time(r.done),
		Attempt: r.attempt, Crashes: r.crashes, Late: r.late, Epoch: r.epoch, Def: r.def,
		Gate: r.gate.describe(now.ms), Shut: r.gate.shut(now.ms), Ring: slices.Clone(r.ring), Now: now.at,
	}
}
