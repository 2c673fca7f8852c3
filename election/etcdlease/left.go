package etcdlease

import (
	"context"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// maxLooks is how many etcd leases a call asks the remaining time of. It is for
// waiting and for people only, so that more are not worth it.
const maxLooks = 32

// A watchlist is a few etcd leases whose remaining time is wanted.
type watchlist map[clientv3.LeaseID]struct{}

// add takes in id, unless it is none or there are enough.
func (l watchlist) add(id clientv3.LeaseID) {
	if id != clientv3.NoLease && len(l) < maxLooks {
		l[id] = struct{}{}
	}
}

// ask says how long the leases of l last, in whole seconds rounded down. Those
// that could not be asked are left out: they last for their whole term at most.
func (l watchlist) ask(ctx context.Context, s *Store) map[clientv3.LeaseID]time.Duration {
	ctx, cancel := context.WithTimeout(ctx, s.request)
	defer cancel()
	var mu sync.Mutex
	var wg sync.WaitGroup
	left := make(map[clientv3.LeaseID]time.Duration, len(l))
	for id := range l {
		wg.Go(func() {
			_ = s.once(ctx, func(ctx context.Context, m *node) error { // see above
				got, err := m.lease.TimeToLive(ctx, id)
				if err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				left[id] = time.Duration(max(got.TTL, 0)) * time.Second
				return nil
			})
		})
	}
	wg.Wait()
	return left
}
