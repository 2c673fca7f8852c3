package scheduler

import (
	"context"
	"sync"
	"time"
)

// A crew is the runs in progress, and whether more may begin.
type crew struct {
	closing context.Context // of what must be said after a run; outlives the last of them
	closed  context.CancelFunc

	mu      sync.Mutex
	shut    bool // nobody is let in
	stopped bool // everybody is told to stop
	waiting []*execution
	active  []*execution
	working sync.WaitGroup // runners that have not returned
	inside  sync.WaitGroup // runs that have not been told of
}

func newCrew() *crew {
	c := new(crew)
	c.closing, c.closed = context.WithCancel(context.Background())
	return c
}

// reserve makes place for n runs; false once the crew is shut. Each place is
// given back by returned and told, or by unreserve.
func (c *crew) reserve(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		return false
	}
	c.working.Add(n)
	c.inside.Add(n)
	return true
}

// begin does a run in a reserved place, at once. Each begin starts a goroutine,
// so that a run never waits for another; but a goroutine that is through with
// its run takes the next one that waits, if there is one, and its stack along:
// in a burst of quick jobs most goroutines find nothing left to do.
func (c *crew) begin(x *execution) {
	c.mu.Lock()
	c.waiting = append(c.waiting, x)
	c.mu.Unlock()
	go func() {
		for x := c.next(); x != nil; x = c.next() {
			x.do()
		}
	}()
}

// next takes the run that waits longest; nil if there is none.
func (c *crew) next() *execution {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		c.waiting = nil
		return nil
	}
	x := c.waiting[0]
	c.waiting[0] = nil
	c.waiting = c.waiting[1:]
	return x
}

// enter lists a run whose lease is kept, so that it can be told to stop.
func (c *crew) enter(x *execution) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.place = len(c.active)
	c.active = append(c.active, x)
	if c.stopped {
		x.lease.Cancel(ErrShutdown)
	}
}

// returned says that the runner of a run has returned.
func (c *crew) returned(x *execution) {
	c.mu.Lock()
	last := len(c.active) - 1
	c.active[x.place] = c.active[last]
	c.active[x.place].place = x.place
	c.active[last] = nil
	c.active = c.active[:last]
	c.mu.Unlock()
	c.working.Done()
}

// stop tells every run to stop, those that are about to begin included.
func (c *crew) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	for _, x := range c.active {
		x.lease.Cancel(ErrShutdown)
	}
}

// told says that the verdict on a run has been told.
func (c *crew) told() { c.inside.Done() }

func (c *crew) unreserve() {
	c.working.Done()
	c.inside.Done()
}

// lastWords is what runs get, once all have returned at a shutdown, to write
// their outcomes to a store that may be slow.
const lastWords = 5 * time.Second

// drain lets nobody in, waits for those inside for up to grace, then ends their
// contexts with ErrShutdown and waits until all have returned and been told of.
func (c *crew) drain(grace time.Duration) {
	c.mu.Lock()
	c.shut = true
	c.mu.Unlock()

	patience := time.AfterFunc(grace, c.stop)
	c.working.Wait()
	patience.Stop()
	last := time.AfterFunc(lastWords, c.closed)
	c.inside.Wait()
	last.Stop()
	c.closed()
}
