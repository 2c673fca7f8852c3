package election

import "sync"

// A batch is a group commit: it sends what is queued, collects while that is in
// flight, and sends again. It needs no goroutine of its own: the first of a
// group sends for all.
type batch[In, Out any] struct {
	send func([]In) []Out

	mu    sync.Mutex
	queue []*queued[In, Out] // its first element leads the next group
	busy  bool
}

// maxBatch bounds a group, so that one request stays well within its time-out.
const maxBatch = 2048

type queued[In, Out any] struct {
	in   In
	out  Out
	turn chan bool // true: lead the next group; false: out is there
}

// do sends in with whatever else is waiting and returns its answer.
func (b *batch[In, Out]) do(in In) Out {
	q := &queued[In, Out]{in: in, turn: make(chan bool, 1)}
	b.mu.Lock()
	b.queue = append(b.queue, q)
	if b.busy {
		b.mu.Unlock()
		if lead := <-q.turn; !lead {
			return q.out
		}
		b.mu.Lock()
	}
	b.busy = true
	group := b.queue[:min(len(b.queue), maxBatch)]
	b.queue = b.queue[len(group):]
	b.mu.Unlock()

	b.commit(group)

	b.mu.Lock()
	b.busy = len(b.queue) > 0
	if b.busy {
		b.queue[0].turn <- true
	} else {
		b.queue = nil
	}
	b.mu.Unlock()
	return q.out
}

// commit sends a group and wakes all of it but the first, who is the caller.
func (b *batch[In, Out]) commit(group []*queued[In, Out]) {
	in := make([]In, len(group))
	for i, q := range group {
		in[i] = q.in
	}
	out := b.send(in)
	for i, q := range group {
		q.out = out[i]
		if i > 0 {
			q.turn <- false
		}
	}
}
