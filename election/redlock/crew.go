package redlock

import (
	"context"
	"sync"
)

// A crew is the goroutines of a store.
type crew struct {
	mu     sync.Mutex
	out    int
	closed bool
	empty  chan struct{} // closed when out is 0 and closed is true; nil before close
}

// run runs f in a goroutine of its own, unless the crew is closed.
func (c *crew) run(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.out++
	go func() { // close waits for it
		defer c.leave()
		f()
	}()
	return true
}

func (c *crew) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out--
	if c.closed && c.out == 0 {
		close(c.empty)
	}
}

// close lets nobody in and waits until all have left or ctx ends; it returns how
// many have not.
func (c *crew) close(ctx context.Context) int {
	c.mu.Lock()
	if !c.closed {
		c.closed, c.empty = true, make(chan struct{})
		if c.out == 0 {
			close(c.empty)
		}
	}
	empty := c.empty
	c.mu.Unlock()
	select {
	case <-empty:
		return 0
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out
}

func (c *crew) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}
