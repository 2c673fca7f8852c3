package election

import "sync"

// A batch is a group commit: it sends what is queued, collects while that is in
// flight, and sends again. While nothing is queued it has no goroutine.
type batch[In, Out any] struct {
	send func([]In) []Out

	mu    sync.Mutex
	queue []queued[In, Out]
	busy  bool
}

// maxBatch bounds a group, so that one request stays well within its time-out.
const maxBatch = 2048

type queued[In, Out any] struct {
	in   In
	told func(Out)
}

// add sends in with whatever else is waiting, and calls told with its answer.
// It does not wait: told is called from another goroutine and must be quick, as
// the answers of others wait behind it.
func (b *batch[In, Out]) add(in In, told func(Out)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, queued[In, Out]{in, told})
	if !b.busy {
		b.busy = true
		go b.commit() // ends when the queue is empty and everybody was told
	}
}

func (b *batch[In, Out]) commit() {
	for group := b.take(); len(group) > 0; group = b.take() {
		in := make([]In, len(group))
		for i, q := range group {
			in[i] = q.in
		}
		for i, out := range b.send(in) {
			group[i].told(out)
		}
	}
}

// take removes the next group from the queue; an empty one ends the commit.
func (b *batch[In, Out]) take() []queued[In, Out] {
	b.mu.Lock()
	defer b.mu.Unlock()
	group := b.queue[:min(len(b.queue), maxBatch)]
	b.queue = b.queue[len(group):]
	if len(group) == 0 {
		b.busy, b.queue = false, nil
	}
	return group
}
