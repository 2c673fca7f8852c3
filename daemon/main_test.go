package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(childFile); file != "" {
		child(file)
	}
	goleak.VerifyTestMain(m)
}

var errAway = errors.New("connection refused")

// store is a lease store in memory that can be away.
type store struct {
	memlease.Store
	away atomic.Bool
}

func (s *store) Check(context.Context) ([]string, error) {
	if s.away.Load() {
		return nil, errAway
	}
	return []string{"it forgets everything"}, nil
}

// logBook is a log that can be read while it is written.
type logBook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logBook) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// configured is a configuration with one job, without HTTP.
func configured(t *testing.T, spec string, run jobs.Func) *config.Config {
	t.Helper()
	sched, err := schedule.Parse(spec, schedule.Options{Key: "test/job"})
	if err != nil {
		t.Fatal(err)
	}
	return &config.Config{
		Namespace: "test", Replica: "pod-0", ShutdownGrace: 10 * time.Second,
		Jobs: []config.Job{{Job: jobs.Job{Name: "job", Kind: "func", Runner: run}, Schedule: sched}},
	}
}

func deps(s *store) daemon.Deps { return daemon.Deps{Store: s, Clock: election.Monotonic()} }

func assemble(t *testing.T, cfg *config.Config, with daemon.Deps) *daemon.Daemon {
	t.Helper()
	d, err := daemon.New(cfg, with)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// launch runs d until stop is called, which returns what Run did.
func launch(t *testing.T, d *daemon.Daemon) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	return sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
}

// verdicts collects how ticks ended.
type verdicts struct {
	mu  sync.Mutex
	all []scheduler.Verdict
}

func (v *verdicts) Observe(e scheduler.Event) {
	if e.Phase == scheduler.Ended {
		v.mu.Lock()
		v.all = append(v.all, e.Verdict)
		v.mu.Unlock()
	}
}
