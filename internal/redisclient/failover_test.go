package redisclient_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/jobs"
)

// settles polls until requests are answered again, and says after how long.
func settles(t *testing.T, rdb redis.UniversalClient, limit time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	until(t, "requests to be answered", limit, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), try)
		defer cancel()
		return asks(ctx, rdb, 4) == nil
	})
	return time.Since(began)
}

func TestThroughSentinelsTheMasterIsFoundAndFollowed(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t)
	rdb := client(t, redisclient.Settings{Addrs: s.Addrs(), Sentinel: &redisclient.Sentinel{Master: s.Name}})
	if err := asks(t.Context(), rdb, 4); err != nil {
		t.Fatal(err)
	}
	err := client(t, redisclient.Settings{Addrs: s.Addrs(), Sentinel: &redisclient.Sentinel{Master: "nope"}}).Ping(t.Context()).Err()
	if fix := preflight.Unreached("redis", err, "").Fix; err == nil || !strings.Contains(err.Error(), `know no master "nope"`) ||
		!strings.Contains(fix, "redis.sentinel.master") {
		t.Errorf("an unknown master: got %v, remedy %q", err, fix)
	}

	if err := s.Sentinels[0].Pause(); err != nil { // one that hangs holds nobody up
		t.Fatal(err)
	}
	fresh := client(t, redisclient.Settings{Addrs: s.Addrs(), Sentinel: &redisclient.Sentinel{Master: s.Name}})
	began := time.Now()
	if err := fresh.Ping(t.Context()).Err(); err != nil || time.Since(began) > try/2 {
		t.Errorf("with one sentinel hung: %v after %s", err, time.Since(began))
	}
	if err := s.Sentinels[0].Resume(); err != nil {
		t.Fatal(err)
	}

	old := s.Master()
	if err := old.Pause(); err != nil { // it neither answers nor ends its connections
		t.Fatal(err)
	}
	now := s.AwaitFailover(old, 20*time.Second)
	took := settles(t, rdb, 5*time.Second)
	t.Logf("answers %s after the sentinels had agreed", took)
	if err := old.Resume(); err != nil {
		t.Fatal(err)
	}
	until(t, "the old master to be a replica", 20*time.Second, func() bool { return old.Holds("slave", "ROLE") })
	if settles(t, rdb, 5*time.Second); now.Do(t, "EXISTS", "solocron:{t.1}:x") != "1" {
		t.Error("what was written is not on the new master")
	}
}

// TestConnectionsToAServerThatIsNoLongerTheMasterAreEnded has a master that the
// sentinels have given up and that does not know of it: it still takes writes.
func TestConnectionsToAServerThatIsNoLongerTheMasterAreEnded(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t)
	old := s.Master()
	rdb := client(t, redisclient.Settings{Addrs: s.Addrs(), Sentinel: &redisclient.Sentinel{Master: s.Name}})
	if err := asks(t.Context(), rdb, 4); err != nil {
		t.Fatal(err)
	}
	other := s.Servers[1]
	other.Do(t, "REPLICAOF", "NO", "ONE")
	_, port, _ := strings.Cut(other.Addr, ":")
	for _, watcher := range s.Sentinels { // as if they had failed over
		watcher.Do(t, "SENTINEL", "REMOVE", s.Name)
		watcher.Do(t, "SENTINEL", "MONITOR", s.Name, "127.0.0.1", port, "2")
	}
	until(t, "our connections to the old master to end", 10*time.Second, func() bool {
		return !strings.Contains(old.Do(t, "CLIENT", "LIST"), "name=solocron")
	})
	if took := settles(t, rdb, 5*time.Second); other.Do(t, "EXISTS", "solocron:{t.1}:x") != "1" {
		t.Errorf("what was written, after %s, is not on the new master", took)
	}
}

func TestSentinelsThatWantAPasswordGetTheirOwn(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t)
	master := s.Master()
	for _, watcher := range s.Sentinels {
		watcher.Do(t, "ACL", "SETUSER", "asker", "on", ">right", "+sentinel|master", "+hello", "+auth")
		watcher.Do(t, "ACL", "SETUSER", "default", "off")
	}
	master.Do(t, "ACL", "SETUSER", "app", "on", ">other", "~*", "&*", "+@all")
	as := func(password string) redis.UniversalClient {
		return client(t, redisclient.Settings{
			Addrs: s.Addrs(), Username: "app", Password: jobs.Secret{Literal: "other"},
			Sentinel: &redisclient.Sentinel{Master: s.Name, Username: "asker", Password: jobs.Secret{Literal: password}},
		})
	}
	if name, err := as("right").Do(t.Context(), "ACL", "WHOAMI").Text(); err != nil || name != "app" {
		t.Errorf("got %q, %v, want app", name, err)
	}
	err := as("hunter2").Ping(t.Context()).Err()
	fix := preflight.Unreached("redis", err, "").Fix
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(fix, "redis.sentinel.password") {
		t.Errorf("a wrong password: got %v, remedy %q", err, fix)
	}
}

func TestInAClusterSlotsAndMastersThatMoveAreFollowed(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 3)
	rdb := client(t, redisclient.Settings{Addrs: []string{c.Nodes[0].Addr, c.Nodes[1].Addr}, Cluster: true})
	if err := asks(t.Context(), rdb, 4); err != nil {
		t.Fatal(err)
	}
	const key = "solocron:{t.1}:x"
	owner, _ := c.Owner(key)
	replica := c.ReplicaOf(owner)
	replica.Do(t, "CLUSTER", "FAILOVER")
	until(t, "the fail-over that was asked for", 10*time.Second, func() bool { return replica.Holds("master\n", "ROLE") })
	t.Logf("CLUSTER FAILOVER: answers after %s", settles(t, rdb, 5*time.Second))

	c.Settle()
	replica.Stop() // the master of now dies
	until(t, "the other to be master", 20*time.Second, func() bool { return owner.Holds("master\n", "ROLE") })
	took := settles(t, rdb, 10*time.Second)
	t.Logf("death of a master: answers %s after the other is master", took)
	if took > 5*time.Second {
		t.Errorf("it took %s to go to the master that took over: the map of the slots is old", took)
	}
}

func TestARedirectionIsFollowedWithoutRetries(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 2, 0)
	rdb := client(t, redisclient.Settings{Addrs: []string{c.Nodes[0].Addr}, Cluster: true})
	const count = "return redis.call('INCR', KEYS[1])"
	const key = "solocron:{t.1}:n"
	ask := func() int64 {
		t.Helper()
		n, err := rdb.Eval(t.Context(), count, []string{key}).Int64()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	ask()
	from, slot := c.Owner(key)
	to := c.Nodes[0]
	if to == from {
		to = c.Nodes[1]
	}
	number := strconv.Itoa(slot)
	to.Do(t, "CLUSTER", "SETSLOT", number, "IMPORTING", from.ID(t))
	from.Do(t, "CLUSTER", "SETSLOT", number, "MIGRATING", to.ID(t))
	_, port, _ := strings.Cut(to.Addr, ":")
	from.Do(t, "MIGRATE", "127.0.0.1", port, key, "0", "5000")
	if got := ask(); got != 2 { // ASK
		t.Errorf("on the way: got %d, want 2: a redirected request must be run once", got)
	}
	to.Do(t, "CLUSTER", "SETSLOT", number, "NODE", to.ID(t))
	from.Do(t, "CLUSTER", "SETSLOT", number, "NODE", to.ID(t))
	if got := ask(); got != 3 { // MOVED
		t.Errorf("moved: got %d, want 3: a redirected request must be run once", got)
	}
}

func TestAServerThatHasBecomeAReplicaLosesItsConnections(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	rdb := client(t, redisclient.Settings{Addrs: []string{server.Addr}})
	if err := asks(t.Context(), rdb, 1); err != nil {
		t.Fatal(err)
	}
	id := func() int64 {
		n, err := rdb.ClientID(t.Context()).Result()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	newest := int64(0) // of the idle ones: ids only grow
	for range 20 {
		newest = max(newest, id())
	}
	server.Do(t, "REPLICAOF", "127.0.0.1", "1")
	for range 20 { // each refusal ends one connection
		if err := asks(t.Context(), rdb, 1); !redis.HasErrorPrefix(err, "READONLY") {
			t.Fatalf("got %v, want READONLY", err)
		}
	}
	if now := id(); now <= newest {
		t.Errorf("connection %d is still in use, want one that is newer than %d", now, newest)
	}
}
