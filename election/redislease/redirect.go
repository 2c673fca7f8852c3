package redislease

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
)

// redirect sends those calls that a server of the cluster has sent elsewhere to
// where it pointed, once, with a WAIT there: by way of the cluster client, WAIT
// would go anywhere, as it names no key.
func (s *Store) redirect(ctx context.Context, cluster *redis.ClusterClient, calls []*call) {
	moved, asking := make(map[string][]*call), make(map[string][]*call)
	for _, c := range calls {
		if addr, ok := redis.IsMovedError(c.cmd.Err()); ok {
			moved[addr] = append(moved[addr], c)
		} else if addr, ok := redis.IsAskError(c.cmd.Err()); ok {
			asking[addr] = append(asking[addr], c)
		}
	}
	if len(moved)+len(asking) == 0 {
		return
	}
	nodes := masters(ctx, cluster)
	for addr, node := range nodes {
		if list := moved[addr]; list != nil {
			s.pipeAndWait(ctx, node, list, false)
		}
		if list := asking[addr]; list != nil {
			s.pipeAndWait(ctx, node, list, true)
		}
	}
}

// masters asks the cluster which masters it has now, by address. Without an answer
// there are none, and what was redirected stays so.
func masters(ctx context.Context, cluster *redis.ClusterClient) map[string]*redis.Client {
	var mu sync.Mutex
	nodes := make(map[string]*redis.Client)
	_ = cluster.ForEachMaster(ctx, func(_ context.Context, node *redis.Client) error {
		mu.Lock()
		defer mu.Unlock()
		nodes[node.Options().Addr] = node
		return nil
	})
	return nodes
}

var errOnTheWay = errors.New("its slot is on the way to another server, and nobody could wait for the replicas")

// stray marks a call that has gone another way in the end than straight to one
// server with a WAIT behind it: what was waited for says nothing about it.
func (c *call) stray() {
	if c.direct && c.parts == nil {
		return
	}
	c.short = fmt.Errorf("%w: %w", election.ErrUnreplicated, errOnTheWay)
	for _, part := range c.parts {
		part.short = c.short
	}
}
