package election

import "sync"

// A batch is a group commit: it sends what is queued, collects while that is in
// flight, and sends again. While nothing is queued it has no goroutine.
type batch[In, Out any] struct {
	send func([]In) []Out // one call at a time; what it is given is its own until it returns
	told func(In, Out)    // takes each answer; must be quick, as others wait behind it

	mu    sync.Mutex
	queue []In
	spare []In // empty: what the next queue grows in
	busy  bool
}

// maxBatch bounds a group, so that one request stays well within its time-out.
const maxBatch = 2048

// add sends in with whatever else is waiting. It does not wait: told is called
// from another goroutine.
func (b *batch[In, Out]) add(in In) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, in)
	if !b.busy {
		b.busy = true
		go b.commit() // ends when the queue is empty and everybody was told
	}
}

func (b *batch[In, Out]) commit() {
	for all := b.take(nil); len(all) > 0; all = b.take(all) {
		for rest := all; len(rest) > 0; {
			group := rest[:min(len(rest), maxBatch)]
			rest = rest[len(group):]
			for i, out := range b.send(group) {
				b.told(group[i], out)
			}
		}
	}
}

// take empties the queue; what it returned before grows the next. An empty one
// ends the commit. A queue that was long once is not kept for ever.
func (b *batch[In, Out]) take(done []In) []In {
	clear(done)
	b.mu.Lock()
	defer b.mu.Unlock()
	if cap(done) > cap(b.spare) && cap(done) <= 2*maxBatch {
		b.spare = done[:0]
	}
	all := b.queue
	if b.queue = nil; len(all) == 0 {
		b.busy = false
		return nil
	}
	b.queue, b.spare = b.spare, nil
	return all
}
