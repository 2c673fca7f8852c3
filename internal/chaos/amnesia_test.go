package chaos_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/internal/redistest"
)

// operator is a client for what an operator does to a server.
func operator(t *testing.T, addr string) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{Addr: addr})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// do sends a command of an operator.
func do(t *testing.T, c *redis.Client, args ...any) {
	t.Helper()
	if err := c.Do(t.Context(), args...).Err(); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
}

// backWithin waits until every job has started again at least twice, and reports
// promises that were broken.
func (w *world) backWithin(limit time.Duration) {
	w.t.Helper()
	before := w.startsByJob()
	for _, j := range w.defs {
		await(w.t, "two more runs of "+j.name, limit, func() bool { return w.startsByJob()[j.name] >= before[j.name]+2 })
	}
	for _, x := range w.broken() {
		w.t.Error(x)
	}
}

// term is after how long everybody who held a lease has surely ended.
func term() time.Duration {
	cfg := terms().WithDefaults()
	return cfg.TTL + cfg.LockDelay
}

func TestFlushAllLetsNoTickRunTwiceAndJobsGoOn(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w := newWorld(t, append(quick(), job{"slow", 1500 * time.Millisecond})...)
	all := w.trio(server.Addr)
	w.backWithin(20 * time.Second)
	rounds := 2
	if long() {
		rounds = 20
	}
	for range rounds {
		w.calm(all)
		if err := server.Flush(); err != nil {
			t.Fatal(err)
		}
		w.backWithin(term() + 20*time.Second)
	}
}

func TestAnOldDumpLetsNoTickRunTwiceAndJobsGoOn(t *testing.T) {
	t.Parallel()
	const dump = "dump.rdb"
	dir := t.TempDir()
	server := redistest.Start(t, "--dir", dir, "--dbfilename", dump)
	w := newWorld(t, append(quick(), job{"slow", 1500 * time.Millisecond})...)
	all := w.trio(server.Addr)
	w.backWithin(20 * time.Second)
	rounds := 1
	if long() {
		rounds = 10
	}
	for range rounds {
		do(t, operator(t, server.Addr), "SAVE")
		old := t.TempDir()
		if err := os.Rename(filepath.Join(dir, dump), filepath.Join(old, dump)); err != nil {
			t.Fatal(err)
		}
		w.backWithin(20 * time.Second) // what the dump does not know
		w.calm(all)
		server.Stop()
		server, dir = redistest.Start(t, "--dir", old, "--dbfilename", dump), old
		for _, r := range all {
			r.proxy.Retarget(server.Addr)
		}
		w.backWithin(term() + 20*time.Second)
	}
}

func TestScriptFlushInALoopLosesNoTick(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w := newWorld(t, quick()...)
	all := w.trio(server.Addr)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	op, flushes := operator(t, server.Addr), make(chan int)
	go func() {
		n := 0
		for ; ctx.Err() == nil; n++ {
			_ = op.ScriptFlush(ctx).Err()
			time.Sleep(5 * time.Millisecond)
		}
		flushes <- n
	}()
	from := time.Now()
	before := w.count()
	await(t, "runs while scripts vanish", 30*time.Second, func() bool { return w.count() >= before+8 })
	to := time.Now()
	stop()
	t.Logf("%d flushes", <-flushes)
	verdicts := w.judge(all[0], from, to)
	// A machine that stands still for a moment may have runs overlap.
	if lost(verdicts) > 0 {
		t.Errorf("got %s, want each tick run, or skipped for an older run", verdicts)
	}
}
