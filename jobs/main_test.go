package jobs_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

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
	run.Progress = func(text string) { fmt.Println(text) }
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
