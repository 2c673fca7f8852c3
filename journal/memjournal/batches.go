package memjournal

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/solocron/solocron/journal"
)

// Batches keeps batches of happenings in memory, for the replicas of one process.
type Batches struct {
	mu      sync.Mutex
	kept    []journal.Batch // the oldest first
	bytes   int
	last    journal.BatchID
	changed chan struct{} // closed when something is appended
}

var _ journal.Batches = (*Batches)(nil)

// NewBatches returns Batches that hold nothing.
func NewBatches() *Batches { return &Batches{changed: make(chan struct{})} }

// Append implements journal.Batches.
func (b *Batches) Append(ctx context.Context, data []byte) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(data) == 0 || len(data) > journal.MaxBatch {
		return fmt.Errorf("batch of %d bytes: 1 to %d are allowed", len(data), journal.MaxBatch)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	next := journal.BatchID{Ms: uint64(max(time.Now().UnixMilli(), 0))}
	if next.Compare(b.last) <= 0 {
		next = journal.BatchID{Ms: b.last.Ms, Seq: b.last.Seq + 1}
	}
	b.last = next
	b.kept = append(b.kept, journal.Batch{ID: next, Data: slices.Clone(data)})
	b.bytes += len(data)
	b.trim()
	close(b.changed)
	b.changed = make(chan struct{})
	return nil
}

// trim drops the oldest until the rest keeps the bounds.
func (b *Batches) trim() {
	n := 0
	for len(b.kept)-n > journal.MaxBatches || b.bytes > journal.BatchRoom && len(b.kept)-n > journal.MaxBatchRead {
		b.bytes -= len(b.kept[n].Data)
		n++
	}
	b.kept = slices.Delete(b.kept, 0, n)
}

// Last implements journal.Batches.
func (b *Batches) Last(ctx context.Context) (journal.Batch, bool, error) {
	if ctx.Err() != nil {
		return journal.Batch{}, false, context.Cause(ctx)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.kept) == 0 {
		return journal.Batch{}, false, nil
	}
	return b.kept[len(b.kept)-1], true, nil
}

// From implements journal.Batches.
func (b *Batches) From(ctx context.Context, id journal.BatchID, limit int) ([]journal.Batch, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	at, _ := slices.BinarySearchFunc(b.kept, id, func(x journal.Batch, id journal.BatchID) int { return x.ID.Compare(id) })
	n := min(max(limit, 1), journal.MaxBatchRead, len(b.kept)-at)
	return slices.Clone(b.kept[at : at+n]), nil
}

// Await implements journal.Batches.
func (b *Batches) Await(ctx context.Context, after journal.BatchID, limit int, wait time.Duration) ([]journal.Batch, error) {
	over := time.NewTimer(wait)
	defer over.Stop()
	next := journal.BatchID{Ms: after.Ms, Seq: after.Seq + 1}
	for {
		b.mu.Lock()
		changed := b.changed
		b.mu.Unlock()
		got, err := b.From(ctx, next, limit)
		if err != nil || len(got) > 0 {
			return got, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-over.C:
			return nil, nil
		case <-changed:
		}
	}
}
