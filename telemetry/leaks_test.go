package telemetry_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/internal/redistest"
)

// planted is a secret of each sort, by where it stands. None occurs by chance.
type planted map[string]string

func plant() planted {
	p := planted{}
	for _, name := range []string{
		"REDIS_PASSWORD", "COMMAND_KEY", "SHELL_KEY", "HTTP_KEY", "URL_PASSWORD", "DSN_PASSWORD", "BAD_DSN_PASSWORD",
		"SYNC_PASSWORD", "TRACE_KEY", "COOKIE_KEY", "HOOK_PATH", "HOOK_SECRET", "HOOK_HEADER", "PING_PATH",
	} {
		p[name] = access.NewToken()
	}
	return p
}

// leaky is a configuration with secrets wherever there may be some, and jobs that
// print theirs and fail in every way that is near them.
const leaky = `namespace: leaks
shutdownGrace: 2s
log: { level: debug, format: json }
redis: { addr: %[1]q, password: { env: REDIS_PASSWORD } }
admin:
  listen: 127.0.0.1:0
  tokens: %[2]q
  cookieKey: { env: COOKIE_KEY }
tracing: { endpoint: %[3]s/v1/traces, headers: { Authorization: { env: TRACE_KEY } } }
notify:
  channels:
    hook: { webhook: { url: { env: HOOK_URL }, secret: { env: HOOK_SECRET }, headers: { X-Key: { env: HOOK_HEADER } } } }
  defaults: { to: [hook] }
jobs:
  - name: command
    schedule: "@every 2s"
    command: [/bin/sh, -c, 'echo "key=$KEY"; echo "$KEY" >&2; exit 3']
    env: { KEY: { env: COMMAND_KEY } }
    retry: { maxAttempts: 2, initialInterval: 100ms }
    ping: { env: PING_URL }
  - name: shell
    schedule: "@every 2s"
    shell: 'echo "$KEY"; printf "%%s" "$KEY" >&2'
    env: { KEY: { file: %[4]q } }
  - name: call
    schedule: "@every 2s"
    http: { url: %[3]s/echo, headers: { X-Key: { env: HTTP_KEY } }, body: '{"at":"{{.Tick}}"}' }
  - name: call-by-password
    schedule: "@every 2s"
    http: { url: %[5]q }
  - name: report
    schedule: "@every 2s"
    report: { dsn: { env: DSN }, query: select 1, output: %[6]q }
  - name: report-of-nothing
    schedule: "@every 2s"
    report: { dsn: { env: BAD_DSN }, query: select 1, output: %[6]q }
  - name: copy
    schedule: "@every 2s"
    sync: { source: { dsn: { env: SYNC_DSN } }, target: { dsn: { env: DSN } }, table: t, key: id, watermark: at }
`

// rack is a running replica with secrets, and all that it has said.
type rack struct {
	secrets planted
	token   string
	url     string
	pid     int
	log     *saying
	stop    func() // and wait for its end
}

// saying is a log that can be read while it is written.
type saying struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *saying) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *saying) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// program builds the scheduler.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scheduler")
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", path, "../cmd/scheduler").CombinedOutput(); err != nil { //nolint:gosec // ours
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// echo answers badly and with all that it was sent, as a careless server does.
func echo(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, "%s %s %v", r.Method, r.URL.Path, r.Header["X-Key"])
	}))
	t.Cleanup(s.Close)
	return s
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// start starts a replica over a Redis with a password.
func start(t *testing.T) *rack {
	t.Helper()
	r := &rack{secrets: plant(), token: access.NewToken(), log: new(saying)}
	redis := redistest.Start(t)
	redis.Do(t, "CONFIG", "SET", "requirepass", r.secrets["REDIS_PASSWORD"])
	bad, dir := echo(t), t.TempDir()
	line, err := access.Line("test", access.Admin, r.token)
	if err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(bad.URL, "http://")
	file := write(t, filepath.Join(dir, "config.yaml"), fmt.Sprintf(leaky, redis.Addr,
		write(t, filepath.Join(dir, "tokens"), line+"\n"), bad.URL, write(t, filepath.Join(dir, "shellkey"), r.secrets["SHELL_KEY"]+"\n"),
		"http://user:"+r.secrets["URL_PASSWORD"]+"@"+host+"/x", filepath.Join(dir, "out.csv")))
	cmd := exec.Command(program(t), "serve", "-c", file) //nolint:gosec // ours
	cmd.Env = append(os.Environ(),
		"DSN=postgres://app:"+r.secrets["DSN_PASSWORD"]+"@127.0.0.1:1/db", "BAD_DSN=postgres://app:"+r.secrets["BAD_DSN_PASSWORD"]+"@127.0.0.1:port/db",
		"SYNC_DSN=postgres://app:"+r.secrets["SYNC_PASSWORD"]+"@127.0.0.1:1/db",
		"HOOK_URL="+bad.URL+"/"+r.secrets["HOOK_PATH"], "PING_URL="+bad.URL+"/"+r.secrets["PING_PATH"])
	for name, value := range r.secrets {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Stdout, cmd.Stderr = r.log, r.log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.pid = cmd.Process.Pid
	r.stop = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	t.Cleanup(func() {
		r.stop()
		if t.Failed() {
			said := r.log.String()
			t.Logf("log, its end:\n%s", said[max(0, len(said)-4000):])
		}
	})
	r.await(t)
	return r
}

var listening = regexp.MustCompile(`127\.0\.0\.1:[0-9]{2,5}`)

// await finds out where the replica listens, and waits until every job has ended a
// run there.
func (r *rack) await(t *testing.T) {
	t.Helper()
	names := regexp.MustCompile(`(?m)^  - name: (.*)$`).FindAllStringSubmatch(leaky, -1)
	soon(t, func() string {
		if strings.Contains(r.log.String(), "config.yaml:") {
			t.Fatal("its configuration is not right")
		}
		if r.url == "" {
			for line := range strings.SplitSeq(r.log.String(), "\n") {
				if addr := listening.FindString(line); addr != "" && strings.Contains(line, `"msg":"listening"`) {
					r.url = "http://" + addr
				}
			}
			return "it says not where it listens"
		}
		for _, name := range names {
			if !strings.Contains(r.log.String(), `"job":"`+name[1]+`"`) || !strings.Contains(r.get(t, "/api/v1/jobs/"+name[1]), `"verdict"`) {
				return "job " + name[1] + " has not ended a run"
			}
		}
		return ""
	})
}

// get is what the API answers, of a stream what comes in half a second.
func (r *rack) get(t *testing.T, path string) string {
	t.Helper()
	head, body := r.fetch(t, path)
	return head + "\n" + body
}

// fetch is get with what is about the answer and the answer apart.
func (r *rack) fetch(t *testing.T, path string) (head, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error(), ""
	}
	defer resp.Body.Close()
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		time.AfterFunc(500*time.Millisecond, cancel)
	}
	all, _ := io.ReadAll(io.LimitReader(resp.Body, 8<<20)) // a stream ends with an error
	return fmt.Sprint(resp.StatusCode, resp.Header), string(all)
}

// paths is every path that can be read of the API, with a job and run that exist.
func (r *rack) paths(t *testing.T) []string {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	head, text := r.fetch(t, "/api/v1/openapi.json")
	if json.Unmarshal([]byte(text), &doc) != nil || len(doc.Paths) == 0 {
		t.Fatalf("the description of the API: %s %.300s", head, text)
	}
	var runs struct {
		Runs []struct {
			ID   string    `json:"id"`
			Job  string    `json:"job"`
			Tick time.Time `json:"tick"`
		} `json:"items"`
	}
	head, text = r.fetch(t, "/api/v1/runs")
	if json.Unmarshal([]byte(text), &runs) != nil || len(runs.Runs) == 0 {
		t.Fatalf("runs: %s %.600s", head, text)
	}
	all := []string{"/metrics", "/livez", "/readyz", "/version"}
	for path, methods := range doc.Paths {
		if methods["get"] == nil {
			continue
		}
		for _, run := range runs.Runs {
			all = append(all, strings.NewReplacer("{job}", run.Job, "{run}", url.PathEscape(run.ID), "{tick}", run.Tick.Format(time.RFC3339), "{replica}", "x").Replace(path))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// find returns which secrets stand in text, plainly or as a URL, JSON or HTTP write them.
func (p planted) find(text string) []string {
	var names []string
	for name, secret := range p {
		for _, form := range []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret)), base64.StdEncoding.EncodeToString([]byte("user:" + secret))} {
			if strings.Contains(text, form) {
				names = append(names, name)
				break
			}
		}
	}
	slices.Sort(names)
	return names
}

func TestNothingThatAReplicaSaysHoldsASecret(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.secrets["TOKEN"] = r.token
	paths := r.paths(t)
	if len(paths) < 30 {
		t.Errorf("paths of the API: got %d: %q", len(paths), paths)
	}
	printed := false
	for _, path := range paths {
		answer := r.get(t, path)
		for _, name := range r.secrets.find(answer) {
			t.Errorf("GET %s tells %s", path, name)
		}
		printed = printed || strings.Contains(path, "/log") && strings.Contains(answer, "key=")
	}
	if !printed {
		t.Error("no log of a run was read: the test has looked at nothing")
	}
	title, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", r.pid))
	if err == nil && len(r.secrets.find(string(title))) > 0 {
		t.Errorf("the title of the process tells a secret: %q", title)
	}
	r.stop()
	for _, name := range r.secrets.find(r.log.String()) {
		t.Errorf("the log tells %s", name)
	}
	for _, word := range []string{`"verdict":"failed"`, `"level":"ERROR"`} {
		if !strings.Contains(r.log.String(), word) {
			t.Errorf("the log has no %s: the test has looked at too little", word)
		}
	}
}

// soon polls what until it has nothing to say.
func soon(t *testing.T, what func() string) {
	t.Helper()
	end := time.Now().Add(2 * time.Minute)
	for {
		missing := what()
		if missing == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("after two minutes: %s", missing)
		}
		time.Sleep(200 * time.Millisecond)
	}
}
