package etcdlease

import (
	"context"
	"maps"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"golang.org/x/sync/errgroup"
)

// A stand is an etcd lease that keys stand on; the zero stand is none.
//
// One that is not shared is a timer: it was granted in this call, that is after
// the caller has read its own clock, and is never prolonged. A lease that is
// renewed moves to another timer. So no member that leads no more can prolong a
// time that its successor lets end, or end one that its successor has prolonged;
// and what lasts equally long can stand on the same. Timers that nothing stands on
// end by themselves.
//
// One that is shared is a keeper: records stand on it that are kept for long.
type stand struct {
	seconds int64 // it lasts at least
	shared  bool
}

const (
	shortLife  = 60  // seconds: a record that is kept for less stands on a timer
	maxKeepers = 256 // more than there are different rungs
	maxGrants  = 8   // at the same time
)

// wind returns what plans need to stand on.
func (c *call) wind(ctx context.Context, plans []plan) (map[stand]clientv3.LeaseID, error) {
	c.mu.Lock() // for all of it: those who wait need the same ones
	defer c.mu.Unlock()
	missing := make(map[stand]*clientv3.LeaseID)
	for _, p := range plans {
		for _, s := range []stand{p.record, p.held, p.closed} {
			if _, ok := c.stands[s]; !ok && s != (stand{}) {
				missing[s] = new(clientv3.LeaseID)
			}
		}
	}
	var group errgroup.Group
	group.SetLimit(maxGrants)
	for s, id := range missing {
		group.Go(func() (err error) {
			if s.shared {
				*id, err = c.store.keeper(ctx, s.seconds)
			} else {
				*id, err = c.store.grant(ctx, s.seconds)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := maps.Clone(c.stands) // others are reading it
	for s, id := range missing {
		all[s] = *id
	}
	c.stands = all
	return all, nil
}

// forget drops all etcd leases that c and its store know of: one of them is gone,
// as after a loss of data or when this machine was asleep.
func (c *call) forget() {
	c.mu.Lock()
	c.stands = make(map[stand]clientv3.LeaseID)
	c.mu.Unlock()
	c.store.mu.Lock()
	clear(c.store.keepers)
	c.store.mu.Unlock()
}

// grant asks for a new etcd lease. One that is granted twice, since an answer was
// lost, ends by itself.
func (s *Store) grant(ctx context.Context, seconds int64) (clientv3.LeaseID, error) {
	var id clientv3.LeaseID
	err := s.repeat(ctx, func(ctx context.Context, m *node) error {
		granted, err := m.lease.Grant(ctx, seconds)
		if err == nil {
			id = granted.ID
		}
		return err
	})
	return id, err
}

// A keeper is an etcd lease that many records stand on.
type keeper struct {
	id    clientv3.LeaseID
	since time.Time // before it was asked for
}

// rung rounds seconds up, by a quarter at most, so that there are few different ones.
func rung(seconds int64) int64 {
	step := int64(1)
	for 8*step <= seconds {
		step *= 2
	}
	return (seconds + step - 1) / step * step
}

// keeper is the etcd lease of a rung. It lasts for a quarter more, and is used
// again until that is over: then the records that are written stand on the next.
func (s *Store) keeper(ctx context.Context, rung int64) (clientv3.LeaseID, error) {
	spare := rung / 4
	s.mu.Lock()
	k, ok := s.keepers[rung]
	s.mu.Unlock()
	if ok && time.Since(k.since) < time.Duration(spare)*time.Second {
		return k.id, nil
	}
	since := time.Now()
	id, err := s.grant(ctx, rung+spare)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.keepers) >= maxKeepers {
		clear(s.keepers)
	}
	s.keepers[rung] = keeper{id, since}
	return id, nil
}
