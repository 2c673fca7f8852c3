package redlock

import (
	"context"
	"sync"
	"time"
)

// A box takes the replies of one poll; what comes after it was shut is late.
type box[A any] struct {
	came chan reply[A] // has room for every node
	late func(i int, answers []A)

	mu     sync.Mutex
	closed bool
}

func (b *box[A]) put(r reply[A]) {
	b.mu.Lock()
	closed := b.closed
	if !closed {
		b.came <- r
	}
	b.mu.Unlock()
	if closed && b.late != nil {
		b.late(r.node, r.answers)
	}
}

// shut returns what came and was not taken.
func (b *box[A]) shut() []reply[A] {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	var left []reply[A]
	for {
		select {
		case r := <-b.came:
			left = append(left, r)
		default:
			return left
		}
	}
}

// A wait is a poll that waits.
type wait[A any] struct {
	question[A]
	answers [][]A
	trusted []bool
	waiting int // answers of trusted nodes that are still to come
	linger  time.Duration
}

func (w *wait[A]) run(ctx context.Context, came <-chan reply[A], limit time.Duration) {
	began, lingers := time.Now(), false
	over := time.NewTimer(limit)
	defer over.Stop()
	for w.waiting > 0 {
		select {
		case r := <-came:
			w.answers[r.node] = r.answers
			if w.trusted[r.node] {
				w.waiting--
			}
			if !lingers && w.allDecided() {
				lingers = true
				took := time.Since(began)
				over.Reset(min(max(w.linger, took), limit/4, limit-took))
			}
		case <-over.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (w *wait[A]) allDecided() bool {
	if w.decided == nil {
		return false
	}
	for i := range w.n {
		if !w.decided(w.answers, i) {
			return false
		}
	}
	return true
}
