package redisjournal_test

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/redisjournal"
)

const outputRun = "nightly-report.20261129T013000Z"

func openLogs(t *testing.T, rdb redis.UniversalClient, namespace string) journaltest.OpenLogs {
	t.Helper()
	return func(bounds journal.LogBounds) journal.Logs {
		logs, err := redisjournal.NewLogs(rdb, "solocron", namespace, bounds)
		if err != nil {
			t.Fatal(err)
		}
		return logs
	}
}

func TestLogsKeepTheContractOnMiniredis(t *testing.T) {
	t.Parallel()
	journaltest.RunLogs(t, true, func(t *testing.T) journaltest.OpenLogs {
		return openLogs(t, client(t, "127.0.0.1:1", mini(t)), "test")
	})
}

func TestLogsKeepTheContractOnRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	var n atomic.Int64
	journaltest.RunLogs(t, false, func(t *testing.T) journaltest.OpenLogs {
		return openLogs(t, client(t, server.Addr, nil), "test-"+strconv.FormatInt(n.Add(1), 10))
	})
}

func line(offset int64, text string) journal.Chunk {
	return journal.Pack(offset, 1, []journal.Line{{At: time.UnixMilli(1e12), Stream: "stdout", Text: text}})
}

func outputPart(chunks ...journal.Chunk) journal.Part {
	return journal.Part{
		Run: outputRun, Writer: journal.Writer{Token: 1}, Chunks: chunks,
		Total: chunks[len(chunks)-1].End(), Keep: 64 << 10,
	}
}

// TestMemoryOfARunIsBoundedInRedis writes 16 MiB and asks the server what it keeps.
func TestMemoryOfARunIsBoundedInRedis(t *testing.T) {
	t.Parallel()
	rdb := client(t, redistest.Start(t).Addr, nil)
	logs := openLogs(t, rdb, "test")(journal.LogBounds{})
	const size = 16_000
	for i := range int64(1000) {
		if errs := logs.Append(t.Context(), []journal.Part{outputPart(line(i*size, strings.Repeat("x", size-1)))}); errs != nil {
			t.Fatal(errs)
		}
	}
	all := int64(0)
	for _, key := range rdb.Keys(t.Context(), "*").Val() {
		all += rdb.MemoryUsage(t.Context(), key, 0).Val()
		if ttl := rdb.PTTL(t.Context(), key).Val(); ttl <= 0 || ttl > 30*24*time.Hour {
			t.Errorf("key %s lives %v, want up to 30 days", key, ttl)
		}
	}
	if all < 40<<10 || all > 100<<10 {
		t.Errorf("Redis holds %d bytes, want about 64 KiB", all)
	}
}

func TestForeignBytesAreLeftOut(t *testing.T) {
	t.Parallel()
	rdb := client(t, redistest.Start(t).Addr, nil)
	logs := openLogs(t, rdb, "test")(journal.LogBounds{})
	if errs := logs.Append(t.Context(), []journal.Part{outputPart(line(0, "good"), line(5000, strings.Repeat("x", 5000)))}); errs != nil {
		t.Fatal(errs)
	}
	state := rdb.Keys(t.Context(), "*:outhead:*").Val()[0]
	tail := rdb.Keys(t.Context(), "*:out:*").Val()[0]
	rdb.HSet(t.Context(), state, "100", "bad", "later", "unknown")
	rdb.XAdd(t.Context(), &redis.XAddArgs{Stream: tail, ID: "20000-1", Values: []any{"d", "bad"}})
	rdb.XAdd(t.Context(), &redis.XAddArgs{Stream: tail, ID: "20001-1", Values: []any{"other", "bad"}})
	chunks, next, _, err := logs.Read(t.Context(), outputRun, 0, 9)
	if err != nil || len(chunks) != 2 {
		t.Errorf("got %d chunks, %v; want the 2 good ones", len(chunks), err)
	}
	if next != 20_002 {
		t.Errorf("goes on at %d, want 20002, behind the bad ones", next)
	}
}

func TestAServerThatForgotItsScriptsIsToldAgain(t *testing.T) {
	t.Parallel()
	rdb := client(t, redistest.Start(t).Addr, nil)
	logs := openLogs(t, rdb, "test")(journal.LogBounds{})
	for i := range int64(3) {
		if errs := logs.Append(t.Context(), []journal.Part{outputPart(line(2*i, "x"))}); errs != nil {
			t.Fatal(errs)
		}
		rdb.ScriptFlush(t.Context())
	}
	if chunks, _, _, err := logs.Read(t.Context(), outputRun, 0, 9); err != nil || len(chunks) != 3 {
		t.Errorf("got %d chunks, %v; want 3", len(chunks), err)
	}
}

func TestWithoutRedisEveryPartHasAnError(t *testing.T) {
	t.Parallel()
	rdb := client(t, "127.0.0.1:1", nil)
	logs := openLogs(t, rdb, "test")(journal.LogBounds{})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	part := outputPart(line(0, "x"))
	if errs := logs.Append(ctx, []journal.Part{part, part}); len(errs) != 2 || errs[0] == nil || errs[1] == nil {
		t.Errorf("got %v, want two errors", errs)
	}
	if _, _, _, err := logs.Read(ctx, outputRun, 0, 9); err == nil {
		t.Error("reading has no error")
	}
}

func TestLogsRefuseBadNames(t *testing.T) {
	t.Parallel()
	rdb := client(t, "127.0.0.1:1", nil)
	for _, names := range [][2]string{{"a{b", "test"}, {"solocron", ""}, {"solocron", "a}b"}} {
		if _, err := redisjournal.NewLogs(rdb, names[0], names[1], journal.LogBounds{}); err == nil {
			t.Errorf("NewLogs accepted %q", names)
		}
	}
}
