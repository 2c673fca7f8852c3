package redlock

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	// maxOut is how many calls to a node may be under way, and maxOverdue how many
	// of them may have outlived their time: a node that hangs must not pile them up.
	maxOut     = 512
	maxOverdue = 4

	// maxSilent is how many calls in a row without an answer make a node suspect: it
	// is asked as before, but waited for only if there is no quorum without it.
	maxSilent = 2
)

var (
	errSilent = errors.New("no answer in time")
	errBusy   = errors.New("not asked: too many calls are under way")
	errAnswer = errors.New("answered with another number of items")
)

// A node is a Node with what is known of how it answers.
type node struct {
	Node
	ager  Ager // nil: it votes at once
	young time.Duration

	mu      sync.Mutex
	out     int
	overdue int
	silent  int // calls in a row without an answer

	backlog  []election.End // what it has not heard of, oldest first
	flushing bool
}

func newNode(n Node, cfg Config) *node {
	made := &node{Node: n, young: cfg.Young}
	if ager, ok := n.Store.(Ager); ok && !n.Durable && cfg.Young > 0 {
		made.ager = ager
	}
	return made
}

// A visit is a call that is under way.
type visit struct {
	node *node
	late *time.Timer
	mu   sync.Mutex
	done bool
	over bool
}

// visit begins a call that may take limit; nil if the node must not be called once more.
func (n *node) visit(limit time.Duration) *visit {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.out >= maxOut || n.overdue >= maxOverdue {
		return nil
	}
	n.out++
	v := &visit{node: n}
	v.late = time.AfterFunc(limit+limit/4, v.overdue)
	return v
}

// overdue notes that the node has not kept to the time-out it was given.
func (v *visit) overdue() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.done {
		return
	}
	v.over = true
	v.node.mu.Lock()
	defer v.node.mu.Unlock()
	v.node.overdue++
	v.node.silent++
}

// cancel ends a visit that was never made.
func (v *visit) cancel() {
	v.late.Stop()
	v.node.mu.Lock()
	defer v.node.mu.Unlock()
	v.node.out--
}

// end ends a call; answered says whether the node said anything at all.
func (v *visit) end(answered bool) {
	v.late.Stop()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done = true
	n := v.node
	n.mu.Lock()
	defer n.mu.Unlock()
	n.out--
	if v.over {
		n.overdue--
	}
	switch {
	case answered:
		n.silent = 0
	case !v.over:
		n.silent++
	}
}

func (n *node) suspect() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.silent >= maxSilent
}

// mute is for how long the node does not vote yet, as far as it knows; 0: it votes.
func (n *node) mute(ctx context.Context) (time.Duration, error) {
	if n.ager == nil {
		return 0, nil
	}
	age, err := n.ager.Age(ctx)
	if err != nil {
		return 0, err
	}
	return max(n.young-age, 0), nil
}
