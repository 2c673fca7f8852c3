package election

import (
	"context"
	"slices"
	"sync"
)

// Hints tells those who wait for a lock that it may be free, so that they need
// not wait for their next look. It is a hint only: it may be lost, late, or
// wrong, and whoever is woken asks the store.
type Hints interface {
	// Wait returns a channel that receives something after Ring was called for
	// key, here or elsewhere. Call stop when the wait is over.
	Wait(ctx context.Context, key string) (rung <-chan struct{}, stop func())
	// Ring says that key may be free. It does not wait.
	Ring(key string)
}

// LocalHints are Hints within one process. The zero LocalHints are ready. A ring
// wakes one waiter, the one that has waited longest: only one can get the lock.
type LocalHints struct {
	mu      sync.Mutex
	waiting map[string][]chan struct{} // by key, the longest first
}

// Wait implements Hints.
func (h *LocalHints) Wait(_ context.Context, key string) (<-chan struct{}, func()) {
	rung := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting == nil {
		h.waiting = make(map[string][]chan struct{})
	}
	h.waiting[key] = append(h.waiting[key], rung)
	return rung, func() { h.leave(key, rung) }
}

// leave hands on a ring that came too late for the one who leaves.
func (h *LocalHints) leave(key string, rung chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	others := h.waiting[key]
	if i := slices.Index(others, rung); i >= 0 {
		others = slices.Delete(others, i, i+1)
	}
	if h.waiting[key] = others; len(others) == 0 {
		delete(h.waiting, key)
	}
	select {
	case <-rung:
		h.ring(key)
	default:
	}
}

// Ring implements Hints.
func (h *LocalHints) Ring(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ring(key)
}

// ring wakes the first waiter that has not been woken yet. The caller holds h.mu.
func (h *LocalHints) ring(key string) {
	for _, rung := range h.waiting[key] {
		select {
		case rung <- struct{}{}:
			return
		default:
		}
	}
}

// Waiting returns how many wait for key.
func (h *LocalHints) Waiting(key string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.waiting[key])
}
