package redlock

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	maxBacklog = 4096 // ends that a node has not heard of; the oldest are dropped
	maxFlush   = 512  // of them in one call
)

// What a node has not heard of when it was released, or undone, it is told when it
// answers again. One that was frozen carries out, on waking up, what had been sent
// to it before: it may so give out a lease that ended long ago, and would refuse
// everybody else until that lapses, while another node may fail by then.

// unheard adds the ends that a node did not answer to its backlog.
func (n *node) unheard(ends []election.End, answers []election.HoldAnswer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range ends {
		if a := &answers[i]; a.Standing == election.Uncertain && !errors.Is(a.Err, election.ErrBadClaim) {
			n.backlog = append(n.backlog, ends[i])
		}
	}
	if more := len(n.backlog) - maxBacklog; more > 0 {
		n.backlog = slices.Delete(n.backlog, 0, more)
	}
}

// owed takes some of the backlog of a node that answers, unless somebody else is at it.
func (n *node) owed() []election.End {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.silent > 0 || n.flushing || len(n.backlog) == 0 {
		return nil
	}
	n.flushing = true
	some := slices.Clone(n.backlog[:min(len(n.backlog), maxFlush)])
	n.backlog = slices.Delete(n.backlog, 0, len(some))
	return some
}

// flush tells a node that has just answered what it has missed. The caller is a
// goroutine of the crew.
func (s *Store) flush(n *node, limit time.Duration) {
	for ends := n.owed(); len(ends) > 0; ends = n.owed() {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		answers := n.releaseAt(ctx, ends)
		cancel()
		heard := slices.ContainsFunc(answers, func(a election.HoldAnswer) bool { return spokeHold(&a) })
		n.flushed(heard)
	}
}

// flushed lets the next one at the backlog. A node that has not heard it is silent again.
func (n *node) flushed(heard bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.flushing = false
	if !heard {
		n.silent++
	}
}

// releaseAt releases ends at one node, which is told again what it does not answer.
func (n *node) releaseAt(ctx context.Context, ends []election.End) []election.HoldAnswer {
	answers := n.Store.Release(ctx, ends)
	if len(answers) == len(ends) {
		n.unheard(ends, answers)
	}
	return answers
}
