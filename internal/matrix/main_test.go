package matrix_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// sideBySide is how many tests run at once: they wait more than they work, but a
// machine with too many servers on it stands still for longer than they allow.
const sideBySide = "4"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", sideBySide); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// rounds is how often a test does what it does to its servers.
func rounds() int {
	if os.Getenv("SOLOCRON_CHAOS") == "1" {
		return 4
	}
	return 1
}

// within polls until ok, for at most limit, and reports whether it came to be.
func within(t *testing.T, limit time.Duration, ok func() bool) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			return ok()
		case <-poll.C:
		}
	}
	return true
}

// await is within for what must come to be.
func await(t *testing.T, what string, limit time.Duration, ok func() bool) {
	t.Helper()
	if !within(t, limit, ok) {
		t.Fatalf("waited %s in vain for %s", limit, what)
	}
}
