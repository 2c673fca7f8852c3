package etcdlease

import (
	"context"
	"slices"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election/internal/ledger"
)

const (
	maxTurns  = 64 // jobs in one transaction: etcd takes 128 operations and 1.5 MB
	maxChunks = 8  // transactions of one call at the same time
)

// A turn is what one call asks about one job. Its items are decided one after
// the other on one reading of the record, and written together.
type turn struct {
	entry
	items []int // of the call
	sent  bool  // something was sent that writes, and what became of it is not known
	now   int64 // when it was decided, in ms
	err   error // it could not be decided
}

// A call is one call of a method.
type call struct {
	store  *Store
	decide func(*turn, ledger.Instant) // steps through the items; it may be called again and starts over then
	single bool                        // it must not be decided again when its answer was lost

	mu     sync.Mutex
	stands map[stand]clientv3.LeaseID // that have been granted; replaced, never changed
}

// turns sorts n items by job, those of a job in their order. Items whose job is
// "" are left out.
func (s *Store) turns(n int, job func(int) string) []*turn {
	var all []*turn
	of := make(map[string]*turn, n)
	for i := range n {
		name := job(i)
		if name == "" {
			continue
		}
		t, ok := of[name]
		if !ok {
			t = &turn{entry: entry{dir: s.dir(name)}}
			of[name] = t
			all = append(all, t)
		}
		t.items = append(t.items, i)
	}
	return all
}

// run has every turn decided and written, in transactions of many that are
// carried out alone each.
func (c *call) run(ctx context.Context, turns []*turn) {
	ctx, cancel := context.WithTimeout(ctx, c.store.try)
	defer cancel()
	c.stands = make(map[stand]clientv3.LeaseID)
	inChunks(turns, func(chunk []*turn) { c.work(ctx, chunk) })
}

// inChunks calls do for some turns at a time, a few of them at once.
func inChunks(turns []*turn, do func([]*turn)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, maxChunks)
	for chunk := range slices.Chunk(turns, maxTurns) {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(chunk)
		})
	}
	wg.Wait()
}
