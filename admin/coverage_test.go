package admin_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/config"
)

// sample is a request that an operation answers with success.
type sample struct{ target, body string }

// goodText is a configuration without a fault.
const goodText = `jobs: [{name: report, schedule: "@daily", command: [/bin/true]}]`

// samples has one for each operation, by its ID.
var samples = map[string]sample{
	"listActivity": {"/activity?limit=10", ""}, "getCluster": {"/cluster", ""}, "getConfig": {"/config", ""}, "diffConfigs": {"/config/diff?a=0&b=running", ""},
	"validateConfig": {"/config/validate", goodText}, "compareConfig": {"/config/diff?name=new.yaml", goodText}, "listDeadLetters": {"/dead-letters", ""},
	"acknowledge": {"/dead-letters/" + deadRun + "/acknowledge", ""}, "redrive": {"/dead-letters/" + deadRun + "/redrive", `{"reason": "again"}`},
	"docs": {"/docs", ""}, "followEvents": {"/events", ""}, "listJobs": {"/jobs?q=report", ""}, "getJob": {"/jobs/report", ""},
	"backfillJob": {"/jobs/report/backfill", `{"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z"}`},
	"nextTicks":   {"/jobs/report/next?n=3", ""}, "pauseJob": {"/jobs/report/pause", `{"reason": "upgrade"}`}, "resumeJob": {"/jobs/report/resume", ""},
	"listRunsOfJob": {"/jobs/report/runs", ""}, "skipNextTick": {"/jobs/report/skip-next", ""}, "snoozeJob": {"/jobs/report/snooze", `{"for": "1h"}`},
	"explainTick": {"/jobs/report/ticks/2026-11-29T01:00:00Z", ""}, "triggerJob": {"/jobs/report/trigger", `{"reason": "now"}`},
	"listLeases": {"/leases", ""}, "releaseLease": {"/leases/report/release", `{"reason": "stuck", "confirmJob": "report", "token": 41}`},
	"openapiJSON": {"/openapi.json", ""}, "openapiYAML": {"/openapi.yaml", ""}, "listReplicas": {"/replicas", ""}, "getReplica": {"/replicas/a", ""}, "crashReplica": {"/replicas/a/crash", ""},
	"listRuns": {"/runs", ""}, "getRun": {"/runs/" + oldRun + "?wait=1s", ""}, "cancelRun": {"/runs/" + oldRun + "/cancel", ""},
	"getTimeline": {"/timeline?from=2026-11-26T00:00:00Z", ""}, "showLog": {"/runs/" + oldRun + "/log", ""}, "rerun": {"/runs/" + oldRun + "/rerun", ""},
	"explainSchedule": {"/schedules/explain?expr=0+2+*+*+*", ""}, "configSchema": {"/schema.json", ""},
	"signInWays": {"", ""}, "signIn": {"", ""}, "signOut": {"", ""},
	"getSession": {"/session", ""}, "live": {"", ""}, "metrics": {"", ""}, "ready": {"", ""}, "started": {"", ""}, "version": {"", ""},
}

// special are requests that are refused for a reason of their operation, by its ID and
// the status.
var special = map[string]map[int]sample{
	"triggerJob": {
		200: {"/jobs/report/trigger", `{"dryRun": true}`}, 404: {"/jobs/gone/trigger", ""}, 409: {"/jobs/busy/trigger", ""},
	},
	"acknowledge":  {404: {"/dead-letters/" + oldRun + "/acknowledge", ""}},
	"redrive":      {404: {"/dead-letters/" + oldRun + "/redrive", ""}, 501: {"/dead-letters/" + bareRun + "/redrive", ""}},
	"diffConfigs":  {404: {"/config/diff?a=0123456789ab", ""}},
	"followEvents": {400: {"/events?types=weather", ""}},
	"getJob":       {404: {"/jobs/gone", ""}},
	"backfillJob": {
		200: {"/jobs/report/backfill", `{"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z", "dryRun": true}`},
		404: {"/jobs/gone/backfill", `{"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z"}`},
		501: {"/jobs/bare/backfill", `{"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z"}`},
	},
	"nextTicks":     {404: {"/jobs/gone/next", ""}},
	"pauseJob":      {404: {"/jobs/gone/pause", ""}, 501: {"/jobs/bare/pause", ""}},
	"resumeJob":     {404: {"/jobs/gone/resume", ""}, 409: {"/jobs/still/resume", ""}, 501: {"/jobs/bare/resume", ""}},
	"listRunsOfJob": {404: {"/jobs/gone/runs", ""}},
	"skipNextTick":  {404: {"/jobs/gone/skip-next", ""}, 409: {"/jobs/never/skip-next", ""}, 501: {"/jobs/bare/skip-next", ""}},
	"snoozeJob":     {404: {"/jobs/gone/snooze", `{"for": "1h"}`}, 501: {"/jobs/bare/snooze", `{"for": "1h"}`}},
	"explainTick":   {404: {"/jobs/report/ticks/2026-11-29T01:30:00Z", ""}},
	"releaseLease": {
		404: {"/leases/gone/release", `{"reason": "stuck", "confirmJob": "gone", "token": 41}`},
		409: {"/leases/report/release", `{"reason": "stuck", "confirmJob": "report", "token": 40}`},
	},
	"explainSchedule": {400: {"/schedules/explain?expr=CRON_TZ%3DUTC", ""}},
	"getReplica":      {404: {"/replicas/nobody", ""}},
	"crashReplica":    {404: {"/replicas/nobody/crash", ""}, 409: {"/replicas/last/crash", ""}},
	"getRun":          {404: {"/runs/lost.20261129T013000Z", ""}},
	"cancelRun": {
		404: {"/runs/lost.20261129T013000Z/cancel", ""}, 409: {"/runs/over.20261129T013000Z/cancel", ""}, 501: {"/runs/bare.20261129T013000Z/cancel", ""},
	},
	"rerun":   {404: {"/runs/lost.20261129T013000Z/rerun", ""}, 501: {"/runs/bare.20261129T013000Z/rerun", ""}},
	"showLog": {400: {"/runs/" + oldRun + "/log?follow=1", ""}, 422: {"/runs/" + oldRun + "/log?since=today", ""}, 404: {"/runs/lost.20261129T013000Z/log", ""}},
}

// listen serves an API on a listener of its own until the test ends.
func listen(t *testing.T, d admin.Deps) (*admin.API, string) {
	t.Helper()
	api := admin.New(d)
	s := httptest.NewUnstartedServer(nil)
	s.Config = api.Server()
	s.Start()
	t.Cleanup(func() {
		api.Drain()
		s.Close()
	})
	return api, s.Listener.Addr().String()
}

// stage is an API in each of the moods that its answers depend on.
type stage struct {
	well, away, drained, guarded, locked string // addresses
	tokens                               map[string]string
	key                                  string // a token of guarded
}

func newStage(t *testing.T) *stage {
	t.Helper()
	off := new(atomic.Bool)
	off.Store(true)
	s := &stage{tokens: map[string]string{}}
	_, s.well = listen(t, everything(t))
	_, s.away = listen(t, everythingWith(t, off))
	draining := everything(t)
	draining.Draining = func() bool { return true }
	_, s.drained = listen(t, draining)
	d := everything(t)
	d.Access = s.gate(t)
	_, s.guarded = listen(t, d)
	s.key = s.tokens["viewer"]
	d.Access = s.gate(t)
	_, s.locked = listen(t, d)
	for range 20 {
		get(t, http.MethodGet, s.locked, "/api/v1/jobs", "", "Authorization", "Bearer sc_wrong")
	}
	return s
}

// gate knows a token of each role.
func (s *stage) gate(t *testing.T) *access.Access {
	t.Helper()
	var lines []string
	for _, role := range []access.Role{access.Viewer, access.Operator, access.Admin} {
		s.tokens[role.String()] = access.NewToken()
		line, err := access.Line("a-"+role.String(), role, s.tokens[role.String()])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := access.New(access.Config{Tokens: file})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// get sends one request over a connection of its own and returns the answer, of a
// stream only its beginning.
func get(t *testing.T, method, addr, target, body string, header ...string) (*http.Response, []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+addr+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(r)
	if err != nil {
		t.Errorf("%s %s: %v", method, target, err)
		return &http.Response{}, nil
	}
	defer res.Body.Close()
	if res.Header.Get("Content-Type") == "text/event-stream" {
		return res, nil
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Errorf("%s %s: %v", method, target, err)
	}
	return res, text
}

// request is how to bring an operation to answer with a status; false: nobody has said.
func (s *stage) request(path, method string, op operation, status int) (addr string, what sample, header []string, ok bool) {
	what, ok = samples[op.ID]
	if what.target == "" {
		what.target = path
	} else {
		what.target = "/api/v1" + what.target
	}
	if refused, known := special[op.ID][status]; known {
		return s.well, sample{"/api/v1" + refused.target, refused.body}, nil, ok
	}
	if strings.HasPrefix(op.ID, "sign") && status != 403 {
		return s.door(path, status)
	}
	limit := 64<<10 + 1
	if op.ID == "validateConfig" || op.ID == "compareConfig" {
		limit = 4<<20 + 1
	}
	switch status {
	case 200, 202:
		return s.well, what, nil, ok
	case 400:
		return s.well, sample{what.target, "{"}, nil, ok && method == "post"
	case 304:
		return s.well, what, []string{"If-None-Match", "*"}, ok
	case 401:
		return s.guarded, what, nil, ok
	case 403:
		return s.well, what, []string{"Host", "evil.example"}, ok
	case 408, 413:
		return s.well, sample{what.target, strings.Repeat(" ", limit)}, nil, ok
	case 422:
		return s.well, sample{what.target + mark(what.target) + "nonsense=1", what.body}, nil, ok
	case 429:
		return s.locked, what, []string{"Authorization", "Bearer sc_wrong"}, ok
	case 503:
		if method == "post" {
			return s.drained, what, nil, ok
		}
		return s.away, what, nil, ok
	}
	return "", what, nil, false
}

// door is how to bring what signs people in to answer with a status.
func (s *stage) door(path string, status int) (addr string, what sample, header []string, ok bool) {
	header = []string{"Content-Type", "application/json"}
	switch status {
	case 200, 204:
		return s.guarded, sample{path, `{"token": "` + s.key + `"}`}, header, true
	case 303:
		header[1] = "application/x-www-form-urlencoded"
		return s.guarded, sample{path, "token=" + s.key}, header, true
	case 400:
		return s.guarded, sample{path, "{"}, header, true
	case 401:
		return s.guarded, sample{path, `{"token": "sc_wrong"}`}, header, true
	case 404: // nobody signs in there
		return s.well, sample{path, ""}, header, true
	case 413:
		return s.guarded, sample{path, strings.Repeat(" ", 5000)}, header, true
	case 415:
		return s.guarded, sample{path, s.key}, []string{"Content-Type", "text/plain"}, true
	case 429:
		return s.locked, sample{path, `{"token": "sc_wrong"}`}, header, true
	}
	return "", what, nil, false
}

func mark(target string) string {
	if strings.Contains(target, "?") {
		return "&"
	}
	return "?"
}

// stall sends the head of a request and no more than the first byte of its body, and
// returns the status of the answer.
func stall(t *testing.T, addr, target string) int {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{", target)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Errorf("POST %s: %v", target, err)
		return 0
	}
	defer res.Body.Close()
	return res.StatusCode
}

func TestEveryStatusOfEveryOperationIsMet(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, doc := describe(t, admin.New(everything(t)))
	var stalled, busy sync.WaitGroup
	met := 0
	for path, item := range doc.Paths {
		for method, op := range item {
			for word := range op.Responses {
				if word == "default" { // a fault of this program: see TestAPanicIsAnErrorOfItsRequestOnly
					continue
				}
				status, err := strconv.Atoi(word)
				if err != nil {
					t.Fatal(err)
				}
				met++
				addr, what, header, ok := s.request(path, method, op, status)
				switch {
				case !ok:
					t.Errorf("%s %s: no request is known to be answered with %d", method, path, status)
				case status == 408:
					stalled.Go(func() {
						if got := stall(t, addr, what.target); got != status {
							t.Errorf("%s %s, of whose body the rest does not come: got %d", method, what.target, got)
						}
					})
				case status == 503 && (op.ID == "validateConfig" || op.ID == "compareConfig"):
					busy.Go(func() { s.crowd(t, path) })
				default:
					s.meet(t, method, addr, what, status, header)
				}
			}
		}
	}
	stalled.Wait()
	busy.Wait()
	if met < 250 {
		t.Errorf("statuses: got %d, want several hundred", met)
	}
}

// meet sends a request that must be answered with a status.
func (s *stage) meet(t *testing.T, method, addr string, what sample, status int, header []string) {
	t.Helper()
	method = strings.ToUpper(method)
	if strings.Contains(what.target, "/dead-letters/"+deadRun) && status < 300 { // it is gone afterwards
		_, addr = listen(t, everything(t))
	}
	res, text := get(t, method, addr, what.target, what.body, header...)
	if res.StatusCode != status {
		t.Errorf("%s %s %.60s: got %d, want %d: %.300s", method, what.target, what.body, res.StatusCode, status, text)
		return
	}
	if status < 400 {
		return
	}
	var problem map[string]any
	if err := json.Unmarshal(text, &problem); err != nil {
		t.Errorf("%s %s: %d: %v", method, what.target, status, err)
		return
	}
	checkProblem(t, res, problem)
	if retry := res.Header.Get("Retry-After"); (status == 429 || status == 503) && (retry == "" || retry == "0") {
		t.Errorf("%s %s: %d without Retry-After", method, what.target, status)
	}
}

// crowd has so many configurations checked at once that one more is refused.
func (s *stage) crowd(t *testing.T, path string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	d, begun := everything(t), make(chan struct{}, 3)
	d.Validate = func(string, []byte) (*config.Config, []admin.Problem) {
		begun <- struct{}{}
		<-ctx.Done()
		return nil, nil
	}
	_, addr := listen(t, d)
	var checking sync.WaitGroup
	for range 2 {
		checking.Go(func() { get(t, http.MethodPost, addr, path, "jobs: []") })
	}
	<-begun
	<-begun
	if res, _ := get(t, http.MethodPost, addr, path, "jobs: []"); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("the third check at once: got %d, want 503", res.StatusCode)
	}
	cancel()
	checking.Wait()
}
