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
	ending  context.Context // of runs that have no lease; ended when every run is told to stop
	ended   context.CancelFunc
	limit   int           // of runs at once; 0: none
	freed   chan struct{} // rung when a place is free again, if there is a limit

	mu      sync.Mutex
	shut    bool         // nobody is let in
	stopped bool         // everybody is told to stop
	booked  int          // places taken
	waiting []*execution // those from taken on
	taken   int
	coming  bool // a goroutine is about to take one of them
	active  []*execution
	working sync.WaitGroup // runners that have not returned
	inside  sync.WaitGroup // runs that have not been told of
}

func newCrew(limit int) *crew {
	c := &crew{limit: limit, freed: make(chan struct{}, 1)}
	c.closing, c.closed = context.WithCancel(context.Background())
	c.ending, c.ended = context.WithCancel(context.Background())
	return c
}

// book takes up to n places for runs and returns how many it got: none once the
// crew is shut. Each is given back by returned and told, or by unbook.
func (c *crew) book(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		return 0
	}
	if c.limit > 0 {
		n = min(n, c.limit-c.booked)
	}
	c.booked += n
	c.working.Add(n)
	c.inside.Add(n)
	return n
}

// unbook gives back places that nobody has run in.
func (c *crew) unbook(n int) {
	if n == 0 {
		return
	}
	c.working.Add(-n)
	c.inside.Add(-n)
	c.free(n)
}

func (c *crew) free(n int) {
	c.mu.Lock()
	c.booked -= n
	c.mu.Unlock()
	c.ring()
}

// ring says that there may be a free place, if anybody can be waiting for one.
func (c *crew) ring() {
	if c.limit == 0 {
		return
	}
	select {
	case c.freed <- struct{}{}:
	default:
	}
}

// isShut reports whether nobody is let in any more.
func (c *crew) isShut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shut
}

// begin does a run in a booked place, at once: while runs wait, a goroutine is on
// its way that belongs to none, so that a run never waits for another to end. A
// goroutine that is through with its run takes the next one, if there is one, and
// its stack along: a burst of quick jobs needs few of them.
func (c *crew) begin(x *execution) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == cap(c.waiting) && c.taken > len(c.waiting)/2 {
		n := copy(c.waiting, c.waiting[c.taken:])
		clear(c.waiting[n:])
		c.waiting, c.taken = c.waiting[:n], 0
	}
	c.waiting = append(c.waiting, x)
	c.call()
}

// call sends for a goroutine if runs wait and none is on its way. The caller
// holds c.mu.
func (c *crew) call() {
	if len(c.waiting) > c.taken && !c.coming {
		c.coming = true
		go c.work() // ends when nothing waits
	}
}

func (c *crew) work() {
	x := c.next(true)
	for x != nil {
		x.do()
		x = c.next(false)
	}
}

// next takes the run that waits longest; nil if there is none. A goroutine that
// has just come sends for the next before it begins: its own run may take long.
func (c *crew) next(came bool) *execution {
	c.mu.Lock()
	defer c.mu.Unlock()
	if came {
		c.coming = false
	}
	if c.taken == len(c.waiting) {
		if c.waiting, c.taken = c.waiting[:0], 0; cap(c.waiting) > maxRound {
			c.waiting = nil // after a burst
		}
		return nil
	}
	x := c.waiting[c.taken]
	c.waiting[c.taken] = nil
	c.taken++
	c.call()
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

// find returns the run with this ID if it is in progress here, else nil.
func (c *crew) find(run string) *execution {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.active {
		if x.run.ID == run {
			return x
		}
	}
	return nil
}

// returned says that the runner of a run has returned.
func (c *crew) returned(x *execution) {
	c.mu.Lock()
	last := len(c.active) - 1
	c.active[x.place] = c.active[last]
	c.active[x.place].place = x.place
	c.active[last] = nil
	c.active = c.active[:last]
	c.booked--
	c.mu.Unlock()
	c.working.Done()
	c.ring()
}

// stop tells every run to stop, those that are about to begin included.
func (c *crew) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.ended()
	for _, x := range c.active {
		x.lease.Cancel(ErrShutdown)
	}
}

// told says that the verdict on a run has been told.
func (c *crew) told() { c.inside.Done() }

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
	c.ended()
}
