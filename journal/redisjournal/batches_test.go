package redisjournal_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/redisjournal"
)

func batches(t testing.TB, rdb redis.UniversalClient, namespace string) *redisjournal.Batches {
	t.Helper()
	b, err := redisjournal.NewBatches(rdb, "solocron", namespace)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFeedsKeepTheContractOnMiniredis(t *testing.T) {
	t.Parallel()
	journaltest.RunFeeds(t, true, func(t *testing.T) journaltest.Wire {
		m := mini(t)
		return func() journal.Batches { return batches(t, client(t, "127.0.0.1:1", m), "test") }
	})
}

func TestFeedsKeepTheContractOnRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	var n atomic.Int64
	journaltest.RunFeeds(t, false, func(t *testing.T) journaltest.Wire {
		namespace := "test-" + strconv.FormatInt(n.Add(1), 10)
		return func() journal.Batches { return batches(t, client(t, server.Addr, nil), namespace) }
	})
}

func TestFeedsKeepTheContractOnACluster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 0)
	var n atomic.Int64
	journaltest.RunFeeds(t, false, func(t *testing.T) journaltest.Wire {
		namespace := "test-" + strconv.FormatInt(n.Add(1), 10)
		return func() journal.Batches { return batches(t, spread(t, c.Nodes[0].Addr), namespace) }
	})
}

// sent is how many commands of each kind a server was sent.
func sent(t *testing.T, rdb redis.UniversalClient) map[string]int {
	t.Helper()
	text, err := rdb.Info(t.Context(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int)
	for _, m := range regexp.MustCompile(`cmdstat_(\S+):calls=(\d+)`).FindAllStringSubmatch(text, -1) {
		counts[m[1]], _ = strconv.Atoi(m[2])
	}
	return counts
}

// TestWhatAFeedCosts measures the commands of a replica that has more to tell than
// it may, with nobody who looks and with some.
func TestWhatAFeedCosts(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	rdb := client(t, server.Addr, nil)
	feed := journal.NewFeed(batches(t, rdb, "test"), "a")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- feed.Run(ctx) }()
	const seconds = 3
	said, stop := 0, time.Now().Add(seconds*time.Second)
	for ; time.Now().Before(stop); time.Sleep(time.Millisecond) {
		for range 3 {
			feed.Say(journal.Happening{Topic: journal.AboutRun, Phase: "started", Run: fmt.Sprintf("job-%d.20261129T013000Z", said)})
			said++
		}
	}
	got := sent(t, rdb)
	t.Logf("%d happenings in %d s: %v", said, seconds, got)
	if got["xadd"] < 5*seconds || got["xadd"] > 10*seconds || got["pexpire"] != 1 || got["xread"]+got["xrange"]+got["xrevrange"] != 0 {
		t.Errorf("nobody looks: got %v, want at most 10 XADD a second and nothing else", got)
	}
	time.Sleep(300 * time.Millisecond) // what waits is written
	before := sent(t, rdb)["xadd"]
	time.Sleep(500 * time.Millisecond)
	if after := sent(t, rdb)["xadd"]; after != before {
		t.Errorf("nothing happens: %d XADD", after-before)
	}
	looking, away := context.WithTimeout(ctx, 2500*time.Millisecond)
	defer away()
	at, err := feed.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 100)
	for range 100 {
		go func() { gone <- feed.Follow(looking, at, func([]journal.Told) error { return nil }) }()
	}
	for range 100 {
		<-gone
	}
	if got := sent(t, rdb)["xread"]; got < 1 || got > 4 {
		t.Errorf("100 look for 2.5 s: %d XREAD, want one a second for all", got)
	}
	time.Sleep(1100 * time.Millisecond) // the last read ends
	before = sent(t, rdb)["xread"]
	time.Sleep(1500 * time.Millisecond)
	if after := sent(t, rdb)["xread"]; after != before {
		t.Errorf("nobody looks any more: %d XREAD", after-before)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if ttl := rdb.PTTL(t.Context(), "solocron:{test.e}:happenings").Val(); ttl < 22*time.Hour || ttl > 24*time.Hour {
		t.Errorf("lives for %s, want a day", ttl)
	}
}

// TestMemoryOfAFeedIsBoundedInRedis tells as much as may be for long enough.
func TestMemoryOfAFeedIsBoundedInRedis(t *testing.T) {
	t.Parallel()
	rdb := client(t, redistest.Start(t).Addr, nil)
	b := batches(t, rdb, "test")
	text := []byte(strings.Repeat("a happening of the usual size, about a hundred bytes of JSON with its run and its token, and so on. ", 60))
	pipe := make(chan struct{}, 8)
	for range 12_000 {
		pipe <- struct{}{}
		go func() {
			defer func() { <-pipe }()
			if err := b.Append(context.WithoutCancel(t.Context()), text); err != nil {
				t.Error(err)
			}
		}()
	}
	for range cap(pipe) {
		pipe <- struct{}{}
	}
	if got := rdb.MemoryUsage(t.Context(), "solocron:{test.e}:happenings", 0).Val(); got < journal.BatchRoom/2 || got > 2*journal.BatchRoom {
		t.Errorf("Redis holds %d bytes, want about %d", got, journal.BatchRoom)
	}
}

func TestWhatIsNotABatchIsPassedOver(t *testing.T) {
	t.Parallel()
	rdb := client(t, redistest.Start(t).Addr, nil)
	b := batches(t, rdb, "test")
	feed := journal.NewFeed(b, "a")
	rdb.XAdd(t.Context(), &redis.XAddArgs{Stream: "solocron:{test.e}:happenings", Values: []any{"other", "x"}})
	at, err := feed.Now(t.Context())
	if err != nil || at.IsZero() {
		t.Fatalf("now: got %v, %v", at, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- feed.Run(ctx) }()
	rdb.XAdd(ctx, &redis.XAddArgs{Stream: "solocron:{test.e}:happenings", Values: []any{"b", "{not JSON"}})
	feed.Say(journal.Happening{Topic: journal.AboutJob, Phase: journal.Paused, Job: "job"})
	err = feed.Follow(ctx, at, func(told []journal.Told) error {
		if len(told) != 1 || told[0].Job != "job" {
			t.Errorf("got %+v", told)
		}
		return context.Canceled
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestBatchesRefuseBadNames(t *testing.T) {
	t.Parallel()
	rdb := client(t, "127.0.0.1:1", nil)
	for _, names := range [][2]string{{"a{b", "test"}, {"solocron", ""}, {"solocron", "a}b"}} {
		if _, err := redisjournal.NewBatches(rdb, names[0], names[1]); err == nil {
			t.Errorf("NewBatches accepted %q", names)
		}
	}
}

// TestTheDocumentedUserMayTellAndFollow keeps the contract as the user that the
// doctor advises.
func TestTheDocumentedUserMayTellAndFollow(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	server.Do(t, strings.Fields(strings.Replace(preflight.ACL("app", "solocron"), "PASSWORD", "secret", 1))...)
	var n atomic.Int64
	journaltest.RunFeeds(t, false, func(t *testing.T) journaltest.Wire {
		namespace := "test-" + strconv.FormatInt(n.Add(1), 10)
		return func() journal.Batches {
			o := redislease.Options(server.Addr, callLimit)
			o.Username, o.Password = "app", "secret"
			rdb := redis.NewClient(o)
			t.Cleanup(func() { _ = rdb.Close() })
			return batches(t, rdb, namespace)
		}
	})
}
