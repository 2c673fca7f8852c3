package redislease

import (
	"context"
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Revoke implements election.Overseer. The record is read right after, in a
// round trip of its own.
func (s *Store) Revoke(ctx context.Context, r election.Revocation) (election.Record, error) {
	if err := check.Revocation(&r); err != nil {
		return election.Record{}, err
	}
	c := s.one(s.scripts.revoke, r.Key, r.Token, r.LockDelay.Milliseconds(), r.Retention.Milliseconds(), r.By, r.Reason)
	s.send(ctx, []*call{c})
	if err := c.done(); err != nil {
		return election.Record{}, fmt.Errorf("revoking %q: %w", r.Key, err)
	}
	records, err := s.Read(ctx, []string{r.Key})
	if err != nil {
		// Read may say "not applied", which is no longer true of the whole.
		return election.Record{}, fmt.Errorf("revoked %q, but reading it: %v", r.Key, err)
	}
	return records[0], nil
}

// SetGate implements election.Overseer.
func (s *Store) SetGate(ctx context.Context, key string, g election.Gate) error {
	if err := check.Gate(key, &g); err != nil {
		return err
	}
	closed := 0
	if g.Closed {
		closed = 1
	}
	c := s.one(s.scripts.gate, key, closed, check.Millis(g.Until), g.Reason, g.By)
	s.send(ctx, []*call{c})
	if err := c.done(); err != nil {
		return fmt.Errorf("gate of %q: %w", key, err)
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
	var calls []*call
	for _, items := range byShard(len(keys), func(i int) (string, bool) { return keys[i], true }) {
		calls = append(calls, s.newCall(s.scripts.read, items, 0, func(i int32) string { return keys[i] }))
	}
	s.send(ctx, calls)
	records := make([]election.Record, len(keys))
	for _, c := range calls {
		if err := c.records(keys, records); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// one is a call about a single key.
func (s *Store) one(script *script, key string, args ...any) *call {
	c := s.newCall(script, []int32{0}, len(args), func(int32) string { return key })
	c.args = append(c.args, args...)
	return c
}

// done is the error of a call that answers with a bare R.
func (c *call) done() error {
	var err error
	c.each(func(_ int32, e error) { err = e }, func(_ int32, _ time.Time, reply []string) {
		if reply[0] == "R" {
			return
		}
		if _, _, err = begin(reply[0], "-"); err == nil {
			err = errShape
		}
	})
	return err
}
