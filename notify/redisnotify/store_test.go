package redisnotify_test

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/notify"
	"github.com/solocron/solocron/notify/notifytest"
	"github.com/solocron/solocron/notify/redisnotify"
)

// evaluator runs scripts on a real client.
type evaluator struct{ rdb redis.UniversalClient }

func (e evaluator) Eval(ctx context.Context, script string, keys []string, args ...any) (any, error) {
	return redis.NewScript(script).Run(ctx, e.rdb, keys, args...).Result()
}

func open(t *testing.T, s redisclient.Settings, namespace string) *redisnotify.Store {
	t.Helper()
	s.Section, s.Try = "redis", 5*time.Second
	rdb, err := redisclient.New(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	store, err := redisnotify.New(evaluator{rdb}, "solocron", namespace)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestTheStoreInMiniredisKeepsTheContract(t *testing.T) {
	t.Parallel()
	notifytest.Run(t, func(t *testing.T) notify.Store {
		return open(t, redisclient.Settings{Addrs: []string{miniredis.RunT(t).Addr()}}, "test")
	})
}

func TestTheStoreInRedisKeepsTheContract(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	var n atomic.Int64
	notifytest.Run(t, func(t *testing.T) notify.Store {
		return open(t, redisclient.Settings{Addrs: []string{server.Addr}}, "test-"+strconv.FormatInt(n.Add(1), 10))
	})
}

func TestAllKeysAreInOneSlotAndEndOneDay(t *testing.T) {
	t.Parallel()
	m := miniredis.RunT(t)
	s := open(t, redisclient.Settings{Addrs: []string{m.Addr()}}, "prod/billing")
	now := time.Now()
	out := []notify.Out{{ID: "1", Channel: "ops", Data: []byte("x")}}
	if _, _, err := s.Swap(t.Context(), []notify.Change{{Job: "a", Data: []byte("x"), Due: now, Made: now, Out: out}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Take(t.Context(), notify.Call{Channel: "ops", Now: now, Hold: time.Minute, Most: 9, Rate: 9, Window: time.Minute}); err != nil {
		t.Fatal(err)
	}
	keys := m.Keys()
	if len(keys) != 6 {
		t.Errorf("got %v, want a state, due, items, tries, a queue and a rate", keys)
	}
	for _, key := range keys {
		if !strings.HasPrefix(key, "solocron:{prod/billing.n}:") {
			t.Errorf("%s is in another slot", key)
		}
		if m.TTL(key) <= 0 {
			t.Errorf("%s lives for ever", key)
		}
	}
}

func TestANameThatCannotStandInAKeyIsRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "a{b}", "a b", strings.Repeat("x", 101)} {
		if _, err := redisnotify.New(evaluator{}, "solocron", bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
