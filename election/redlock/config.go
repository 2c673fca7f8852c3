package redlock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
)

// NodeStore is a store that decides together with others.
type NodeStore interface {
	election.Store
	election.Overseer
}

// Node is one of the independent stores. Its Store may also be an Identifier, an
// Ager and what Store.Check and Store.Clock ask for.
type Node struct {
	Name    string // for people, unique among the nodes
	Store   NodeStore
	Durable bool // its data survives every restart (an append-only file, always synced): it votes at once
}

// Identifier is a node that tells who it is.
type Identifier interface {
	// Identity returns what tells the server from every other one and from itself
	// before a restart, its role ("master" if it can grant leases), whether it is
	// part of a cluster, and for how long it has been up.
	Identity(ctx context.Context) (id, role string, cluster bool, up time.Duration, err error)
}

// Ager is a node that tells how long its process has been up, at least. One that
// restarted without its data has forgotten the leases it granted: see Config.Young.
type Ager interface {
	Age(ctx context.Context) (time.Duration, error)
}

// Config is how the nodes are asked. The zero Config is a good one.
type Config struct {
	// NodeTimeout is how long one node may take for one call. 0: two fifths of the
	// time that the caller's context has left, so that two rounds fit into it; a
	// second if it has no deadline.
	NodeTimeout time.Duration
	// Linger is how long the rest of the nodes is waited for once a quorum has
	// agreed: a lease that more nodes know survives more of them. It is at least as
	// long as the quorum took and never longer than a quarter of the NodeTimeout.
	// 0: 5 ms.
	Linger time.Duration
	// Young is how long a node that is an Ager does not vote after it has started:
	// the longest lease and its lock delay, so that what it may have forgotten has
	// ended. Nodes that are Durable vote at once. 0: 35 s, as the defaults of
	// election.Config need; negative: a node votes at once.
	Young time.Duration
}

const (
	defaultLinger  = 5 * time.Millisecond
	defaultYoung   = 35 * time.Second
	defaultTimeout = time.Second // for one node, if the caller has no deadline
	maxNodes       = 15
	maxName        = 200 // bytes
)

func (c Config) withDefaults() Config {
	if c.Linger == 0 {
		c.Linger = defaultLinger
	}
	if c.Young == 0 {
		c.Young = defaultYoung
	}
	return c
}

// validate reports everything that is wrong with nodes and c.
func validate(nodes []Node, c Config) error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	switch n := len(nodes); {
	case n < 3 || n > maxNodes:
		fault("%d nodes: use 3, 5 or another odd number up to %d", n, maxNodes)
	case n%2 == 0:
		fault("%d nodes: an even number survives no more failures than %d, and can be split in halves; add or remove one", n, n-1)
	}
	names, stores := make(map[string]bool), make(map[NodeStore]string)
	for i, node := range nodes {
		switch {
		case node.Name == "" || len(node.Name) > maxName:
			fault("node %d: a name of %d bytes, 1 to %d are allowed", i+1, len(node.Name), maxName)
		case names[node.Name]:
			fault("node %q is there twice: two votes of one server are no majority", node.Name)
		}
		names[node.Name] = true
		if node.Store == nil {
			fault("node %q has no store", node.Name)
			continue
		}
		if twin, twice := stores[node.Store]; twice {
			fault("nodes %q and %q are the same store", twin, node.Name)
		}
		stores[node.Store] = node.Name
	}
	if c.NodeTimeout < 0 || c.Linger < 0 {
		fault("node time-out %s and linger %s must not be negative", c.NodeTimeout, c.Linger)
	}
	return errors.Join(faults...)
}
