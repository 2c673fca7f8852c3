package etcdlease

import (
	"context"
	"errors"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election/internal/ledger"
)

// maxRounds is how often a record may change before a job has had its turn.
const maxRounds = 100

var errRaces = errors.New("others kept changing the record")

// work reads, decides and writes turns until all are done.
func (c *call) work(ctx context.Context, turns []*turn) {
	turns = c.store.readAll(ctx, turns)
	for range maxRounds {
		if turns = c.decideAll(turns); len(turns) == 0 {
			return
		}
		turns = c.writeAll(ctx, turns)
	}
	fail(turns, errRaces)
}

// decideAll returns the turns that have something to write.
func (c *call) decideAll(turns []*turn) []*turn {
	clock := ledger.At(time.Now())
	var writes []*turn
	for _, t := range turns {
		t.now = clock.MS
		t.place(t.now)
		c.decide(t, clock)
		if t.change.What != ledger.Nothing {
			writes = append(writes, t)
		}
	}
	return writes
}

// readAll reads the keys of turns and returns those that could be read. What is
// read is what a majority of the members agrees on now.
func (s *Store) readAll(ctx context.Context, turns []*turn) []*turn {
	if len(turns) == 0 {
		return nil
	}
	gets := make([]clientv3.Op, len(turns))
	for i, t := range turns {
		gets[i] = get(t.dir)
	}
	var found *clientv3.TxnResponse
	err := s.repeat(ctx, func(ctx context.Context, m *node) (err error) {
		found, err = m.kv.Txn(ctx).Then(gets...).Commit()
		return err
	})
	if err != nil {
		fail(turns, err)
		return nil
	}
	var good []*turn
	for i, t := range turns {
		if t.err = t.entry.read(found.Responses[i].GetResponseRange().Kvs); t.err != nil {
			t.err = explain(t.err, t.sent)
			continue
		}
		good = append(good, t)
	}
	return good
}

// writeAll returns the turns that are to be decided again.
func (c *call) writeAll(ctx context.Context, turns []*turn) []*turn {
	ops, err := c.ops(ctx, turns)
	if err != nil {
		fail(turns, err)
		return nil
	}
	var done *clientv3.TxnResponse
	err = c.store.once(ctx, func(ctx context.Context, m *node) (err error) {
		done, err = m.kv.Txn(ctx).Then(ops...).Commit()
		return err
	})
	switch judge(err) {
	case fine:
		return lost(turns, done)
	case leftover:
		c.forget()
	case declined:
		fail(turns, err)
		return nil
	case open:
		// Decided again, each is answered as it was the first time if it was carried
		// out, and if it still is on its way it will find the record changed.
		for _, t := range turns {
			t.sent = true
		}
		if c.single {
			fail(turns, err)
			return nil
		}
	}
	return c.store.readAll(ctx, turns)
}

// ops are the transactions of turns, each with what it stands on.
func (c *call) ops(ctx context.Context, turns []*turn) ([]clientv3.Op, error) {
	plans := make([]plan, len(turns))
	for i, t := range turns {
		plans[i] = t.plan(t.now)
	}
	stands, err := c.wind(ctx, plans)
	if err != nil {
		return nil, err
	}
	ops := make([]clientv3.Op, len(turns))
	for i, t := range turns {
		if ops[i], err = t.write(t.now, plans[i], stands); err != nil {
			return nil, err
		}
	}
	return ops, nil
}

// lost returns the turns whose record had changed since it was read; it has been
// read again.
func lost(turns []*turn, done *clientv3.TxnResponse) []*turn {
	var again []*turn
	for i, t := range turns {
		one := done.Responses[i].GetResponseTxn()
		if one.Succeeded {
			continue
		}
		if err := t.entry.read(one.Responses[0].GetResponseRange().Kvs); err != nil {
			t.err = explain(err, t.sent)
			continue
		}
		again = append(again, t)
	}
	return again
}

func fail(turns []*turn, err error) {
	for _, t := range turns {
		t.err = explain(err, t.sent)
	}
}
