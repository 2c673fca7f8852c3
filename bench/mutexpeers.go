package main

import (
	"context"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
)

const (
	mutexTTL  = 30 * time.Second
	mutexPool = 16 // connections: one for each goroutine at most
)

// A mutexPeer obtains and releases the lock of a key.
type mutexPeer struct {
	name     string
	cycle    func(ctx context.Context, key string) error
	commands []string // what its clients send in a cycle; what scripts call is not counted
	close    func()
}

// goRedis is the client that all but one of the peers get, with the same settings.
func goRedis(addr string) *redis.Client {
	o := redislease.Options(addr, tryTimeout)
	o.PoolSize = mutexPool
	return redis.NewClient(o)
}

func newMutexPeers(addr string) ([]mutexPeer, error) {
	ours, err := solocronMutex(addr)
	if err != nil {
		return nil, err
	}
	peers := []mutexPeer{ours, redsyncMutex(addr), bsmMutex(addr)}
	rueidis, err := rueidisMutex(addr)
	if err != nil {
		closeAll(peers)
		return nil, err
	}
	return append(peers, rueidis, emptyMutex(addr)), nil
}

func closeAll(peers []mutexPeer) {
	for _, p := range peers {
		p.close()
	}
}

func solocronMutex(addr string) (mutexPeer, error) {
	rdb := goRedis(addr)
	store, err := redislease.New(rdb, "bench", namespace, tryTimeout)
	if err != nil {
		return mutexPeer{}, err
	}
	locks, err := election.NewLocks(store, "bench-0", election.LocksConfig{Lease: election.Config{TTL: mutexTTL}})
	if err != nil {
		return mutexPeer{}, err
	}
	return mutexPeer{
		name: "solocron", commands: []string{"evalsha", "eval"}, close: func() { _ = rdb.Close() },
		cycle: func(ctx context.Context, key string) error {
			h, err := locks.Mutex(election.Key{Kind: "order", ID: key}).Try(ctx)
			if err != nil {
				return err
			}
			return h.Unlock()
		},
	}, nil
}

func redsyncMutex(addr string) mutexPeer {
	rdb := goRedis(addr)
	rs := redsync.New(goredis.NewPool(rdb))
	return mutexPeer{
		name: "redsync", commands: []string{"set", "evalsha", "eval"}, close: func() { _ = rdb.Close() },
		cycle: func(ctx context.Context, key string) error {
			m := rs.NewMutex("redsync:"+key, redsync.WithExpiry(mutexTTL))
			if err := m.TryLockContext(ctx); err != nil {
				return err
			}
			_, err := m.UnlockContext(ctx)
			return err
		},
	}
}

func bsmMutex(addr string) mutexPeer {
	rdb := goRedis(addr)
	locker := redislock.New(rdb)
	return mutexPeer{
		name: "redislock", commands: []string{"evalsha", "eval"}, close: func() { _ = rdb.Close() },
		cycle: func(ctx context.Context, key string) error {
			lock, err := locker.Obtain(ctx, "redislock:"+key, mutexTTL, nil)
			if err != nil {
				return err
			}
			return lock.Release(ctx)
		},
	}
}

// emptyMutex is no lock, but what the cheapest one would cost: two scripts of nothing
// to the same server by the same client. So it shows how much there is to win.
func emptyMutex(addr string) mutexPeer {
	rdb := goRedis(addr)
	nothing := redis.NewScript("return 1")
	return mutexPeer{
		name: "two empty scripts", commands: []string{"evalsha", "eval"}, close: func() { _ = rdb.Close() },
		cycle: func(ctx context.Context, key string) error {
			for range 2 {
				if err := nothing.Run(ctx, rdb, []string{key}).Err(); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// rueidisMutex is the peer with a client of its own, which sends what many
// goroutines ask for at a time over one connection.
func rueidisMutex(addr string) (mutexPeer, error) {
	locker, err := rueidislock.NewLocker(rueidislock.LockerOption{
		ClientOption: rueidis.ClientOption{InitAddress: []string{addr}},
		KeyMajority:  1, // one server: more keys on it would be no majority of anything
		KeyValidity:  mutexTTL, TryNextAfter: tryTimeout, NoLoopTracking: true,
	})
	if err != nil {
		return mutexPeer{}, err
	}
	return mutexPeer{
		name: "rueidislock", commands: []string{"evalsha", "eval"}, close: locker.Close,
		cycle: func(ctx context.Context, key string) error {
			_, unlock, err := locker.TryWithContext(ctx, key)
			if err != nil {
				return err
			}
			unlock()
			return nil
		},
	}, nil
}
