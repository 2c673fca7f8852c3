package journal

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	feedCall = 2 * time.Second // for one question to the store
	feedLast = 2 * time.Second // for what is left when Run's context has ended
)

// Run writes what happens here, and reads what happens elsewhere while somebody
// follows, until ctx ends; then it writes for at most two seconds what is left. It
// returns nil.
func (f *Feed) Run(ctx context.Context) error {
	var reader sync.WaitGroup
	reader.Go(func() { f.read(ctx) })
	ended := context.AfterFunc(ctx, f.hub.end)
	f.write(ctx)
	f.close()
	if ended() {
		f.hub.end()
	}
	reader.Wait()
	return nil
}

// write writes a batch every FeedEvery while there is something to tell. One that
// the store does not take is sent again, in jittered, growing pauses; what happens
// meanwhile waits, and is counted once too much does.
func (f *Feed) write(ctx context.Context) {
	var batch []byte
	for fails := 0; f.due(ctx, fails); {
		if batch == nil {
			batch = f.collect()
		}
		if f.send(ctx, batch) == nil {
			batch, fails = nil, 0
		} else {
			fails++
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), feedLast)
	defer cancel()
	for last.Err() == nil {
		if batch == nil {
			batch = f.collect()
		}
		switch {
		case batch == nil:
			return
		case f.send(last, batch) == nil:
			batch = nil
		default:
			sleep(last, FeedEvery)
		}
	}
}

// due returns true when it is time for a batch, false when ctx ends.
func (f *Feed) due(ctx context.Context, fails int) bool {
	if fails > 0 {
		return sleep(ctx, pause(fails, rand.Float64()))
	}
	select {
	case <-ctx.Done():
		return false
	case <-f.more:
		return sleep(ctx, FeedEvery)
	}
}

// collect makes the next batch; nil if there is nothing to tell.
func (f *Feed) collect() []byte {
	f.mu.Lock()
	told, left := f.queue.take(f.replica, time.Now())
	f.mu.Unlock()
	if left {
		ring(f.more)
	}
	if len(told) == 0 {
		return nil
	}
	batch, err := pack(f.replica, told)
	if err != nil || len(batch) > MaxBatch { // cannot be: texts and their number are bounded
		f.mu.Lock()
		defer f.mu.Unlock()
		f.queue.tallied += int64(len(told))
		return nil
	}
	return batch
}

func (f *Feed) send(ctx context.Context, batch []byte) error {
	if batch == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, feedCall)
	defer cancel()
	return f.batches.Append(ctx, batch)
}

// close has nothing be taken any more.
func (f *Feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queue.closed = true
}
