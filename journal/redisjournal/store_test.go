package redisjournal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/redisjournal"
)

const callLimit = 5 * time.Second

var day = time.Date(2026, 11, 29, 1, 30, 0, 0, time.UTC)

// plain is the nth run of job as it begins.
func plain(job string, n int) scheduler.Entry {
	tick := day.Add(time.Duration(n) * time.Minute)
	return scheduler.Entry{
		Row: scheduler.Row{
			ID: scheduler.Tick{Job: job, At: tick}.ID(), Job: job, Tick: tick, Cause: scheduler.BySchedule, State: scheduler.RunRunning,
			Attempt: 1, Replica: "scheduler-7c9d8b5f4-x2x9k-a1b2c3", Token: 1_795_915_800_123_456, Delay: 12_345_678,
			Started: tick.Add(12 * time.Millisecond),
		},
		Prev: tick.Add(-time.Minute),
		Keep: jobs.History{Succeeded: 100, Failed: 50, MaxAge: 30 * 365 * 24 * time.Hour},
	}
}

// done is e when its run has succeeded.
func done(e scheduler.Entry) scheduler.Entry {
	e.Row.State, e.Row.Verdict, e.Row.Ended = scheduler.RunEnded, scheduler.Succeeded, e.Row.Started.Add(4321*time.Millisecond)
	return e
}

func record(t testing.TB, j *redisjournal.Journal, entries ...scheduler.Entry) []scheduler.Recorded {
	t.Helper()
	got, err := j.Record(context.Background(), entries)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestScriptsAreSentAgainToAServerThatForgotThem(t *testing.T) {
	t.Parallel()
	rdb := client(t, redistest.Start(t).Addr, nil)
	j := open(t, rdb, "test")
	var entries []scheduler.Entry
	for n := range 200 { // over all shards, in one pipeline
		entries = append(entries, plain(fmt.Sprint("job-", n), n))
	}
	for range 3 {
		if err := rdb.ScriptFlush(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		for i, r := range record(t, j, entries...) {
			if !r.Fresh {
				t.Fatalf("entry %d is not fresh", i)
			}
		}
		if _, err := j.Poll(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := j.Open(t.Context())
	if err != nil || len(rows) != len(entries) {
		t.Errorf("got %d open rows, want %d; error %v", len(rows), len(entries), err)
	}
}

func TestARowOfAPlainRunIsSmall(t *testing.T) {
	t.Parallel()
	const limit = 300
	row := done(plain("nightly-report", 0)).Row
	text, err := redisjournal.EncodeRow(&row)
	if err != nil || len(text) >= limit {
		t.Errorf("a row takes %d bytes, want less than %d: %s (%v)", len(text), limit, text, err)
	}
	t.Logf("%d bytes: %s", len(text), text)
	rdb := client(t, redistest.Start(t).Addr, nil)
	if got := perRow(t, rdb, open(t, rdb, "test")); got >= limit {
		t.Errorf("a row takes %.0f bytes of Redis' memory, want less than %d", got, limit)
	}
}

// perRow fills the history of a job with 100 rows and returns what one takes of
// the memory of a Redis server.
func perRow(t testing.TB, rdb *redis.Client, j *redisjournal.Journal) float64 {
	t.Helper()
	const rows = 100
	for n := range rows + 20 {
		record(t, j, plain("nightly-report", n), done(plain("nightly-report", n)))
	}
	key := j.HistoryKey("nightly-report")
	if n := rdb.LLen(context.Background(), key).Val(); n != rows {
		t.Fatalf("%s has %d rows, want %d", key, n, rows)
	}
	bytes, err := rdb.MemoryUsage(context.Background(), key, 0).Result()
	if err != nil {
		t.Fatal(err)
	}
	return float64(bytes) / rows
}

// counter counts the commands that a client sends.
type counter struct{ commands, trips atomic.Int64 }

func (c *counter) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *counter) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.commands.Add(1)
		c.trips.Add(1)
		return next(ctx, cmd)
	}
}

func (c *counter) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		c.commands.Add(int64(len(cmds)))
		c.trips.Add(1)
		return next(ctx, cmds)
	}
}

func TestCommandsDoNotGrowWithWhatIsAsked(t *testing.T) {
	t.Parallel()
	rdb := client(t, redistest.Start(t).Addr, nil)
	j := open(t, rdb, "test")
	var requests []scheduler.Request
	var entries []scheduler.Entry
	for n := range 1000 {
		requests = append(requests, scheduler.Request{ID: fmt.Sprint(n), Run: fmt.Sprint(n), Job: "j"})
		entries = append(entries, plain(fmt.Sprint("job-", n), n))
	}
	if _, err := j.Put(t.Context(), requests); err != nil {
		t.Fatal(err)
	}
	record(t, j, entries...)
	c := new(counter)
	rdb.AddHook(c)
	costs := func(what string, commands int64, step func() error) {
		t.Helper()
		c.commands.Store(0)
		c.trips.Store(0)
		if err := step(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := c.commands.Load(); got > commands || c.trips.Load() > 2 { // two: a script may be new to the server
			t.Errorf("%s: %d commands in %d round trips, want %d in one", what, got, c.trips.Load(), commands)
		}
	}
	_, _ = j.Poll(t.Context(), 1)
	costs("poll", 1, func() error { _, err := j.Poll(t.Context(), 1000); return err })
	costs("record", 16, func() error { _, err := j.Record(t.Context(), entries); return err })
	costs("open", 16, func() error { _, err := j.Open(t.Context()); return err })
	costs("past", 3, func() error { _, err := j.Past(t.Context(), "job-1", scheduler.Query{}); return err })
}

func TestForeignBytesAreSkippedUnlessThereIsNothingElse(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	rdb := client(t, redistest.Start(t).Addr, nil)
	j := open(t, rdb, "test")
	history, opened := j.HistoryKey("j"), j.OpenKey("j")
	rdb.LPush(ctx, history, "\x00garbage", "2a newer version")
	rdb.HSet(ctx, opened, "x", "1s-r")
	if _, err := j.Past(ctx, "j", scheduler.Query{}); err == nil {
		t.Error("a past of nothing but garbage was read")
	}
	if _, err := j.Open(ctx); err == nil {
		t.Error("open rows of nothing but garbage were read")
	}
	record(t, j, done(plain("j", 1)), plain("j", 2))
	if rows, err := j.Past(ctx, "j", scheduler.Query{}); err != nil || len(rows) != 1 {
		t.Errorf("past: got %d rows, error %v", len(rows), err)
	}
	if rows, err := j.Open(ctx); err != nil || len(rows) != 1 {
		t.Errorf("open: got %d rows, error %v", len(rows), err)
	}
}

func TestAnEntryOfABrokenHistoryFailsAlone(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	rdb := client(t, redistest.Start(t).Addr, nil)
	j := open(t, rdb, "test")
	rdb.Set(ctx, j.HistoryKey("broken"), "poison", 0)
	entries := []scheduler.Entry{done(plain("broken", 1))}
	for n := range 200 {
		entries = append(entries, done(plain(fmt.Sprint("job-", n), n)))
	}
	got, err := j.Record(ctx, entries)
	if err == nil || got[0].Fresh {
		t.Errorf("broken: got %+v, error %v", got[0], err)
	}
	if i := slices.IndexFunc(got[1:], func(r scheduler.Recorded) bool { return !r.Fresh }); i >= 0 {
		t.Errorf("job-%d was not recorded", i)
	}
}

func TestAFullQueueTakesNoMore(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	j := open(t, client(t, redistest.Start(t).Addr, nil), "test")
	ask := func(n int) scheduler.Request {
		return scheduler.Request{ID: fmt.Sprint(n), Run: fmt.Sprint(n), Job: "j"}
	}
	for from := 0; from < journal.MaxRequests; from += 10_000 {
		var requests []scheduler.Request
		for n := range 10_000 {
			requests = append(requests, ask(from+n))
		}
		if _, err := j.Put(ctx, requests); err != nil {
			t.Fatal(err)
		}
	}
	fresh, err := j.Put(ctx, []scheduler.Request{ask(1), ask(journal.MaxRequests)})
	if !errors.Is(err, journal.ErrFull) || fresh[0] || fresh[1] {
		t.Errorf("got %v, error %v, want %v", fresh, err, journal.ErrFull)
	}
	if err := j.Settle(ctx, []string{"5"}); err != nil {
		t.Fatal(err)
	}
	fresh, err = j.Put(ctx, []scheduler.Request{ask(1), ask(journal.MaxRequests)})
	if err != nil || fresh[0] || !fresh[1] {
		t.Errorf("with room again: got %v, error %v", fresh, err)
	}
}

func TestNewJournalRefusesBadNames(t *testing.T) {
	t.Parallel()
	rdb := client(t, "127.0.0.1:1", nil)
	for _, names := range [][2]string{{"a{b", "test"}, {"solocron", ""}, {"solo cron", "x"}} {
		if _, err := redisjournal.NewJournal(rdb, names[0], names[1]); err == nil {
			t.Errorf("accepted %q", names)
		}
	}
}

func TestWithoutRedisEveryCallFails(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	j := open(t, client(t, "127.0.0.1:1", nil), "test")
	for what, call := range map[string]func() error{
		"put":        func() error { _, err := j.Put(ctx, []scheduler.Request{{ID: "a", Run: "a", Job: "a"}}); return err },
		"poll":       func() error { _, err := j.Poll(ctx, 1); return err },
		"begin":      func() error { _, err := j.Begin(ctx, []scheduler.Begin{{ID: "a", Token: 1}}); return err },
		"put back":   func() error { return j.PutBack(ctx, []scheduler.Begin{{ID: "a"}}, 0) },
		"withdraw":   func() error { _, _, err := j.Withdraw(ctx, "a"); return err },
		"settle":     func() error { return j.Settle(ctx, []string{"a"}) },
		"stop":       func() error { return j.Stop(ctx, scheduler.Stop{Run: "a"}) },
		"record":     func() error { _, err := j.Record(ctx, []scheduler.Entry{plain("j", 1)}); return err },
		"open":       func() error { _, err := j.Open(ctx); return err },
		"past":       func() error { _, err := j.Past(ctx, "j", scheduler.Query{}); return err },
		"find":       func() error { _, _, err := j.Find(ctx, plain("j", 1).Row.ID); return err },
		"adopt":      func() error { _, err := j.Adopt(ctx, []scheduler.Definition{{Job: "j"}}); return err },
		"told":       func() error { _, err := j.Told(ctx, []string{"j"}); return err },
		"letters":    func() error { _, err := j.DeadLetters(ctx, 1); return err },
		"ack":        func() error { _, err := j.Acknowledge(ctx, plain("j", 1).Row.ID, "me"); return err },
		"audit":      func() error { return j.Audit(ctx, journal.Deed{}) },
		"deeds":      func() error { _, err := j.Deeds(ctx, 1); return err },
		"save":       func() error { return j.SaveCheckpoint(ctx, "j", 1, nil) },
		"checkpoint": func() error { _, _, err := j.Checkpoint(ctx, "j"); return err },
		"queued":     func() error { _, err := j.Queued(ctx, 1); return err },
	} {
		if err := call(); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
