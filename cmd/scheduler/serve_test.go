package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/solocron/solocron/internal/redistest"
)

// served is a scheduler that serves.
type served struct {
	*process
	url string
}

// serve starts a replica on the configuration text, in a directory of its own.
func serve(t *testing.T, text string, env ...string) served {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "config.yaml"), text)
	p := start(t, dir, env, "serve", "--set", "admin.listen=127.0.0.1:0")
	addr := regexp.MustCompile(`"msg":"listening".*"addr":"([^"]+)"`)
	var found []string
	until(t, 10*time.Second, "the listener", func() bool {
		found = addr.FindStringSubmatch(p.stderr.String())
		return found != nil
	})
	return served{p, "http://" + found[1]}
}

func (s served) call(t *testing.T, method, path string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&http.Client{Timeout: 20 * time.Second}).Do(r)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.stderr)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func (s served) ready(t *testing.T) {
	t.Helper()
	until(t, 10*time.Second, "readiness", func() bool { code, _ := s.call(t, "GET", "/readyz"); return code == 200 })
}

func TestServeRunsJobsOnARealRedisUntilItIsAskedToStop(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	s := serve(t, fmt.Sprintf(`
namespace: smoke
replica: pod-0
redis: { addr: %q }
jobs:
  - { name: beat, schedule: "@every 1s", shell: "echo ran $SOLOCRON_RUN_ID" }
  - { name: rare, schedule: "@yearly", shell: "echo asked" }
`, redis.Addr))
	s.ready(t)
	until(t, 15*time.Second, "three runs", func() bool { return strings.Count(s.stderr.String(), `"msg":"run succeeded"`) >= 3 })

	if code, body := s.call(t, "POST", "/api/v1/jobs/rare/trigger"); code != 202 {
		t.Errorf("trigger: got %d %s", code, body)
	}
	if code, body := s.call(t, "POST", "/api/v1/jobs/nope/trigger"); code != 404 {
		t.Errorf("trigger of no job: got %d %s", code, body)
	}
	until(t, 10*time.Second, "the triggered run", func() bool { return strings.Contains(s.stderr.String(), `"line":"asked"`) })
	_, metrics := s.call(t, "GET", "/metrics")
	for _, name := range []string{
		`solocron_ticks_total{job_name="beat",reason="",verdict="succeeded"} `,
		`solocron_lease_operations_total{answer="granted",op="claim"} `,
		`solocron_clock_offset_seconds `, `solocron_build_info{`, `go_goroutines `,
	} {
		if !strings.Contains(metrics, name) {
			t.Errorf("no %s in the metrics", name)
		}
	}

	s.signal(t, syscall.SIGTERM)
	if got := s.wait(t); got.code != 0 || got.stdout != "" {
		t.Errorf("after SIGTERM: got %d, stdout %q\n%s", got.code, got.stdout, got.stderr)
	}
	checkLog(t, s.stderr.String())
}

// checkLog holds every line of a log against what is promised of it.
func checkLog(t *testing.T, log string) {
	t.Helper()
	for line := range strings.Lines(log) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Errorf("not JSON: %s", line)
			continue
		}
		if msg, _ := fields["msg"].(string); !strings.HasPrefix(msg, "run ") {
			continue
		}
		for _, key := range []string{"job", "tick", "run", "token", "replica"} {
			if fields[key] == nil {
				t.Errorf("a line of a run without %s: %s", key, line)
			}
		}
	}
}

func TestServeWaitsForRedisAndRunsNothingMeanwhile(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := closed.Addr().String()
	closed.Close()
	s := serve(t, fmt.Sprintf(`
redis: { addr: %q, password: { env: TEST_REDIS_PASSWORD } }
jobs:
  - { name: beat, schedule: "@every 1s", shell: "touch ran" }
`, addr), "TEST_REDIS_PASSWORD=hunter2")
	until(t, 10*time.Second, "a line that says so", func() bool { return strings.Contains(s.stderr.String(), "waiting for the lease store") })
	if code, body := s.call(t, "GET", "/livez"); code != 200 {
		t.Errorf("livez: got %d %s", code, body)
	}
	if code, body := s.call(t, "GET", "/readyz"); code != 503 || !strings.Contains(body, "refused") {
		t.Errorf("readyz: got %d %s", code, body)
	}
	if code, body := s.call(t, "POST", "/api/v1/jobs/beat/trigger"); code != 503 {
		t.Errorf("trigger: got %d %s", code, body)
	}
	s.signal(t, syscall.SIGINT)
	if got := s.wait(t); got.code != 0 {
		t.Errorf("after SIGINT: got %d\n%s", got.code, got.stderr)
	}
	if _, err := os.Stat(filepath.Join(s.cmd.Dir, "ran")); err == nil {
		t.Error("a job ran without a lease")
	}
	if strings.Contains(s.stderr.String(), "hunter2") {
		t.Errorf("the password is in the log:\n%s", s.stderr)
	}
}

func TestAWrongPasswordIsSaidWithoutIt(t *testing.T) {
	t.Parallel()
	redis := miniredis.RunT(t)
	redis.RequireAuth("right")
	s := serve(t, fmt.Sprintf(`
redis: { addr: %q, password: { env: TEST_REDIS_PASSWORD } }
jobs:
  - { name: beat, schedule: "@every 1s", shell: "true" }
`, redis.Addr()), "TEST_REDIS_PASSWORD=hunter2")
	until(t, 10*time.Second, "the refusal", func() bool { return strings.Contains(s.stderr.String(), "WRONGPASS") })
	if !strings.Contains(s.stderr.String(), "see redis.username and redis.password") {
		t.Errorf("nothing says what to do:\n%s", s.stderr)
	}
	s.signal(t, syscall.SIGTERM)
	if got := s.wait(t); strings.Contains(got.stderr, "hunter2") {
		t.Errorf("the password is in the log:\n%s", got.stderr)
	}
}

func TestASecondSignalEndsTheProcessAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, `
redis: { addr: embedded }
shutdownGrace: 50s
jobs:
  - { name: long, schedule: "@yearly", shell: "sleep 40" }
`)
	s.ready(t)
	if !strings.Contains(s.stderr.String(), "EMBEDDED REDIS") {
		t.Errorf("nothing says that Redis is inside this process:\n%s", s.stderr)
	}
	if code, body := s.call(t, "POST", "/api/v1/jobs/long/trigger"); code != 202 {
		t.Fatalf("trigger: got %d %s", code, body)
	}
	s.signal(t, syscall.SIGTERM)
	until(t, 10*time.Second, "the end of readiness", func() bool { code, _ := s.call(t, "GET", "/readyz"); return code == 503 })
	began := time.Now()
	s.signal(t, syscall.SIGTERM)
	if got := s.wait(t); got.code != -1 {
		t.Errorf("got exit code %d, want the end by a signal", got.code)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the second signal took %v", took)
	}
}
