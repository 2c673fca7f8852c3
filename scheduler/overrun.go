package scheduler

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/solocron/solocron/jobs"
)

// ErrOverrun means that a run went on after its lease had ended, and its job says
// that the process must end then: a goroutine cannot be stopped from outside.
var ErrOverrun = errors.New("a run goes on after it must have ended")

const (
	overrunLook  = time.Second
	overrunAgain = time.Minute // between two reports of the same run
)

// watchOverruns reports runs that have not returned although their lease has
// ended, until done is closed. Whatever they say later, they have not succeeded.
func (s *Scheduler) watchOverruns(done <-chan struct{}) {
	ticker := time.NewTicker(overrunLook)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		for _, x := range s.crew.overdue() {
			s.overrun(x)
		}
	}
}

// overdue returns the runs in progress whose lease has ended.
func (c *crew) overdue() []*execution {
	c.mu.Lock()
	defer c.mu.Unlock()
	var late []*execution
	for _, x := range c.active {
		if x.lease.Remaining() <= 0 {
			late = append(late, x)
		}
	}
	return late
}

// overrun reports x, at once and then again and again.
func (s *Scheduler) overrun(x *execution) {
	now := s.cfg.Now()
	if said := x.overran.Load(); said != nil && now.Sub(*said) < overrunAgain {
		return
	}
	x.overran.Store(&now)
	s.observe(Event{Phase: Overran, Tick: x.about(), Run: x.run, Took: now.Sub(x.began), Note: stackOf(x)})
	if x.entry.job.OnOverrun == jobs.ExitOnOverrun {
		s.quit(fmt.Errorf("run %s: %w", x.run.ID, ErrOverrun))
	}
}

const maxStacks = 4 << 20 // bytes of all goroutines' stacks that are looked through

// stackOf is the stack of the goroutine that does x: the one in which x is an
// argument of its do. "" if it is not found.
func stackOf(x *execution) string {
	buf := make([]byte, maxStacks)
	all := string(buf[:runtime.Stack(buf, true)])
	mark := fmt.Sprintf("(*execution).do(%p)", x)
	for stack := range strings.SplitSeq(all, "\n\n") {
		if strings.Contains(stack, mark) {
			return cutTo(stack, maxStack)
		}
	}
	return ""
}

const maxStack = 8 << 10 // bytes of a stack that are told

// cutTo is text cut to limit bytes.
func cutTo(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
