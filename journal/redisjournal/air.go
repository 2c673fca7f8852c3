package redisjournal

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// plainFor is how long a Cluster that does not know channels of its shards is taken
// at its word: it may be on its way to a newer version.
const plainFor = time.Minute

// air carries messages. In a Cluster from Redis 7 on they go through the shard that
// has the slot of a channel's name, whose hash tag is that of the members; else
// every message would go to every node. Elsewhere, and in older Clusters, channels
// are the ordinary ones.
type air struct {
	rdb     redis.UniversalClient
	cluster *redis.ClusterClient // nil: not a Cluster
	plain   atomic.Int64         // until when shards are not tried, in Unix milliseconds
}

func newAir(rdb redis.UniversalClient) *air {
	cluster, _ := rdb.(*redis.ClusterClient)
	return &air{rdb: rdb, cluster: cluster}
}

// sharded reports whether messages go through shards.
func (a *air) sharded() bool {
	return a.cluster != nil && time.Now().UnixMilli() >= a.plain.Load()
}

// subscribe opens a connection that receives what is said on a channel: on the node
// that has its slot, if that is how it is sent.
func (a *air) subscribe(ctx context.Context, channel string) *redis.PubSub {
	if a.sharded() {
		return a.cluster.SSubscribe(ctx, channel)
	}
	return a.rdb.Subscribe(ctx, channel)
}

// publish sends messages on a channel, in one round trip.
func (a *air) publish(ctx context.Context, channel string, messages ...[]byte) error {
	if len(messages) == 0 {
		return nil
	}
	sharded := a.sharded()
	pipe := a.rdb.Pipeline()
	for _, m := range messages {
		if sharded {
			pipe.SPublish(ctx, channel, m)
		} else {
			pipe.Publish(ctx, channel, m)
		}
	}
	_, err := pipe.Exec(ctx)
	if sharded && a.learn(err) {
		return a.publish(ctx, channel, messages...) // by the other means: now they are not sharded
	}
	return err
}

// learn notes an answer that says that there are no channels of shards. True if it
// does.
func (a *air) learn(err error) bool {
	if a.cluster == nil || !redis.HasErrorPrefix(err, "unknown command") && !redis.HasErrorPrefix(err, "Unknown command") {
		return false
	}
	a.plain.Store(time.Now().Add(plainFor).UnixMilli())
	return true
}

// ended reports whether what was received says that a slot has left the node: its
// channels are heard elsewhere from now on.
func ended(got any) bool {
	s, ok := got.(*redis.Subscription)
	return ok && s.Kind == "sunsubscribe"
}
