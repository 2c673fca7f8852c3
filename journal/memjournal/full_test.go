package memjournal_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

func ask(n int) scheduler.Request {
	return scheduler.Request{ID: fmt.Sprint(n), Run: fmt.Sprint(n), Job: "j"}
}

func TestAFullQueueTakesNoMore(t *testing.T) {
	t.Parallel()
	ctx, j := t.Context(), memjournal.New(nil)
	for n := range journal.MaxRequests {
		if fresh, err := j.Put(ctx, []scheduler.Request{ask(n)}); err != nil || !fresh[0] {
			t.Fatalf("request %d: got %v, error %v", n, fresh, err)
		}
	}
	fresh, err := j.Put(ctx, []scheduler.Request{ask(1), ask(journal.MaxRequests)})
	if !errors.Is(err, journal.ErrFull) || fresh[0] || fresh[1] {
		t.Errorf("got %v, error %v, want %v", fresh, err, journal.ErrFull)
	}
	for n := range journal.MaxStops {
		if err := j.Stop(ctx, scheduler.Stop{Run: fmt.Sprint(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Stop(ctx, scheduler.Stop{Run: "one more"}); !errors.Is(err, journal.ErrFull) {
		t.Errorf("a stop: got %v, want %v", err, journal.ErrFull)
	}
}

// TestWhatIsGoneIsNotRememberedForEver looks at the oldest of more IDs than are
// remembered.
func TestWhatIsGoneIsNotRememberedForEver(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1e12)
	ctx, j := t.Context(), memjournal.New(func() time.Time { return now })
	for n := range journal.MaxKnown + 10 {
		now = now.Add(time.Millisecond)
		_, err := j.Put(ctx, []scheduler.Request{ask(n)})
		if err := errors.Join(err, j.Settle(ctx, []string{fmt.Sprint(n)})); err != nil {
			t.Fatal(err)
		}
	}
	fresh, err := j.Put(ctx, []scheduler.Request{ask(journal.MaxKnown), ask(0)})
	if err != nil || fresh[0] || !fresh[1] {
		t.Errorf("got %v, error %v, want the newest known and the oldest not", fresh, err)
	}
}
