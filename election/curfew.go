package election

import (
	"context"
	"sync"
	"time"
)

// A curfew bounds requests in time: a context for each, as from
// context.WithTimeout, at a third of the price. As all may take equally long, the
// first to leave is the first to be late, so one timer does for any number. It is
// set when somebody leaves and again when it fires, not when anybody comes back.
type curfew struct {
	after time.Duration

	mu          sync.Mutex
	first, last *outing // those who are out, as they left
	timer       *time.Timer
	set         bool // timer will fire
}

// An outing is the context of one request. It carries no values.
type outing struct {
	curfew *curfew
	until  time.Time
	done   chan struct{}

	// Of the curfew, under its mu.
	err          error
	before, next *outing
}

// leave begins a request. Whoever calls it calls back when it is answered.
func (c *curfew) leave() *outing {
	o := &outing{curfew: c, done: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	o.until = time.Now().Add(c.after)
	if o.before = c.last; c.last == nil {
		c.first = o
	} else {
		c.last.next = o
	}
	c.last = o
	switch {
	case c.set:
		return o
	case c.timer == nil:
		c.timer = time.AfterFunc(c.after, c.call)
	default:
		c.timer.Reset(c.after)
	}
	c.set = true
	return o
}

// call ends the requests whose time is over.
func (c *curfew) call() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for c.first != nil && !c.first.until.After(now) {
		c.first.end(context.DeadlineExceeded)
	}
	if c.set = c.first != nil; c.set {
		c.timer.Reset(c.first.until.Sub(now))
	}
}

// back ends o, which is answered.
func (o *outing) back() {
	o.curfew.mu.Lock()
	defer o.curfew.mu.Unlock()
	if o.err == nil {
		o.end(context.Canceled)
	}
}

// end takes o off the list. The caller holds the curfew's mu.
func (o *outing) end(err error) {
	o.err = err
	close(o.done)
	if o.before == nil {
		o.curfew.first = o.next
	} else {
		o.before.next = o.next
	}
	if o.next == nil {
		o.curfew.last = o.before
	} else {
		o.next.before = o.before
	}
	o.before, o.next = nil, nil
}

// Deadline implements context.Context.
func (o *outing) Deadline() (time.Time, bool) { return o.until, true }

// Done implements context.Context.
func (o *outing) Done() <-chan struct{} { return o.done }

// Err implements context.Context.
func (o *outing) Err() error {
	o.curfew.mu.Lock()
	defer o.curfew.mu.Unlock()
	return o.err
}

// Value implements context.Context.
func (o *outing) Value(any) any { return nil }
