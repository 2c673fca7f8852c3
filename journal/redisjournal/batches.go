package redisjournal

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/journal"
)

const (
	batchField = "b"
	batchLife  = 24 * time.Hour // after the last batch, or an hour less
	lifeEvery  = time.Hour
	batchCall  = 5 * time.Second // for an answer, beyond what is waited for
)

// Batches keeps batches of happenings in a stream of Redis. A batch is one command;
// who waits for one takes a connection for as long.
type Batches struct {
	rdb   redis.UniversalClient
	key   string
	size  atomic.Int64 // of a batch of this replica, in bytes, on average
	alive atomic.Int64 // until when the key need not be told how long to live, in Unix milliseconds
}

var _ journal.Batches = (*Batches)(nil)

// NewBatches returns Batches under prefix and namespace, which are 1 to 100 bytes of
// A-Z a-z 0-9 . _ ~ / : -. It sends nothing.
func NewBatches(rdb redis.UniversalClient, prefix, namespace string) (*Batches, error) {
	if err := checkNames(prefix, namespace); err != nil {
		return nil, err
	}
	return &Batches{rdb: rdb, key: prefix + ":{" + namespace + ".e}:happenings"}, nil
}

// Append implements journal.Batches: one command, and once an hour another.
func (b *Batches) Append(ctx context.Context, data []byte) error {
	if len(data) == 0 || len(data) > journal.MaxBatch {
		return fmt.Errorf("batch of %d bytes: 1 to %d are allowed", len(data), journal.MaxBatch)
	}
	size := int64(len(data))
	if old := b.size.Load(); old > 0 {
		size = (7*old + size) / 8
	}
	b.size.Store(size)
	add := &redis.XAddArgs{
		Stream: b.key, MaxLen: int64(journal.BatchesKept(int(size))), Approx: true, Values: []any{batchField, data},
	}
	now := time.Now().UnixMilli()
	if now < b.alive.Load() {
		return appended(b.rdb.XAdd(ctx, add).Err())
	}
	pipe := b.rdb.Pipeline()
	added := pipe.XAdd(ctx, add)
	pipe.PExpire(ctx, b.key, batchLife)
	if _, err := pipe.Exec(ctx); err == nil {
		b.alive.Store(now + lifeEvery.Milliseconds())
	}
	return appended(added.Err())
}

func appended(err error) error {
	if err != nil {
		return fmt.Errorf("keeping happenings: %w", err)
	}
	return nil
}

// Last implements journal.Batches.
func (b *Batches) Last(ctx context.Context) (journal.Batch, bool, error) {
	got, err := b.rdb.XRevRangeN(ctx, b.key, "+", "-", 1).Result()
	if err != nil {
		return journal.Batch{}, false, fmt.Errorf("reading happenings: %w", err)
	}
	all := batchesOf(got)
	if len(all) == 0 {
		return journal.Batch{}, false, nil
	}
	return all[0], true, nil
}

// From implements journal.Batches.
func (b *Batches) From(ctx context.Context, id journal.BatchID, limit int) ([]journal.Batch, error) {
	got, err := b.rdb.XRangeN(ctx, b.key, id.String(), "+", batchCount(limit)).Result()
	if err != nil {
		return nil, fmt.Errorf("reading happenings: %w", err)
	}
	return batchesOf(got), nil
}

// Await implements journal.Batches. It waits on for at most wait when ctx ends.
func (b *Batches) Await(ctx context.Context, after journal.BatchID, limit int, wait time.Duration) ([]journal.Batch, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	wait = max(wait, time.Millisecond) // 0 would be for ever
	ctx, cancel := context.WithTimeout(ctx, wait+batchCall)
	defer cancel()
	got, err := b.rdb.XRead(ctx, &redis.XReadArgs{
		Streams: []string{b.key, after.String()}, Count: batchCount(limit), Block: wait,
	}).Result()
	switch {
	case errors.Is(err, redis.Nil):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("waiting for happenings: %w", err)
	}
	var all []journal.Batch
	for _, stream := range got {
		all = append(all, batchesOf(stream.Messages)...)
	}
	return all, nil
}

func batchCount(limit int) int64 { return int64(min(max(limit, 1), journal.MaxBatchRead)) }

// batchesOf are the entries of a stream. One that is not a batch holds nothing that
// can be read, but has its place.
func batchesOf(entries []redis.XMessage) []journal.Batch {
	list := make([]journal.Batch, 0, len(entries))
	for _, e := range entries {
		id, err := journal.ParseBatchID(e.ID)
		if err != nil {
			continue // no server gives such an ID
		}
		data, _ := e.Values[batchField].(string)
		list = append(list, journal.Batch{ID: id, Data: []byte(data)})
	}
	return list
}
