package daemon_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// gauge reads one metric without labels.
func gauge(t *testing.T, reg *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		if g := f.GetMetric()[0].GetGauge(); g != nil {
			return g.GetValue()
		}
		return f.GetMetric()[0].GetCounter().GetValue()
	}
	t.Fatalf("no metric %s", name)
	return 0
}

// skewed is a store whose clock is off by what the test says.
type skewed struct {
	*store
	off atomic.Int64
}

func newSkewed(off time.Duration) *skewed {
	s := &skewed{store: new(store)}
	s.off.Store(int64(off))
	s.Now = func() time.Time { return time.Now().Add(time.Duration(s.off.Load())) }
	return s
}

func (s *skewed) Clock(context.Context) (time.Time, error) { return s.Now(), nil }

func TestAReplicaWhoseClockIsFarOffTakesNoTicksUntilItIsRight(t *testing.T) {
	t.Parallel()
	for name, off := range map[string]time.Duration{"behind": 3 * time.Second, "ahead of": -3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var runs atomic.Int64
			var book logBook
			s, reg := newSkewed(off), prometheus.NewRegistry()
			with := deps(s.store)
			with.Store, with.Metrics, with.Log = s, telemetry.NewMetrics(reg), book.logger()
			cfg := configured(t, "@every 1s", func(context.Context, jobs.Run) error { runs.Add(1); return nil })
			cfg.Clock.MaxOffset = 2 * time.Second
			d := assemble(t, cfg, with)
			stop := launch(t, d)

			time.Sleep(time.Minute)
			if got := runs.Load(); got != 0 {
				t.Errorf("%s the store's clock: got %d runs, want none", name, got)
			}
			if err := d.Ready(); err == nil || !strings.Contains(err.Error(), "3s "+name) || !strings.Contains(err.Error(), "clock.maxOffset 2s") {
				t.Errorf("ready: got %v, want the reason", err)
			}
			if got := gauge(t, reg, "solocron_replica_unfit"); got != 1 {
				t.Errorf("unfit: got %v, want 1", got)
			}

			s.off.Store(int64(100 * time.Millisecond))
			time.Sleep(time.Minute)
			if err := d.Ready(); err != nil || runs.Load() < 20 {
				t.Errorf("when it is right: got %v and %d runs, want ready and many", err, runs.Load())
			}
			if got := gauge(t, reg, "solocron_replica_unfit"); got != 0 {
				t.Errorf("unfit: got %v, want 0", got)
			}
			if err := stop(); err != nil {
				t.Errorf("stop: got %v", err)
			}
			for _, line := range []string{"takes no ticks until", "the clock is right again"} {
				if got := strings.Count(book.String(), line); got != 1 {
					t.Errorf("lines with %q: got %d, want 1", line, got)
				}
			}
		})
	}
}

// mute is a store that passes every check, but answers no claim while it is mute.
type mute struct {
	*store
	on    atomic.Bool
	asked atomic.Int64
}

func (m *mute) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	if !m.on.Load() {
		return m.store.Claim(ctx, claims)
	}
	m.asked.Add(1)
	<-ctx.Done()
	answers := make([]election.ClaimAnswer, len(claims))
	for i := range answers {
		answers[i].Err = context.Cause(ctx)
	}
	return answers
}

func TestAStoreWithoutAnswersIsNotHammeredAndTheReplicaSaysSo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		var book logBook
		s, reg := &mute{store: new(store)}, prometheus.NewRegistry()
		s.on.Store(true)
		with := deps(s.store)
		with.Store, with.Metrics, with.Log = s, telemetry.NewMetrics(reg), book.logger()
		d := assemble(t, configured(t, "@every 1s", func(context.Context, jobs.Run) error { runs.Add(1); return nil }), with)
		stop := launch(t, d)

		time.Sleep(30 * time.Second)
		if err := d.Ready(); err == nil || !strings.Contains(err.Error(), "circuit breaker") {
			t.Errorf("ready: got %v, want the circuit breaker", err)
		}
		if got := gauge(t, reg, "solocron_store_breaker_state"); got == 0 {
			t.Error("the metric says closed")
		}
		before := s.asked.Load()
		time.Sleep(time.Minute)
		if got := s.asked.Load() - before; got < 5 || got > 31 {
			t.Errorf("questions in a minute: got %d, want one every two seconds at most", got)
		}

		s.on.Store(false)
		time.Sleep(30 * time.Second)
		if err := d.Ready(); err != nil || runs.Load() < 10 {
			t.Errorf("when it answers: got %v and %d runs", err, runs.Load())
		}
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
		if got := strings.Count(book.String(), "leases in hand are still renewed"); got != 1 {
			t.Errorf("lines that say it is open: got %d, want 1", got)
		}
		if got := gauge(t, reg, "solocron_store_breaker_opened_total"); got != 1 {
			t.Errorf("times it opened: got %v, want 1", got)
		}
	})
}

// swapped is a store that tells when it is another one.
type swapped struct {
	*store
	changed func(what string)
	renews  atomic.Int64
}

func (s *swapped) OnChange(changed func(what string)) { s.changed = changed }

func (s *swapped) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	s.renews.Add(int64(len(holds)))
	return s.store.Renew(ctx, holds)
}

func TestLeasesInHandAreRenewedAtOnceWhenTheStoreIsAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var book logBook
		s, reg := &swapped{store: new(store)}, prometheus.NewRegistry()
		with := deps(s.store)
		with.Store, with.Metrics, with.Log = s, telemetry.NewMetrics(reg), book.logger()
		d := assemble(t, configured(t, "@every 1h", func(ctx context.Context, _ jobs.Run) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}), with)
		stop := launch(t, d)
		time.Sleep(time.Second)
		if _, err := d.Engine().Trigger(t.Context(), "job", scheduler.Order{By: "test"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		before := s.renews.Load()
		s.changed("run_id b, before a")
		time.Sleep(time.Millisecond)
		if got := s.renews.Load() - before; got < 1 {
			t.Errorf("renewals at once: got %d, want every lease in hand", got)
		}
		if got := gauge(t, reg, "solocron_store_changes_total"); got != 1 {
			t.Errorf("changes: got %v, want 1", got)
		}
		if !strings.Contains(book.String(), "run_id b, before a") {
			t.Errorf("the log does not say what changed:\n%s", book.String())
		}
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
	})
}

// inspected is a store that has been looked at.
type inspected struct {
	*store
	rows []preflight.Row
}

func (i inspected) Preflight(context.Context, time.Duration) []preflight.Row { return i.rows }

func TestEachRowThatIsNotOKIsLoggedOnceAtTheStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var book logBook
		with := deps(new(store))
		with.Log = book.logger()
		with.Store = inspected{new(store), []preflight.Row{
			{Check: "good", State: preflight.OK, Found: "all is well"},
			{Check: "bad", State: preflight.Warn, Found: "allkeys-lru", Fix: "set noeviction"},
			{Check: "hidden", State: preflight.Unknown, Found: "not told", Fix: "allow INFO"},
		}}
		stop := launch(t, assemble(t, configured(t, "@every 1h", nothing), with))
		time.Sleep(time.Hour)
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
		for part, want := range map[string]int{"check=bad state=warn": 1, "check=hidden state=unknown": 1, "all is well": 0, "check=termination": 1} {
			if got := strings.Count(book.String(), part); got != want {
				t.Errorf("%q: got %d times, want %d", part, got, want)
			}
		}
	})
}

func TestTheHostIsJudgedByWhatAReplicaNeeds(t *testing.T) {
	t.Parallel()
	s := config.Shutdown{Grace: 30 * time.Second, Stop: 10 * time.Second, Job: "a", Rest: 5 * time.Second}
	killed := func(after time.Duration) preflight.Row {
		s := s
		s.Killed = after
		return daemon.Termination(s)
	}
	for _, c := range []struct {
		got  preflight.Row
		want preflight.State
		says string
	}{
		{killed(0), preflight.Unknown, "at least 45s"},
		{killed(45 * time.Second), preflight.OK, "= 45s of 45s"},
		{killed(44 * time.Second), preflight.Fail, "killed after 44s"},
		{daemon.JudgeFiles(1024, true, 100), preflight.OK, "1024"},
		{daemon.JudgeFiles(1024, true, 1_000_000), preflight.Warn, "allow 1056"},
		{daemon.JudgeFiles(256, true, 1), preflight.Warn, "allow 260"},
		{daemon.JudgeFiles(0, false, 1), preflight.Unknown, "does not tell"},
	} {
		if c.got.State != c.want || !strings.Contains(c.got.String(), c.says) {
			t.Errorf("got %+v, want %s that says %q", c.got, c.want, c.says)
		}
	}
}

func TestTheVersionOfZoneDataIsReadFromEitherFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text, want string }{
		"plain":      {"+VERSION", "2026a\n", "2026a"},
		"first line": {"tzdata.zi", "# version 2025b\n# This zic input\n", "2025b"},
		"without":    {"tzdata.zi", "# some comment\n", ""},
		"long":       {"+VERSION", strings.Repeat("x", 1<<20), strings.Repeat("x", 100)},
		"none":       {"other", "2026a", ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := daemon.ZoneVersion(dir); got != c.want {
			t.Errorf("%s: got %.20q, want %.20q", name, got, c.want)
		}
	}
}
