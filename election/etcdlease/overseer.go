package etcdlease

import (
	"context"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/internal/ledger"
)

// Revoke implements election.Overseer. A revocation whose answer was lost is an
// error that does not match election.ErrNotApplied: whoever asked has to look.
func (s *Store) Revoke(ctx context.Context, v election.Revocation) (election.Record, error) {
	if err := check.Revocation(&v); err != nil {
		return election.Record{}, err
	}
	if err := refused(ctx); err != nil {
		return election.Record{}, err
	}
	var record election.Record
	var fault error
	t := s.turns(1, func(int) string { return v.Key })[0]
	c := call{store: s, single: true, decide: func(t *turn, now ledger.Instant) {
		s.shorten(ctx, t)
		now = t.instant(now)
		var change ledger.Change
		if change, fault = ledger.Revoke(&t.rec, &v, now); fault == nil {
			t.take(change)
			record = ledger.Describe(&t.rec, v.Key, now)
		}
	}}
	c.run(ctx, []*turn{t})
	switch {
	case t.err != nil:
		return election.Record{}, fmt.Errorf("revoking %q: %w", v.Key, t.err)
	case fault != nil:
		return election.Record{}, fault
	}
	return record, nil
}

// shorten makes the time that t's record is held or closed for as long as etcd
// says instead of as long as it may be. Etcd rounds down, so that one second more
// is left.
func (s *Store) shorten(ctx context.Context, t *turn) {
	wanted := make(watchlist)
	wanted.add(t.lasts())
	if left, ok := wanted.ask(ctx, s)[t.lasts()]; ok {
		t.rec.Expires = min(t.rec.Expires, t.now+(left+time.Second).Milliseconds())
	}
}

// lasts is the etcd lease that says how long the record is held, or closed.
func (e *entry) lasts() clientv3.LeaseID {
	if e.rec.Owner != "" {
		return e.lease.lease
	}
	return e.closed.lease
}

// SetGate implements election.Overseer.
func (s *Store) SetGate(ctx context.Context, key string, g election.Gate) error {
	if err := check.Gate(key, &g); err != nil {
		return err
	}
	if err := refused(ctx); err != nil {
		return err
	}
	t := s.turns(1, func(int) string { return key })[0]
	c := call{store: s, decide: func(t *turn, now ledger.Instant) {
		t.take(ledger.SetGate(&t.rec, &g, t.instant(now)))
	}}
	c.run(ctx, []*turn{t})
	if t.err != nil {
		return fmt.Errorf("gate of %q: %w", key, t.err)
	}
	return nil
}

// Read implements election.Overseer. The time that is left is in whole seconds.
func (s *Store) Read(ctx context.Context, keys []string) ([]election.Record, error) {
	for _, key := range keys {
		if err := check.Key(key); err != nil {
			return nil, err
		}
	}
	if err := refused(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.try)
	defer cancel()
	turns := s.turns(len(keys), func(i int) string { return keys[i] })
	inChunks(turns, func(chunk []*turn) { s.readAll(ctx, chunk) })
	wanted := make(watchlist)
	for _, t := range turns {
		if t.err != nil {
			return nil, fmt.Errorf("reading %q: %w", keys[t.items[0]], t.err)
		}
		wanted.add(t.lasts())
	}
	left := wanted.ask(ctx, s)
	records := make([]election.Record, len(keys))
	now := ledger.At(time.Now())
	for _, t := range turns {
		if !t.found {
			continue
		}
		t.place(now.MS)
		for _, i := range t.items {
			records[i] = ledger.Describe(&t.rec, keys[i], now)
			if d, ok := left[t.lasts()]; ok {
				records[i].Remaining = min(records[i].Remaining, d)
			}
		}
	}
	return records, nil
}
