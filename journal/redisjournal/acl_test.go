package redisjournal_test

import (
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/redisjournal"
)

// TestTheDocumentedUserMayDoAllThatIsNeeded makes the user that the doctor advises,
// on a cluster, and keeps every contract as that user.
func TestTheDocumentedUserMayDoAllThatIsNeeded(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 0)
	line := strings.Replace(preflight.ACL("app", "solocron"), "PASSWORD", "secret", 1)
	for _, node := range c.Nodes {
		node.Do(t, strings.Fields(line)...)
	}
	as := func(t *testing.T) *redis.ClusterClient {
		o := redislease.ClusterOptions([]string{c.Nodes[0].Addr}, 2*time.Second)
		o.Username, o.Password, o.ClientName = "app", "secret", "solocron"
		rdb := redis.NewClusterClient(o)
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
	if err := as(t).Do(t.Context(), "set", "elsewhere", "x").Err(); err == nil || !strings.HasPrefix(err.Error(), "NOPERM") {
		t.Errorf("writing elsewhere: got %v, want NOPERM", err)
	}
	if err := as(t).FlushAll(t.Context()).Err(); err == nil {
		t.Error("the user may delete everything")
	}
	var n atomic.Int64
	fresh := func() string { return "acl-" + strconv.FormatInt(n.Add(1), 10) }
	t.Run("journal", func(t *testing.T) {
		t.Parallel()
		rdb := as(t)
		journaltest.RunJournal(t, false, func(t *testing.T) journal.Journal { return open(t, rdb, fresh()) })
	})
	t.Run("generations", func(t *testing.T) {
		t.Parallel()
		inOrder(t, open(t, as(t), fresh()))
	})
	t.Run("output", func(t *testing.T) {
		t.Parallel()
		rdb := as(t)
		journaltest.RunLogs(t, false, func(t *testing.T) journaltest.OpenLogs { return openLogs(t, rdb, fresh()) })
	})
	t.Run("members", func(t *testing.T) {
		t.Parallel()
		journaltest.Run(t, false, func(t *testing.T) journaltest.Cluster {
			namespace := fresh()
			return func(self journal.Replica) journaltest.Members {
				return redisjournal.New(as(t), "solocron", namespace, self)
			}
		})
	})
	t.Run("inquiries", func(t *testing.T) {
		t.Parallel()
		a, _ := couple(t, func() redis.UniversalClient { return as(t) })
		asked(t, a, 15*time.Second)
	})
	t.Run("leases", func(t *testing.T) {
		t.Parallel()
		rdb := as(t)
		leasetest.Run(t, leasetest.Wall, func(t *testing.T) leasetest.Subject {
			namespace := fresh()
			s, err := redislease.New(rdb, "solocron", namespace, 2*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			return leasetest.Subject{Store: s, Wipe: func() error { return wipe(c, "solocron:{"+namespace+".*") }}
		})
	})
	t.Run("preflight", func(t *testing.T) {
		t.Parallel()
		s, err := redislease.New(as(t), "solocron", fresh(), 2*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range s.Preflight(t.Context(), time.Minute) {
			if r.State == preflight.Fail || strings.Contains(r.Found, "NOPERM") {
				t.Errorf("%s: %s %s", r.Check, r.State, r.Found)
			}
		}
	})
}

// wipe deletes the keys of a pattern on every node.
func wipe(c *redistest.Cluster, pattern string) error {
	const script = "for _, k in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', k) end"
	for _, node := range c.Nodes {
		if _, err := node.Call("EVAL", script, "0", pattern); err != nil {
			return err
		}
	}
	return nil
}
