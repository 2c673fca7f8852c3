package redlock_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/election/redlock"
	"github.com/solocron/solocron/internal/redistest"
)

const try = 5 * time.Second

var (
	_ redlock.Identifier = (*redislease.Store)(nil)
	_ redlock.Ager       = (*redislease.Store)(nil)
)

// servers starts n real servers.
func servers(t testing.TB, n int) []*redistest.Server {
	t.Helper()
	all := make([]*redistest.Server, n)
	for i := range all {
		all[i] = redistest.Start(t)
	}
	return all
}

// clients are the nodes on servers, each reached by a client of its own.
func clients(t testing.TB, servers []*redistest.Server, namespace string, durable bool) ([]redlock.Node, []*redis.Client) {
	t.Helper()
	nodes, all := make([]redlock.Node, len(servers)), make([]*redis.Client, len(servers))
	for i, server := range servers {
		all[i] = redis.NewClient(redislease.Options(server.Addr, try))
		t.Cleanup(func() { _ = all[i].Close() })
		s, err := redislease.New(all[i], "solocron", namespace, try)
		if err != nil {
			t.Fatal(err)
		}
		nodes[i] = redlock.Node{Name: fmt.Sprintf("n%d", i+1), Store: s, Durable: durable}
	}
	return nodes, all
}

func TestStoreKeepsTheContractOnThreeRedisServers(t *testing.T) {
	t.Parallel()
	at := servers(t, 3)
	var n atomic.Int64
	leasetest.Run(t, leasetest.Wall, func(t *testing.T) leasetest.Subject {
		name := "test-" + strconv.FormatInt(n.Add(1), 10)
		nodes, all := clients(t, at, name, true)
		each := func(f func(context.Context, *redis.Client) error) error {
			var errs []error
			for _, rdb := range all {
				errs = append(errs, f(context.Background(), rdb))
			}
			return errors.Join(errs...)
		}
		return leasetest.Subject{
			// The suite expects that what one call has done the next one sees: on a busy
			// machine that takes more patience than claims have.
			Store: open(t, redlock.Config{NodeTimeout: try, Linger: time.Second}, nodes...),
			Wipe: func() error {
				return each(func(ctx context.Context, rdb *redis.Client) error { return wipe(ctx, rdb, name) })
			},
			Poison: func(key string) error {
				return each(func(ctx context.Context, rdb *redis.Client) error {
					return poison(ctx, rdb, name, key)
				})
			},
		}
	})
}

// poison makes the record of a plain key something else, in whatever shard it is.
func poison(ctx context.Context, rdb *redis.Client, namespace, key string) error {
	var errs []error
	for shard := range 16 {
		errs = append(errs, rdb.Set(ctx, fmt.Sprintf("solocron:{%s.%d}:lease:%s", namespace, shard, key), "poison", 0).Err())
	}
	return errors.Join(errs...)
}

// wipe deletes the keys of a namespace alone: others use the same server.
func wipe(ctx context.Context, rdb *redis.Client, namespace string) error {
	keys := rdb.Scan(ctx, 0, "solocron:{"+namespace+".*", 1000).Iterator()
	for keys.Next(ctx) {
		if err := rdb.Del(ctx, keys.Val()).Err(); err != nil {
			return err
		}
	}
	return keys.Err()
}
