package redisjournal_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/redisjournal"
)

func client(t *testing.T, addr string, m *miniredis.Miniredis) *redis.Client {
	t.Helper()
	o := &redis.Options{
		Addr: addr, ContextTimeoutEnabled: true, MaxRetries: -1, DialerRetries: 1,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
	if m != nil {
		o.Dialer, o.PoolSize = redistest.Dialer(m), redistest.BubblePool
	}
	rdb := redis.NewClient(o)
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

func mini(t *testing.T) *miniredis.Miniredis {
	t.Helper()
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	t.Cleanup(m.Close)
	return m
}

func TestMembersKeepTheContractOnMiniredis(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, true, func(t *testing.T) journaltest.Cluster {
		m := mini(t)
		return func(self journal.Replica) journaltest.Members {
			return redisjournal.New(client(t, "127.0.0.1:1", m), "solocron", "test", self)
		}
	})
}

func TestMembersKeepTheContractOnRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	var n atomic.Int64
	journaltest.Run(t, false, func(t *testing.T) journaltest.Cluster {
		namespace := "test-" + strconv.FormatInt(n.Add(1), 10)
		return func(self journal.Replica) journaltest.Members {
			return redisjournal.New(client(t, server.Addr, nil), "solocron", namespace, self)
		}
	})
}

// TestACrashedReplicaIsForgottenAfterItsSilence ends the connection of b
// without a farewell.
func TestACrashedReplicaIsForgottenAfterItsSilence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mini(t)
		ctx, cancel := context.WithCancel(t.Context())
		run := func(id string) (*redisjournal.Members, *redis.Client) {
			rdb := client(t, "127.0.0.1:1", m)
			members := redisjournal.New(rdb, "solocron", "test", journal.Replica{ID: id})
			go func() { _ = members.Run(ctx, func(scheduler.News) {}) }()
			return members, rdb
		}
		a, _ := run("a")
		_, crashed := run("b")
		time.Sleep(time.Second)
		if got := a.Live(); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("live %v, want [a b]", got)
		}
		_ = crashed.Close()
		time.Sleep(10 * time.Second)
		if got := a.Live(); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("after a short silence: live %v, want [a b]", got)
		}
		time.Sleep(11 * time.Second)
		if got := a.Live(); !slices.Equal(got, []string{"a"}) {
			t.Errorf("after a long silence: live %v, want [a]", got)
		}
		cancel()
		time.Sleep(5 * time.Second)
	})
}

// TestMembersFindTheirWayBackAfterRedisWasAway freezes nothing: it stops the
// server, and starts answering again.
func TestMembersFindTheirWayBackAfterRedisWasAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mini(t)
		ctx, cancel := context.WithCancel(t.Context())
		var heard atomic.Int64
		a := redisjournal.New(client(t, "127.0.0.1:1", m), "solocron", "test", journal.Replica{ID: "a"})
		go func() { _ = a.Run(ctx, func(scheduler.News) { heard.Add(1) }) }()
		time.Sleep(time.Second)
		m.SetError("LOADING not now")
		time.Sleep(time.Minute)
		if got := a.Live(); !slices.Equal(got, []string{"a"}) {
			t.Errorf("while Redis is away: live %v, want [a]", got)
		}
		m.SetError("")
		time.Sleep(15 * time.Second)
		b := redisjournal.New(client(t, "127.0.0.1:1", m), "solocron", "test", journal.Replica{ID: "b"})
		news := scheduler.News{From: "b", Ticks: []scheduler.TickRef{{Job: "job", At: time.Now()}}}
		if err := b.Announce(ctx, news); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		if heard.Load() != 1 {
			t.Errorf("heard %d pieces of news after Redis came back, want 1", heard.Load())
		}
		cancel()
		time.Sleep(5 * time.Second)
	})
}

func TestMembersRefuseBadNames(t *testing.T) {
	t.Parallel()
	rdb := client(t, "127.0.0.1:1", nil)
	for _, m := range []*redisjournal.Members{
		redisjournal.New(rdb, "a{b", "test", journal.Replica{ID: "a"}),
		redisjournal.New(rdb, "solocron", "", journal.Replica{ID: "a"}),
		redisjournal.New(rdb, "solocron", "test", journal.Replica{}),
		redisjournal.New(rdb, "solocron", "test", journal.Replica{ID: strings.Repeat("a", 301)}),
	} {
		if err := m.Run(t.Context(), nil); err == nil {
			t.Error("Run accepted a bad name")
		}
		if err := m.Announce(t.Context(), scheduler.News{}); err == nil {
			t.Error("Announce accepted a bad name")
		}
	}
}
