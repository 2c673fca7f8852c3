package redisjournal_test

import (
	"context"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/scheduler"
)

// spread makes a client of a cluster.
func spread(t *testing.T, addrs ...string) *redis.ClusterClient {
	t.Helper()
	rdb := redis.NewClusterClient(redislease.ClusterOptions(addrs, 2*time.Second))
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

func TestAllKeepTheirContractsOnACluster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 0)
	var n atomic.Int64
	fresh := func() string { return "test-" + strconv.FormatInt(n.Add(1), 10) }
	t.Run("journal", func(t *testing.T) {
		t.Parallel()
		rdb := spread(t, c.Nodes[0].Addr)
		journaltest.RunJournal(t, false, func(t *testing.T) journal.Journal { return open(t, rdb, fresh()) })
	})
	t.Run("output", func(t *testing.T) {
		t.Parallel()
		rdb := spread(t, c.Nodes[0].Addr)
		journaltest.RunLogs(t, false, func(t *testing.T) journaltest.OpenLogs { return openLogs(t, rdb, fresh()) })
	})
	t.Run("members", func(t *testing.T) {
		t.Parallel()
		journaltest.Run(t, false, func(t *testing.T) journaltest.Cluster {
			namespace := fresh()
			return func(self journal.Replica) journaltest.Members {
				return redisjournal.New(spread(t, c.Nodes[0].Addr), "solocron", namespace, self)
			}
		})
	})
	t.Run("inquiries", func(t *testing.T) {
		t.Parallel()
		journaltest.RunInquiries(t, false, func(t *testing.T) journaltest.Fleet {
			namespace := fresh()
			return func(replica string, seen *journal.Sightings) journal.Inquiry {
				return redisjournal.NewInquiry(spread(t, c.Nodes[0].Addr), "solocron", namespace, replica, seen)
			}
		})
	})
}

// asked polls until b answers a, which it does when it has seen something.
func asked(t *testing.T, a journal.Inquiry, limit time.Duration) {
	t.Helper()
	for end := time.Now().Add(limit); ; {
		got, err := a.Ask(t.Context(), "job", time.UnixMilli(1), []string{"b"})
		if err == nil && len(got) == 2 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no answer within %s: %v, %v", limit, got, err)
		}
	}
}

// couple is two replicas that can ask each other.
func couple(t *testing.T, rdb func() redis.UniversalClient) (a, b journal.Inquiry) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	both := make([]journal.Inquiry, 0, 2)
	ended := make(chan error, 2)
	for _, id := range []string{"a", "b"} {
		q := redisjournal.NewInquiry(rdb(), "solocron", "test", id, journal.NewSightings(0))
		go func() { ended <- q.Run(ctx) }()
		both = append(both, q)
	}
	t.Cleanup(func() {
		cancel()
		for range both {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	})
	return both[0], both[1]
}

func TestMessagesGoThroughOneShardAndFollowItsSlot(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 0)
	a, b := couple(t, func() redis.UniversalClient { return spread(t, c.Nodes[0].Addr) })
	asked(t, a, 10*time.Second)
	const channel = "solocron:{test.m}:ask"
	from, slot := c.Owner(channel)
	for _, node := range c.Nodes {
		if has := node.Holds(channel, "PUBSUB", "SHARDCHANNELS"); has != (node == from) || node.Do(t, "PUBSUB", "CHANNELS") != "" {
			t.Errorf("%s: has the channel %t, want %t, and no ordinary ones", node.Addr, has, node == from)
		}
	}
	to := c.Nodes[0]
	if to == from {
		to = c.Nodes[1]
	}
	number := strconv.Itoa(slot)
	to.Do(t, "CLUSTER", "SETSLOT", number, "IMPORTING", from.ID(t))
	from.Do(t, "CLUSTER", "SETSLOT", number, "MIGRATING", to.ID(t))
	for key := range strings.SplitSeq(from.Do(t, "CLUSTER", "GETKEYSINSLOT", number, "100"), "\n") {
		if key != "" {
			_, port, _ := net.SplitHostPort(to.Addr)
			from.Do(t, "MIGRATE", "127.0.0.1", port, key, "0", "5000")
		}
	}
	for _, node := range []*redistest.Server{to, from, c.Nodes[2]} {
		node.Do(t, "CLUSTER", "SETSLOT", number, "NODE", to.ID(t))
	}
	asked(t, a, 15*time.Second)
	got, err := b.Ask(t.Context(), "job", time.UnixMilli(1), []string{"a"})
	if err != nil || len(got) != 2 {
		t.Errorf("b asks a: got %v, %v", got, err)
	}
}

// TestAClusterWithoutShardChannelsUsesOrdinaryOnes has a server that does not know
// them, as those before version 7.
func TestAClusterWithoutShardChannelsUsesOrdinaryOnes(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--cluster-enabled", "yes", "--rename-command", "SSUBSCRIBE", "", "--rename-command", "SPUBLISH", "")
	server.Do(t, "CLUSTER", "ADDSLOTSRANGE", "0", "16383")
	for end := time.Now().Add(10 * time.Second); !server.Holds("cluster_state:ok", "CLUSTER", "INFO"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the cluster is not ready")
		}
	}
	o := redislease.ClusterOptions([]string{server.Addr}, 2*time.Second)
	o.Dialer = func(ctx context.Context, network, _ string) (net.Conn, error) { // it knows no address of its own
		return new(net.Dialer).DialContext(ctx, network, server.Addr)
	}
	rdb := redis.NewClusterClient(o)
	t.Cleanup(func() { _ = rdb.Close() })
	a, _ := couple(t, func() redis.UniversalClient { return rdb })
	asked(t, a, 15*time.Second)
	heard := make(chan scheduler.News, 10)
	ctx, cancel := context.WithCancel(t.Context())
	members := redisjournal.New(rdb, "solocron", "test", journal.Replica{ID: "m"})
	ended := make(chan error, 1)
	go func() { ended <- members.Run(ctx, func(n scheduler.News) { heard <- n }) }()
	other := redisjournal.New(rdb, "solocron", "test", journal.Replica{ID: "o"})
	for end := time.After(15 * time.Second); len(heard) == 0; {
		if err := other.Announce(ctx, scheduler.News{From: "o", Bell: true}); err != nil {
			t.Fatal(err)
		}
		select {
		case n := <-heard:
			heard <- n
		case <-time.After(100 * time.Millisecond):
		case <-end:
			t.Fatal("no news")
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
