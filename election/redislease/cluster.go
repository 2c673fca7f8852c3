package redislease

import (
	"context"
	"fmt"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
)

// A runner makes the commands of calls and runs them on one server, or wherever
// its client sends them.
type runner func(ctx context.Context, server redis.UniversalClient, calls []*call)

// spread runs calls on the masters that have their slots, with run, each master
// for itself: the pipeline of a cluster client gives all calls the error of the one
// server that hangs. Calls of one shard keep their order. What a server sends
// elsewhere is followed.
func spread(ctx context.Context, cluster *redis.ClusterClient, calls []*call, run runner) {
	groups := make(map[*redis.Client][]*call)
	for _, c := range calls {
		master, err := cluster.MasterForKey(ctx, *c.args[firstKey].(*string))
		if err != nil {
			c.cmd = redis.NewCmd(ctx, c.args...)
			c.cmd.SetErr(fmt.Errorf("%w: redis: finding the server: %w", election.ErrNotApplied, err))
			continue
		}
		groups[master] = append(groups[master], c)
	}
	var wg sync.WaitGroup
	for master, group := range groups {
		wg.Go(func() {
			for _, c := range group {
				c.direct = true
			}
			run(ctx, master, group)
			for _, c := range group {
				c.pursue(ctx, cluster)
			}
		})
	}
	wg.Wait()
}

// A course is what becomes of a call that one server of a cluster has answered.
type course uint8

const (
	arrived   course = iota // it was run, or refused in a way that no other server cures
	elsewhere               // another server has all its keys
	scattered               // its slot is on the way: two servers have its keys between them
	unmapped                // the server is gone, or no master: the map of the slots is old
)

// whither reads how a call with so many keys has ended.
func whither(err error, keys int) course {
	switch {
	case err == nil:
		return arrived
	case redis.HasErrorPrefix(err, "TRYAGAIN"), redis.HasErrorPrefix(err, "ASK "):
		if keys > 1 {
			return scattered
		}
		return elsewhere
	case redis.HasErrorPrefix(err, "MOVED"):
		return elsewhere
	case redis.HasErrorPrefix(err, "NOSCRIPT"):
		return arrived
	}
	for _, prefix := range []string{"CLUSTERDOWN", "READONLY", "MASTERDOWN", "LOADING"} {
		if redis.HasErrorPrefix(err, prefix) {
			return unmapped
		}
	}
	if isReply(err) {
		return arrived
	}
	return unmapped
}

// pursue sends a call on to where its keys are. A cluster client learns of a server
// that has died from nobody but its other servers, and asks them once a minute: it
// is made to ask at once.
func (c *call) pursue(ctx context.Context, cluster *redis.ClusterClient) {
	switch whither(c.cmd.Err(), len(c.items)) {
	case arrived:
		return
	case unmapped:
		cluster.ReloadState(ctx)
		return
	case elsewhere:
		c.follow(ctx, cluster)
		if next := whither(c.cmd.Err(), len(c.items)); next != scattered && (next != elsewhere || len(c.items) == 1) {
			return
		}
	case scattered:
	}
	c.scatter(ctx, cluster)
}

// follow sends a call by way of the cluster client, which knows how to ask another
// server and sends again by itself: from here on an error proves nothing.
func (c *call) follow(ctx context.Context, cluster *redis.ClusterClient) {
	c.direct = false
	for range 2 {
		c.cmd = redis.NewCmd(ctx, c.args...)
		_ = cluster.Process(ctx, c.cmd) // the outcome is the command's
		if !redis.HasErrorPrefix(c.cmd.Err(), "NOSCRIPT") {
			return
		}
		c.sendText()
	}
}

// scatter runs a call item by item, in their order: a slot on its way answers to
// single keys only.
func (c *call) scatter(ctx context.Context, cluster *redis.ClusterClient) {
	c.parts = c.split()
	for _, part := range c.parts {
		part.follow(ctx, cluster)
	}
}

// split returns calls of one item each. The arguments are the keys, the terms and,
// if the script wants any, one for each item.
func (c *call) split() []*call {
	n := len(c.items)
	keys, shared := c.args[firstKey:firstKey+n], c.args[firstKey+n:]
	var own []any
	if len(shared) >= n {
		shared, own = shared[:len(shared)-n], shared[len(shared)-n:]
	}
	parts := make([]*call, n)
	for i := range parts {
		args := append(make([]any, 0, firstKey+2+len(shared)), c.args[0], c.args[1], "1", keys[i])
		args = append(args, shared...)
		if own != nil {
			args = append(args, own[i])
		}
		parts[i] = &call{script: c.script, items: c.items[i : i+1 : i+1], args: args}
	}
	return parts
}
