package etcdlease_test

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election/etcdlease"
	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/internal/etcdtest"
)

// grain is what etcd counts leases in, and more than it takes to end one.
const grain = time.Second

func client(t *testing.T, endpoints []string, try time.Duration) *clientv3.Client {
	t.Helper()
	c, err := clientv3.New(etcdlease.Options(endpoints, try))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func open(t *testing.T, c *clientv3.Client, namespace string, try time.Duration) *etcdlease.Store {
	t.Helper()
	s, err := etcdlease.New(c, "solocron", namespace, try)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func subject(t *testing.T, c *clientv3.Client, namespace string) leasetest.Subject {
	t.Helper()
	s := open(t, c, namespace, 30*time.Second)
	ctx := context.Background()
	return leasetest.Subject{
		Store: s,
		Grain: grain,
		Wipe: func() error {
			_, err := c.Delete(ctx, s.Head(), clientv3.WithPrefix())
			return err
		},
		Poison: func(key string) error {
			_, err := c.Put(ctx, s.RecordKey(key), "poison")
			return err
		},
	}
}

func TestStoreKeepsTheContractOnEtcd(t *testing.T) {
	t.Parallel()
	c := client(t, etcdtest.Start(t, 1).Endpoints(), 5*time.Second)
	var n atomic.Int64
	leasetest.Run(t, leasetest.Wall, func(t *testing.T) leasetest.Subject {
		return subject(t, c, "test-"+strconv.FormatInt(n.Add(1), 10))
	})
}
