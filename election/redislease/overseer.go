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
	c := s.one(s.scripts.revoke, r.Key, func(t *text) {
		t.number(r.Token, 1)
		t.end()
		t.number(r.LockDelay.Milliseconds(), 1)
		t.end()
		t.number(r.Retention.Milliseconds(), 12)
		t.end()
		t.WriteString(r.By)
		t.end()
		t.WriteString(r.Reason)
		t.end()
	})
	s.send(ctx, []*call{c})
	if err := c.done(); err != nil {
		return election.Record{}, fmt.Errorf("revoking %q: %w", r.Key, err)
	}
	records, err := s.Read(ctx, []string{r.Key})
	if err != nil {
		// Read may say "not applied", which is no longer true of the whole.
		return election.Record{}, fmt.Errorf("revoked %q, but reading it: %s", r.Key, err.Error())
	}
	return records[0], nil
}

// SetGate implements election.Overseer.
func (s *Store) SetGate(ctx context.Context, key string, g election.Gate) error {
	if err := check.Gate(key, &g); err != nil {
		return err
	}
	closed := byte('0')
	if g.Closed {
		closed = '1'
	} else {
		g = election.Gate{}
	}
	c := s.one(s.scripts.gate, key, func(t *text) {
		t.WriteByte(closed)
		t.end()
		t.number(check.Millis(g.Until), 1)
		t.end()
		t.WriteString(g.Reason)
		t.end()
		t.WriteString(g.By)
		t.end()
	})
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
	for _, items := range s.divide(len(keys), func(i int) (string, bool) { return keys[i], true }) {
		calls = append(calls, s.newCall(s.scripts.read, items, func(i int32) string { return keys[i] }, terms{},
			func(*text, int, int32) {}))
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

// one is a call about a single key, with the arguments that write writes.
func (s *Store) one(script *script, key string, write func(*text)) *call {
	return s.newCall(script, []int32{0}, func(int32) string { return key }, terms{}, func(t *text, _ int, _ int32) { write(t) })
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
