package admin_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
)

func TestReadinessSaysEveryReason(t *testing.T) {
	t.Parallel()
	var reason error
	d := deps(newEngine())
	d.Ready = func() error { return reason }
	h := admin.New(d)
	if res, doc := call(t, h, "GET", "/readyz", ""); res.StatusCode != 200 || doc["ready"] != true {
		t.Errorf("ready: got %d %v", res.StatusCode, doc)
	}
	reason = errors.Join(errors.New("redis: connection refused"), errors.New("stopping"))
	res, doc := call(t, h, "GET", "/readyz", "")
	if res.StatusCode != 503 || doc["ready"] != false {
		t.Errorf("not ready: got %d %v", res.StatusCode, doc)
	}
	if got, want := doc["reasons"].([]any), []any{"redis: connection refused", "stopping"}; !slices.Equal(got, want) {
		t.Errorf("reasons: got %v, want %v", got, want)
	}
	if res, _ := call(t, h, "GET", "/livez", ""); res.StatusCode != 200 {
		t.Errorf("alive while not ready: got %d, want 200", res.StatusCode)
	}
}

func TestMetricsAreServedAsTheyAre(t *testing.T) {
	t.Parallel()
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "up 1\n") })
	d := deps(newEngine())
	d.Metrics = metrics
	h := admin.New(d)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/metrics", nil))
	if got := w.Body.String(); got != "up 1\n" {
		t.Errorf("got %q", got)
	}
}

func TestOnlyLoopbackNamesAreAnswered(t *testing.T) {
	t.Parallel()
	h := api(newEngine("report"))
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST": 200, "127.0.0.1": 200, "127.8.9.1:80": 200,
		"[::1]:8080": 200, "[::1]": 200, "[::ffff:127.0.0.1]:1": 200,
		"evil.example": 403, "evil.example:8080": 403, "10.0.0.1": 403, "localhost.evil.example": 403,
		"127.0.0.1.evil.example": 403, "": 403, ":8080": 403, "0.0.0.0": 403, "[::]": 403,
	} {
		if res, _ := call(t, h, "GET", "/api/v1/jobs", "", "Host", host); res.StatusCode != want {
			t.Errorf("host %q: got %d, want %d", host, res.StatusCode, want)
		}
	}
}

func TestAPageOfAnotherSiteTriggersNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header []string
		want   int
	}{
		{nil, 202},
		{[]string{"Sec-Fetch-Site", "same-origin"}, 202},
		{[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Origin", "http://127.0.0.1:8080"}, 202},
		{[]string{"Origin", "http://evil.example"}, 403},
		{[]string{"Origin", "null"}, 403},
	} {
		e := newEngine("report")
		res, _ := call(t, api(e), "POST", "/api/v1/jobs/report/trigger", "", c.header...)
		if res.StatusCode != c.want {
			t.Errorf("%v: got %d, want %d", c.header, res.StatusCode, c.want)
		}
		if started := e.running["report"]; started != (c.want == 202) {
			t.Errorf("%v: started %v", c.header, started)
		}
	}
}

func TestAClientThatSendsNothingIsHungUpOn(t *testing.T) {
	t.Parallel()
	server := api(newEngine()).Server()
	server.ReadHeaderTimeout = 50 * time.Millisecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(conn, "GET /livez HTTP/1.1\r\nHost: localhost\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(conn); err != nil {
		t.Errorf("connection is still open: %v", err)
	}
	if err := server.Shutdown(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

func TestTheServerBoundsEveryWait(t *testing.T) {
	t.Parallel()
	s := api(newEngine()).Server()
	for name, d := range map[string]time.Duration{
		"header": s.ReadHeaderTimeout, "read": s.ReadTimeout, "write": s.WriteTimeout, "idle": s.IdleTimeout,
	} {
		if d <= 0 || d > time.Minute {
			t.Errorf("%s time-out: got %v", name, d)
		}
	}
	if s.MaxHeaderBytes > 64<<10 {
		t.Errorf("header bytes: got %d", s.MaxHeaderBytes)
	}
	if strings.TrimSpace(s.Addr) != "" {
		t.Errorf("address: got %q; the daemon binds", s.Addr)
	}
}
