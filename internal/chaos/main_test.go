package chaos_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// sideBySide is how many tests run at once: they wait more than they work.
const sideBySide = "12"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", sideBySide); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// long reports whether the tests are to take their time.
func long() bool { return os.Getenv("SOLOCRON_CHAOS") == "1" }

// within polls until ok, for at most limit, and reports whether it came to be.
func within(ctx context.Context, limit time.Duration, ok func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	poll := time.NewTicker(20 * time.Millisecond)
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
	if !within(t.Context(), limit, ok) {
		t.Fatalf("waited %s in vain for %s", limit, what)
	}
}

// watch lets d pass: the time to be watched, not a proof.
func watch(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case <-time.After(d):
	case <-t.Context().Done():
		t.Fatal(context.Cause(t.Context()))
	}
}
