package daemon_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

func TestNothingRunsBeforeTheStoreAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		var book logBook
		s := new(store)
		s.away.Store(true)
		cfg := configured(t, "@every 1s", func(context.Context, jobs.Run) error { runs.Add(1); return nil })
		with := deps(s)
		with.Log = book.logger()
		d := assemble(t, cfg, with)
		stop := launch(t, d)

		time.Sleep(30 * time.Second)
		if got := runs.Load(); got != 0 {
			t.Errorf("runs before the store answers: got %d, want 0", got)
		}
		if err := d.Ready(); !errors.Is(err, errAway) {
			t.Errorf("ready: got %v, want the reason", err)
		}
		if _, err := d.Engine().Trigger(t.Context(), "job", scheduler.Order{By: "test"}); !errors.Is(err, scheduler.ErrNoAnswer) {
			t.Errorf("trigger: got %v, want ErrNoAnswer", err)
		}
		if _, err := d.Engine().Trigger(t.Context(), "nope", scheduler.Order{By: "test"}); !errors.Is(err, scheduler.ErrUnknownJob) {
			t.Errorf("trigger of no job: got %v, want ErrUnknownJob", err)
		}
		if got := strings.Count(book.String(), "waiting for the lease store"); got < 3 || got > 7 {
			t.Errorf("lines that say so in 30 s: got %d, want one every few seconds", got)
		}

		s.away.Store(false)
		time.Sleep(15 * time.Second)
		if err := d.Ready(); err != nil {
			t.Errorf("ready once it answers: got %v", err)
		}
		if got := runs.Load(); got < 5 {
			t.Errorf("runs once it answers: got %d, want one a second", got)
		}
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
	})
}

func TestAReplicaThatNeverHeardFromItsStoreStopsCleanly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := new(store)
		s.away.Store(true)
		d := assemble(t, configured(t, "@every 1s", nothing), deps(s))
		stop := launch(t, d)
		time.Sleep(time.Second)
		began := time.Now()
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("stop took %v, want at once", took)
		}
	})
}

func nothing(context.Context, jobs.Run) error { return nil }

func TestAStoreThatGoesAwayMakesTheReplicaUnreadyUntilItIsBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var book logBook
		s := new(store)
		with := deps(s)
		with.Log = book.logger()
		d := assemble(t, configured(t, "@every 1h", nothing), with)
		stop := launch(t, d)
		defer stop() //nolint:errcheck // the verdict is below
		time.Sleep(time.Second)

		s.away.Store(true)
		time.Sleep(8 * time.Second)
		if err := d.Ready(); err != nil {
			t.Errorf("after one bad answer: got %v, want still ready", err)
		}
		time.Sleep(15 * time.Second)
		if err := d.Ready(); !errors.Is(err, errAway) {
			t.Errorf("after 23 s: got %v, want the reason", err)
		}
		s.away.Store(false)
		time.Sleep(6 * time.Second)
		if err := d.Ready(); err != nil {
			t.Errorf("when it is back: got %v", err)
		}
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
		for _, line := range []string{"does not answer as it should", "answers again"} {
			if got := strings.Count(book.String(), line); got != 1 {
				t.Errorf("lines with %q: got %d, want 1", line, got)
			}
		}
	})
}

func TestARunInProgressMayEndBeforeTheReplicaDoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen verdicts
		with := deps(new(store))
		with.Observers = []scheduler.Observer{&seen}
		d := assemble(t, configured(t, "@every 1h", func(ctx context.Context, _ jobs.Run) error {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(3 * time.Second):
				return nil
			}
		}), with)
		stop := launch(t, d)
		time.Sleep(time.Second)
		if _, err := d.Engine().Trigger(t.Context(), "job", scheduler.Order{By: "test"}); err != nil {
			t.Fatal(err)
		}
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
		if want := []scheduler.Verdict{scheduler.Succeeded}; !slices.Equal(seen.all, want) {
			t.Errorf("verdicts: got %v, want %v", seen.all, want)
		}
		if err := d.Ready(); err == nil || !strings.Contains(err.Error(), "shutting down") {
			t.Errorf("ready after the stop: got %v", err)
		}
	})
}

func TestEveryProcessHasItsOwnReplicaID(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 100 {
		id := daemon.ReplicaID("pod-0")
		if !strings.HasPrefix(id, "pod-0-") || len(id) != len("pod-0-123456") {
			t.Fatalf("got %q, want the name and six digits", id)
		}
		seen[id] = true
	}
	if len(seen) < 99 {
		t.Errorf("of 100 ids %d differ", len(seen))
	}
	if id := daemon.ReplicaID(strings.Repeat("é", 126)); len(id) > 200 || !utf8.ValidString(id) {
		t.Errorf("id of a long name: got %d bytes, want at most 200 of valid text", len(id))
	}
}

// members is a peer that says what the test wants.
type members struct {
	say  chan scheduler.News
	told chan scheduler.News
}

func (m members) Drain() {}

func (m members) SetOffset(time.Duration) {}
func (m members) SetRevision(string)      {}

func (m members) Replicas(context.Context) ([]journal.Replica, error) { return nil, nil }

func (m members) Live() []string { return []string{"other", "self"} }

func (m members) Announce(_ context.Context, news scheduler.News) error {
	m.told <- news
	return nil
}

func (m members) Run(ctx context.Context, news func(scheduler.News)) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case n := <-m.say:
			news(n)
		}
	}
}

func TestTicksThatAPeerStartedAreNotAskedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		m := members{make(chan scheduler.News), make(chan scheduler.News, 100)}
		with := deps(new(store))
		with.Members, with.Replica = m, "self"
		cfg := configured(t, "@every 10s", func(context.Context, jobs.Run) error { runs.Add(1); return nil })
		next := cfg.Jobs[0].Schedule.Next(time.Now())
		stop := launch(t, assemble(t, cfg, with))

		time.Sleep(time.Until(next) - time.Millisecond)
		m.say <- scheduler.News{From: "other", Ticks: []scheduler.TickRef{{Job: "job", At: next}}}
		time.Sleep(5 * time.Second)
		if got := runs.Load(); got != 0 {
			t.Errorf("runs of a tick that a peer has started: got %d, want 0", got)
		}
		time.Sleep(10 * time.Second)
		if got := runs.Load(); got != 1 {
			t.Errorf("runs of a tick that no peer has started: got %d, want 1", got)
		}
		if got := <-m.told; got.From != "self" || len(got.Ticks) != 1 || got.Ticks[0].Job != "job" {
			t.Errorf("told the others: got %+v", got)
		}
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
	})
}
