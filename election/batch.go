package election

import "sync"

// A batch is a group commit: it sends what is queued, collects while that is in
// flight, and sends again. While nothing is queued it has no goroutine.
type batch[In, Out any] struct {
	send func([]In) []Out // one call at a time; what it is given is its own until it returns
	told func(In, Out)    // takes each answer; must be quick, as others wait behind it
	over func([]Out)      // takes the answers of a group when nobody needs them any more; may be nil

	mu     sync.Mutex
	groups [][]In // each sent in one request, oldest first; the last is being filled
	spare  [][]In // empty: a burst fills the same few again and again
	busy   bool
}

const (
	maxBatch  = 2048 // in a group: one request stays well within its time-out
	maxSpares = 4    // groups kept for the next burst
)

// add sends in with whatever else is waiting. It does not wait: told is called
// from another goroutine.
func (b *batch[In, Out]) add(in In) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := len(b.groups) - 1
	if last < 0 || len(b.groups[last]) == maxBatch {
		b.groups = append(b.groups, b.empty())
		last++
	}
	b.groups[last] = append(b.groups[last], in)
	if !b.busy {
		b.busy = true
		go b.commit() // ends when the queue is empty and everybody was told
	}
}

// empty is a group to fill. The caller holds b.mu.
func (b *batch[In, Out]) empty() []In {
	last := len(b.spare) - 1
	if last < 0 {
		return nil
	}
	group := b.spare[last]
	b.spare = b.spare[:last]
	return group
}

func (b *batch[In, Out]) commit() {
	for group := b.take(nil); len(group) > 0; group = b.take(group) {
		outs := b.send(group)
		for i, out := range outs {
			if b.over != nil && i == len(outs)-1 {
				b.over(outs) // before the last is told: who has waited for all finds nothing under way
			}
			b.told(group[i], out)
		}
	}
}

// take returns the next group, nothing if that ends the commit. What it returned
// before is filled again later.
func (b *batch[In, Out]) take(done []In) []In {
	clear(done)
	b.mu.Lock()
	defer b.mu.Unlock()
	if cap(done) > 0 && len(b.spare) < maxSpares {
		b.spare = append(b.spare, done[:0])
	}
	if len(b.groups) == 0 {
		b.busy, b.groups = false, nil
		return nil
	}
	group := b.groups[0]
	b.groups[0] = nil
	b.groups = b.groups[1:]
	return group
}
