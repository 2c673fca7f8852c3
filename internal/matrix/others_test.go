package matrix_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election/etcdlease"
	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/redlock"
	"github.com/solocron/solocron/internal/etcdtest"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/internal/redistest"
)

// majority are stores over n servers.
func majority(n int) func(t *testing.T) func(*testing.T) leasetest.Subject {
	return func(t *testing.T) func(*testing.T) leasetest.Subject {
		servers, clients := make([]*redistest.Server, n), make([]redis.UniversalClient, n)
		for i := range n {
			servers[i] = redistest.Start(t)
			clients[i] = connect(t, redisclient.Settings{Addrs: []string{servers[i].Addr}, Try: patience})
		}
		var opened atomic.Int64
		return func(t *testing.T) leasetest.Subject {
			namespace := fmt.Sprint("check-", opened.Add(1))
			return leasetest.Subject{
				Store: united(t, servers, clients, namespace),
				Wipe:  func() error { return wipe(namespace, servers) },
				Poison: func(key string) error {
					var failed error
					for _, s := range servers {
						_, err := s.Call("SET", redisKey(namespace, key), "poison")
						failed = errors.Join(failed, err)
					}
					return failed
				},
			}
		}
	}
}

// united is a store over all servers, which vote at once: they are new and empty.
func united(t *testing.T, servers []*redistest.Server, clients []redis.UniversalClient, namespace string) *redlock.Store {
	t.Helper()
	nodes := make([]redlock.Node, len(servers))
	for i, s := range servers {
		nodes[i] = redlock.Node{Name: s.Addr, Store: open(t, clients[i], namespace, patience), Durable: true}
	}
	store, err := redlock.New(nodes, redlock.Config{NodeTimeout: patience, Linger: patience / 5})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
		defer cancel()
		if err := store.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return store
}

// inEtcd is a store in a cluster of etcd, which counts whole seconds.
func inEtcd(t *testing.T) func(*testing.T) leasetest.Subject {
	return etcdBy(etcdClient(t, etcdlease.Options(etcdtest.Start(t, 3).Endpoints(), patience)))
}

// inSecureEtcd is a store of a user of etcd who may touch nothing but what is its
// own, over connections that need a certificate.
func inSecureEtcd(t *testing.T) func(*testing.T) leasetest.Subject {
	o := secureEtcd(t)
	lockDown(t, etcdClient(t, o))
	o.Username, o.Password = "solocron", "secret"
	return etcdBy(etcdClient(t, o))
}

// secureEtcd starts an etcd and returns how it is reached.
func secureEtcd(t *testing.T) clientv3.Config {
	t.Helper()
	certs, err := redistest.MakeCertificates(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	encrypted, err := certs.Config()
	if err != nil {
		t.Fatal(err)
	}
	encrypted.ServerName = "" // that of the address
	cluster := etcdtest.StartSecure(t, 1, &etcdtest.TLS{Cert: certs.Server, Key: certs.ServerKey, CA: certs.CA, Client: encrypted})
	o := etcdlease.Options(cluster.Endpoints(), patience)
	o.TLS = encrypted
	return o
}

// lockDown has etcd know two users, its administrator and one for us, and nobody else.
func lockDown(t *testing.T, admin *clientv3.Client) {
	t.Helper()
	ctx := t.Context()
	_, e1 := admin.UserAdd(ctx, "root", "root")
	_, e2 := admin.RoleAdd(ctx, "root")
	_, e3 := admin.UserGrantRole(ctx, "root", "root")
	_, e4 := admin.UserAdd(ctx, "solocron", "secret")
	_, e5 := admin.RoleAdd(ctx, "leases")
	_, e6 := admin.RoleGrantPermission(ctx, "leases", prefix+"/", clientv3.GetPrefixRangeEnd(prefix+"/"),
		clientv3.PermissionType(clientv3.PermReadWrite))
	_, e7 := admin.UserGrantRole(ctx, "solocron", "leases")
	_, e8 := admin.AuthEnable(ctx)
	if err := errors.Join(e1, e2, e3, e4, e5, e6, e7, e8); err != nil {
		t.Fatal(err)
	}
}

func etcdClient(t *testing.T, o clientv3.Config) *clientv3.Client {
	t.Helper()
	client, err := clientv3.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// etcdBy opens stores by way of client.
func etcdBy(client *clientv3.Client) func(*testing.T) leasetest.Subject {
	const slow = 30 * time.Second
	var opened atomic.Int64
	return func(t *testing.T) leasetest.Subject {
		namespace := fmt.Sprint("check-", opened.Add(1))
		store, err := etcdlease.New(client, prefix, namespace, slow)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		head := prefix + "/" + namespace + "/"
		return leasetest.Subject{
			Store: store, Grain: time.Second,
			Wipe: func() error {
				_, err := client.Delete(context.Background(), head, clientv3.WithPrefix())
				return err
			},
			Poison: func(key string) error {
				_, err := client.Put(context.Background(), head+key+"/r", "poison")
				return err
			},
		}
	}
}
