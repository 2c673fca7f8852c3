package jobs_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	_ "github.com/solocron/solocron/guard/early" // this binary is the guard of its tests
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/jobs/postgres"
	"github.com/solocron/solocron/jobs/sqlite"
)

// TestMain runs the tests, or, as a child of one, a sync that the test kills.
func TestMain(m *testing.M) {
	if os.Getenv("JOBS_TEST_SYNC_TARGET") != "" {
		os.Exit(syncInChild())
	}
	goleak.VerifyTestMain(m)
}

func syncInChild() int {
	s := ordersSync(os.Getenv("JOBS_TEST_SYNC_SOURCE"), os.Getenv("JOBS_TEST_SYNC_TARGET"))
	run := testRun()
	run.Link = jobs.Hooks{OnProgress: func(text string) { fmt.Println(text) }}
	if err := s.Run(context.Background(), run); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func databases() []jobs.Database {
	return []jobs.Database{sqlite.Database(), postgres.Database()}
}

func testRun() jobs.Run {
	return jobs.Run{
		ID:      "nightly.20261129T013000Z",
		Job:     "nightly",
		Tick:    time.Date(2026, 11, 29, 2, 30, 0, 0, time.FixedZone("CET", 3600)),
		Attempt: 2,
		Token:   41,
		Replica: "replica-a",
	}
}

// watchHeap keeps the largest heap seen in peak until stop is called.
func watchHeap(peak *atomic.Int64) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), int64(m.HeapAlloc)))
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}

// waitFor polls until ok, at most 10 s.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited 10s for: %s", what)
		}
	}
}
