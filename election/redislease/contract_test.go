package redislease_test

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

const try = 5 * time.Second

// mini opens a store in a miniredis of its own, reached through pipes: it can
// live in a bubble.
func mini(t *testing.T) (*redislease.Store, *redis.Client) {
	t.Helper()
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	t.Cleanup(m.Close)
	o := redislease.Options("127.0.0.1:6379", try)
	o.Dialer, o.PoolSize = redistest.Dialer(m), redistest.BubblePool
	o.MinIdleConns = 0 // nobody waits for those that are dialled in the background
	return open(t, redis.NewClient(o), "test")
}

func open(t testing.TB, rdb *redis.Client, namespace string) (*redislease.Store, *redis.Client) {
	t.Helper()
	t.Cleanup(func() { _ = rdb.Close() })
	s, err := redislease.New(rdb, "solocron", namespace, try)
	if err != nil {
		t.Fatal(err)
	}
	return s, rdb
}

func subject(s *redislease.Store, rdb *redis.Client) leasetest.Subject {
	ctx := context.Background()
	return leasetest.Subject{
		Store:  s,
		Wipe:   func() error { return wipe(ctx, s, rdb) },
		Poison: func(key string) error { return rdb.Set(ctx, s.RedisKey(key), "poison", 0).Err() },
	}
}

// wipe deletes the keys of s alone: others use the same server.
func wipe(ctx context.Context, s *redislease.Store, rdb *redis.Client) error {
	keys := rdb.Scan(ctx, 0, s.Pattern(), 1000).Iterator()
	for keys.Next(ctx) {
		if err := rdb.Del(ctx, keys.Val()).Err(); err != nil {
			return err
		}
	}
	return keys.Err()
}

func TestStoreKeepsTheContractOnMiniredis(t *testing.T) {
	t.Parallel()
	leasetest.Run(t, leasetest.Bubble, func(t *testing.T) leasetest.Subject { return subject(mini(t)) })
}

func TestStoreKeepsTheContractOnRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	var n atomic.Int64
	leasetest.Run(t, leasetest.Wall, func(t *testing.T) leasetest.Subject {
		return subject(open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test-"+strconv.FormatInt(n.Add(1), 10)))
	})
}
