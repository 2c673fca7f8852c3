package redislease_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

var hinted = election.Key{Tenant: "acme/ü", Kind: "order", ID: "4711"}

// hintedLocks are those of a process that looks by itself only once an hour.
func hintedLocks(t *testing.T, s *redislease.Store, name string) *election.Locks {
	t.Helper()
	hints := redislease.NewHints(s)
	t.Cleanup(hints.Close)
	l, err := election.NewLocks(s, name, election.LocksConfig{
		Lease: election.Config{Clock: election.Monotonic()},
		Hints: hints, Backoff: election.Backoff{First: time.Hour, Max: time.Hour},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// handOver unlocks what another process waits for, until that has it. The first
// hints may come before the other has subscribed.
func handOver(t *testing.T, a, b *election.Locks) time.Duration {
	t.Helper()
	h, err := a.Mutex(hinted).Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got sync.WaitGroup
	var at time.Time
	got.Go(func() {
		other, err := b.Mutex(hinted).Lock(t.Context())
		at = time.Now()
		if err != nil {
			t.Error(err)
			return
		}
		if err := other.Unlock(); err != nil {
			t.Error(err)
		}
	})
	time.Sleep(200 * time.Millisecond) // for the other to wait; if it does not yet, it looks by itself when it has subscribed
	freed := time.Now()
	if err := h.Unlock(); err != nil {
		t.Error(err)
	}
	got.Wait()
	return at.Sub(freed)
}

func TestAHintReachesOtherProcessesOnMiniredis(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := mini(t)
		a, b := hintedLocks(t, s, "a"), hintedLocks(t, s, "b")
		for range 5 {
			if took := handOver(t, a, b); took > 10*time.Millisecond {
				t.Errorf("b got the lock %s after it was free, want with the hint", took)
			}
		}
	})
}

func TestAHintReachesOtherProcessesOnRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	var locks [2]*election.Locks
	for i := range locks {
		s, _ := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
		locks[i] = hintedLocks(t, s, strconv.Itoa(i))
	}
	for range 5 {
		if took := handOver(t, locks[0], locks[1]); took > 5*time.Second {
			t.Errorf("b got the lock %s after it was free, want with the hint", took)
		}
	}
}

// TestHintsComeBackAfterTheServerDoes kills every pub/sub connection while one
// waits: the ring that follows must reach it by a new one.
func TestHintsComeBackAfterTheServerDoes(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	hints := redislease.NewHints(s)
	defer hints.Close()
	rung, stop := hints.Wait(t.Context(), "k")
	defer stop()
	receive := func(what string) {
		t.Helper()
		select {
		case <-rung:
		case <-time.After(10 * time.Second):
			t.Fatalf("no ring %s", what)
		}
	}
	receive("after subscribing")
	if err := rdb.ClientKillByFilter(t.Context(), "TYPE", "pubsub").Err(); err != nil {
		t.Fatal(err)
	}
	receive("after the connection was lost, as something may have been missed")
	hints.Ring("k")
	receive("by the new connection")
}

// TestAPlainLockIsTwoScriptsAndNoKey checks on a real server what Locks rely on:
// a claim that is never started can be renewed, marked as done, and released.
func TestAPlainLockIsTwoScriptsAndNoKey(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	l, err := election.NewLocks(s, "a", election.LocksConfig{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := l.Mutex(hinted).Try(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := s.RedisKey(hinted.String())
	if ttl := rdb.PTTL(t.Context(), name).Val(); ttl <= 29*time.Second || ttl > 30*time.Second {
		t.Errorf("the key lives for another %s, want the 30 s of the lease", ttl)
	}
	if err := h.Extend(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	if ttl := rdb.PTTL(t.Context(), name).Val(); ttl <= 59*time.Minute || ttl > time.Hour {
		t.Errorf("extended, the key lives for another %s, want an hour", ttl)
	}
	if err := h.Unlock(); err != nil || rdb.Exists(t.Context(), name).Val() != 0 {
		t.Errorf("unlock: %v; the key is there: %d", err, rdb.Exists(t.Context(), name).Val())
	}
}

func TestOnceIsKeptByRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	l, err := election.NewLocks(s, "a", election.LocksConfig{})
	if err != nil {
		t.Fatal(err)
	}
	once := l.Once(hinted, 24*time.Hour)
	if err := once.Do(t.Context(), func(context.Context) error { return nil }); err != nil {
		t.Fatal(err)
	}
	err = once.Do(t.Context(), func(context.Context) error { t.Error("done twice"); return nil })
	if done, ok := errors.AsType[*election.DoneError](err); !ok || done.By != "a" || done.Opens < 23*time.Hour {
		t.Errorf("got %v, want that a has done it", err)
	}
	ttl := rdb.PTTL(t.Context(), s.RedisKey(hinted.String()+"/once")).Val()
	if ttl < 23*time.Hour || ttl > 24*time.Hour {
		t.Errorf("the key lives for another %s, want the window", ttl)
	}
}
