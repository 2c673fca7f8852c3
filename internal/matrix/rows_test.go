package matrix_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/jobs"
)

// patience is the longest that a try may take here: what is measured is what the
// stores answer, not how fast.
const patience = 5 * time.Second

// A row is a kind of store. Prepare starts what it needs and returns what opens a
// store, empty and apart from all others.
type row struct {
	name    string
	clock   leasetest.Clock
	prepare func(t *testing.T) func(t *testing.T) leasetest.Subject
}

func rows() []row {
	return []row{
		{"memory", leasetest.Bubble, inMemory},
		{"miniredis", leasetest.Bubble, inMiniredis},
		{"redis, RESP2", leasetest.Wall, func(t *testing.T) func(*testing.T) leasetest.Subject { return single(t, 2) }},
		{"redis, RESP3", leasetest.Wall, func(t *testing.T) func(*testing.T) leasetest.Subject { return single(t, 3) }},
		{"redis, TLS and ACL", leasetest.Wall, secure},
		{"sentinel, 1+2+3", leasetest.Wall, sentinel},
		{"cluster, 3+3", leasetest.Wall, cluster},
		{"WAIT for 2 replicas", leasetest.Wall, waiting},
		{"redlock over 3", leasetest.Wall, majority(3)},
		{"redlock over 5", leasetest.Wall, majority(5)},
		{"etcd, 3 members", leasetest.Wall, inEtcd},
		{"etcd, TLS and a user", leasetest.Wall, inSecureEtcd},
	}
}

func inMemory(*testing.T) func(*testing.T) leasetest.Subject {
	return func(*testing.T) leasetest.Subject {
		s := new(memlease.Store)
		return leasetest.Subject{Store: s, Wipe: func() error { s.Forget(); return nil }}
	}
}

func inMiniredis(*testing.T) func(*testing.T) leasetest.Subject {
	return func(t *testing.T) leasetest.Subject {
		m := miniredis.NewMiniRedis()
		m.ClockTTL(true)
		t.Cleanup(m.Close)
		o := redislease.Options("127.0.0.1:6379", patience)
		o.Dialer, o.PoolSize = redistest.Dialer(m), redistest.BubblePool
		o.MinIdleConns = 0 // nobody waits for those that are dialled in the background
		rdb := redis.NewClient(o)
		t.Cleanup(func() { _ = rdb.Close() })
		return leasetest.Subject{
			Store:  open(t, rdb, "matrix", patience),
			Wipe:   func() error { return rdb.FlushAll(context.Background()).Err() },
			Poison: func(key string) error { return m.Set(redisKey("matrix", key), "poison") },
		}
	}
}

// A place is a Redis that stores of one client live in.
type place struct {
	rdb     redis.UniversalClient
	options []redislease.Option
	masters func() []*redistest.Server
	owner   func(key string) *redistest.Server
	opened  atomic.Int64
}

// open opens a store in a namespace of its own.
func (p *place) open(t *testing.T) leasetest.Subject {
	namespace := fmt.Sprint("check-", p.opened.Add(1))
	return leasetest.Subject{
		Store: open(t, p.rdb, namespace, patience, p.options...),
		Wipe:  func() error { return wipe(namespace, p.masters()) },
		Poison: func(key string) error {
			name := redisKey(namespace, key)
			_, err := p.owner(name).Call("SET", name, "poison")
			return err
		},
	}
}

// on is a place on one server.
func on(rdb redis.UniversalClient, server *redistest.Server, options ...redislease.Option) func(*testing.T) leasetest.Subject {
	p := &place{
		rdb: rdb, options: options,
		masters: func() []*redistest.Server { return []*redistest.Server{server} },
		owner:   func(string) *redistest.Server { return server },
	}
	return p.open
}

func single(t *testing.T, protocol int) func(*testing.T) leasetest.Subject {
	server := redistest.Start(t)
	return on(connect(t, redisclient.Settings{Addrs: []string{server.Addr}, Protocol: protocol, Try: patience}), server)
}

// secure has the one line of ACL that we tell people to use.
func secure(t *testing.T) func(*testing.T) leasetest.Subject {
	server := redistest.StartTLS(t, "user app on >secret ~"+prefix+":* resetchannels &"+prefix+":* "+preflight.Commands)
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	certs := server.Certificates
	return on(connect(t, redisclient.Settings{
		Addrs: []string{server.Addr}, Username: "app", Password: jobs.Secret{File: file}, Try: patience,
		TLS: &redisclient.TLS{CA: certs.CA, Cert: certs.Client, Key: certs.ClientKey, ServerName: certs.ServerName},
	}), server.Server)
}

func sentinel(t *testing.T) func(*testing.T) leasetest.Subject {
	s := redistest.StartSentinel(t)
	return on(connect(t, watched(s, patience)), s.Master())
}

// watched are the settings of a client that asks the sentinels.
func watched(s *redistest.Sentinel, try time.Duration) redisclient.Settings {
	return redisclient.Settings{Addrs: s.Addrs(), Sentinel: &redisclient.Sentinel{Master: s.Name}, Try: try}
}

func cluster(t *testing.T) func(*testing.T) leasetest.Subject {
	const masters = 3
	c := redistest.StartCluster(t, masters, masters)
	p := &place{
		rdb:     connect(t, redisclient.Settings{Addrs: c.Addrs(), Cluster: true, Try: patience}),
		masters: func() []*redistest.Server { return c.Nodes[:masters] },
		owner:   func(key string) *redistest.Server { owner, _ := c.Owner(key); return owner },
	}
	return p.open
}

func waiting(t *testing.T) func(*testing.T) leasetest.Subject {
	const replicas = 2
	r := redistest.StartReplicated(t, replicas)
	rdb := connect(t, redisclient.Settings{Addrs: []string{r.Master.Addr}, Try: patience})
	return on(rdb, r.Master, redislease.Wait{Replicas: replicas, Timeout: patience / 2})
}
