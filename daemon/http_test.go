package daemon_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/telemetry"
)

// get asks addr for path, over a connection of its own.
func get(t *testing.T, addr, path string) (int, string) {
	t.Helper()
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + addr + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// within polls until ok or a few seconds have passed.
func within(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 10 s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestProbesAnswerWhileTheStoreIsAway(t *testing.T) {
	t.Parallel()
	s := new(store)
	s.away.Store(true)
	cfg := configured(t, "@every 1h", nothing)
	cfg.Admin.Listen = "127.0.0.1:0"
	registry := telemetry.NewRegistry()
	with := deps(s)
	with.Metrics, with.MetricsHandler = telemetry.NewMetrics(registry), telemetry.Handler(registry)
	d := assemble(t, cfg, with)
	stop := launch(t, d)
	defer stop() //nolint:errcheck // the verdict is below

	if code, body := get(t, d.Addr(), "/livez"); code != 200 {
		t.Errorf("livez: got %d %s", code, body)
	}
	within(t, "the reason in readyz", func() bool {
		code, body := get(t, d.Addr(), "/readyz")
		return code == 503 && strings.Contains(body, "connection refused")
	})
	if code, body := get(t, d.Addr(), "/metrics"); code != 200 || !strings.Contains(body, `solocron_ticks_total{job_name="job"`) {
		t.Errorf("metrics: got %d %.200s", code, body)
	}
	s.away.Store(false)
	within(t, "readiness", func() bool { code, _ := get(t, d.Addr(), "/readyz"); return code == 200 })
	if err := stop(); err != nil {
		t.Errorf("stop: got %v", err)
	}
	if conn, err := net.Dial("tcp", d.Addr()); err == nil {
		conn.Close()
		t.Error("the listener is still there after Run")
	}
}

func TestAListenerThatFailsEndsTheReplica(t *testing.T) {
	t.Parallel()
	cfg := configured(t, "@every 1h", nothing)
	cfg.Admin.Listen = "127.0.0.1:0"
	d := assemble(t, cfg, deps(new(store)))
	ended := make(chan error, 1)
	go func() { ended <- d.Run(context.WithoutCancel(t.Context())) }()
	within(t, "readiness", func() bool { return d.Ready() == nil })
	if err := daemon.CloseListener(d); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("got %v, want the listener's error", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the replica still runs without its listener")
	}
}

func TestAnAddressThatIsTakenIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cfg := configured(t, "@every 1h", nothing)
	cfg.Admin.Listen = taken.Addr().String()
	if _, err := daemon.New(cfg, deps(new(store))); err == nil || !strings.Contains(err.Error(), "admin.listen") {
		t.Errorf("got %v, want an error that names the setting", err)
	}
}

func TestWhatIsOpenedLastIsClosedFirstAndEveryFaultIsNamed(t *testing.T) {
	t.Parallel()
	var order []string
	down := daemon.NewTeardown()
	step := func(name string, err error) {
		down.Push(name, func(ctx context.Context) error {
			if _, bounded := ctx.Deadline(); !bounded {
				t.Errorf("step %s has no deadline", name)
			}
			order = append(order, name)
			return err
		})
	}
	step("first", errors.New("one"))
	step("second", nil)
	step("third", errors.New("three"))
	err := down.Run()
	if got, want := strings.Join(order, " "), "third second first"; got != want {
		t.Errorf("order: got %s, want %s", got, want)
	}
	if err == nil || err.Error() != "close third: three\nclose first: one" {
		t.Errorf("error: got %v", err)
	}
	if err := down.Run(); err != nil || len(order) != 3 {
		t.Errorf("a second run: got %v, %v, want nothing done", err, order)
	}
}
