package scheduler

import (
	"context"
	"sync"
	"time"
)

// A crew is the runs in progress, and whether more may begin.
type crew struct {
	work    context.Context // of all runs; outlives the context of Run by the grace
	stop    context.CancelCauseFunc
	closing context.Context // of what must be said after a run; outlives the last of them
	closed  context.CancelFunc

	mu      sync.Mutex
	shut    bool
	working sync.WaitGroup // runners that have not returned
	inside  sync.WaitGroup // runs that have not been told of
}

func newCrew() *crew {
	c := new(crew)
	c.work, c.stop = context.WithCancelCause(context.Background())
	c.closing, c.closed = context.WithCancel(context.Background())
	return c
}

// reserve makes place for n runs; false once the crew is shut. Each place is
// given back by the end of begin, or by unreserve.
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

func (c *crew) unreserve() {
	c.working.Done()
	c.inside.Done()
}

// begin does a run in a reserved place: first the work, then what must be said
// about it.
func (c *crew) begin(work func() (say func())) {
	go func() {
		defer c.inside.Done()
		say := work()
		c.working.Done()
		say()
	}()
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

	patience := time.AfterFunc(grace, func() { c.stop(ErrShutdown) })
	c.working.Wait()
	patience.Stop()
	c.stop(ErrShutdown)
	last := time.AfterFunc(lastWords, c.closed)
	c.inside.Wait()
	last.Stop()
	c.closed()
}
