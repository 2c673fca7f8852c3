package notify_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/notify"
	"github.com/solocron/solocron/scheduler"
)

// wire is a network in a bubble: whoever dials reaches the one who listens, unless it
// is cut.
type wire struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
	cut   atomic.Bool
	dials atomic.Int64
}

func (w *wire) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	w.dials.Add(1)
	if w.cut.Load() {
		return nil, errors.New("connection refused")
	}
	near, far := net.Pipe()
	select {
	case w.conns <- far:
		return near, nil
	case <-w.done:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (w *wire) Accept() (net.Conn, error) {
	select {
	case conn := <-w.conns:
		return conn, nil
	case <-w.done:
		return nil, net.ErrClosed
	}
}

func (w *wire) Close() error { w.once.Do(func() { close(w.done) }); return nil }

func (w *wire) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// listen serves r on a wire of its own until the test ends.
func listen(t *testing.T, r http.Handler) *wire {
	t.Helper()
	w := &wire{conns: make(chan net.Conn), done: make(chan struct{})}
	s := &http.Server{Handler: r, ReadHeaderTimeout: time.Minute}
	var serving sync.WaitGroup
	serving.Go(func() { _ = s.Serve(w) })
	t.Cleanup(func() { _ = s.Close(); serving.Wait() })
	return w
}

// archive is a journal in which a test writes.
type archive struct {
	mu   sync.Mutex
	rows map[string]scheduler.Row
	told time.Time
}

func (a *archive) Find(_ context.Context, run string) (scheduler.Row, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	row, ok := a.rows[run]
	return row, ok, nil
}

func (a *archive) Told(_ context.Context, jobs []string) ([]time.Time, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]time.Time, len(jobs))
	for i := range list {
		list[i] = a.told
	}
	return list, nil
}

// meter counts by channel.
type meter struct {
	mu                    sync.Mutex
	sent, failed, dropped map[string]int
}

func newMeter() *meter {
	return &meter{sent: map[string]int{}, failed: map[string]int{}, dropped: map[string]int{}}
}

func (m *meter) add(where map[string]int, channel string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	where[channel] += n
}

func (m *meter) Sent(channel string, n int)    { m.add(m.sent, channel, n) }
func (m *meter) Failed(channel string)         { m.add(m.failed, channel, 1) }
func (m *meter) Dropped(channel string, n int) { m.add(m.dropped, channel, n) }

func (m *meter) of(where map[string]int, channel string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return where[channel]
}

// parsed is a configuration.
func parsed(t *testing.T, text string) *config.Config {
	t.Helper()
	cfg, err := config.Parse("c.yaml", []byte(text), jobs.Kinds(nil))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// replicas starts n notifiers of cfg over one store, until stop is called.
func replicas(t *testing.T, n int, cfg *config.Config, deps notify.Deps) (all []*notify.Notifier, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range n {
		one, err := notify.New(cfg, deps)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
		running.Go(func() {
			if err := one.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	return all, func() { cancel(); running.Wait() }
}

// ended is the event that a tick has ended.
func ended(job string, tick time.Time, v scheduler.Verdict, err error) scheduler.Event {
	t := scheduler.Tick{Job: job, At: tick}
	return scheduler.Event{Phase: scheduler.Ended, At: time.Now(), Replica: "r", Tick: t, Run: jobs.Run{ID: t.ID(), Job: job, Tick: tick, Attempt: 1}, Verdict: v, Err: err}
}
