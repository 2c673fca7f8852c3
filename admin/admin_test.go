package admin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

var now = time.Date(2026, 11, 29, 1, 30, 0, 0, time.UTC)

// engine is a small Engine: a job runs until it is finished by the test. What it
// does not have must not be asked for.
type engine struct {
	admin.Engine
	mu      sync.Mutex
	names   []string
	running map[string]bool
	token   int64
	err     error // what every trigger answers, if set
}

func newEngine(names ...string) *engine {
	return &engine{names: names, running: map[string]bool{}, token: 40}
}

func (e *engine) Trigger(_ context.Context, job string, o scheduler.Order) (scheduler.Row, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.err != nil:
		return scheduler.Row{}, e.err
	case !slices.Contains(e.names, job):
		return scheduler.Row{}, fmt.Errorf("job %q: %w", job, scheduler.ErrUnknownJob)
	case e.running[job]:
		return scheduler.Row{}, fmt.Errorf("job %q: %w", job, &scheduler.BusyError{Run: job + ".x", By: "replica-b", Remaining: 12 * time.Second})
	}
	e.running[job] = true
	e.token++
	tick := scheduler.Tick{Job: job, At: now, Manual: true, By: o.By, Key: "k"}
	return scheduler.Row{
		ID: tick.ID(), Job: job, Tick: now, Cause: scheduler.ByHand, By: o.By, Note: o.Note, Params: o.Params,
		State: scheduler.RunRunning, Attempt: 1, Token: e.token, Replica: "replica-a",
	}, nil
}

func (e *engine) Jobs() []scheduler.Status {
	var all []scheduler.Status
	for _, name := range e.names {
		s, _ := e.Job(name)
		all = append(all, s)
	}
	return all
}

func (e *engine) Job(name string) (scheduler.Status, error) {
	if !slices.Contains(e.names, name) {
		return scheduler.Status{}, fmt.Errorf("job %q: %w", name, scheduler.ErrUnknownJob)
	}
	return scheduler.Status{Job: name, Kind: "func", Schedule: "@hourly", TimeZone: "UTC", Next: &now}, nil
}

// Moment has every job be due at each full hour.
func (e *engine) Moment(job string, at time.Time) (scheduler.Moment, error) {
	if _, err := e.Job(job); err != nil {
		return scheduler.Moment{}, err
	}
	next := at.Truncate(time.Hour).Add(time.Hour)
	return scheduler.Moment{IsTick: at.Equal(at.Truncate(time.Hour)), Release: at, Next: &next, TimeZone: "UTC"}, nil
}

// call sends one request to the API of e and returns the answer, decoded.
func call(t *testing.T, h http.Handler, method, target, body string, header ...string) (*http.Response, map[string]any) {
	t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	res := w.Result()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatalf("%s %s: %d %q: %v", method, target, res.StatusCode, text, err)
	}
	if res.StatusCode >= 300 {
		checkProblem(t, res, doc)
	}
	return res, doc
}

// checkProblem holds an answer against RFC 9457.
func checkProblem(t *testing.T, res *http.Response, doc map[string]any) {
	t.Helper()
	if got := res.Header.Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("content type of a problem: got %q", got)
	}
	if got, want := doc["status"], float64(res.StatusCode); got != want {
		t.Errorf("status in the document: got %v, want %v", got, want)
	}
	for _, member := range []string{"type", "title", "instance"} {
		if s, _ := doc[member].(string); s == "" {
			t.Errorf("problem without %s: %v", member, doc)
		}
	}
	if id := res.Header.Get("X-Request-Id"); id == "" || doc["requestId"] != id {
		t.Errorf("request: got %v in the document and %q in the header", doc["requestId"], id)
	}
	if _, err := url.Parse(doc["type"].(string)); err != nil {
		t.Errorf("type is not a URI: %v", err)
	}
}

func api(e admin.Engine) *admin.API { return admin.New(deps(e)) }

// deps are those of an API that remembers nothing.
func deps(e admin.Engine) admin.Deps {
	return admin.Deps{Engine: e, Ready: func() error { return nil }, Log: slog.New(slog.DiscardHandler)}
}

func TestTriggerAnswersWithTheRunItStarted(t *testing.T) {
	t.Parallel()
	res, doc := call(t, api(newEngine("report")), "POST", "/api/v1/jobs/report/trigger", `{"reason": "dns is back"}`)
	if res.StatusCode != http.StatusAccepted {
		t.Fatalf("status: got %d, want 202: %v", res.StatusCode, doc)
	}
	if got, want := res.Header.Get("Location"), "/api/v1/runs/report.20261129T013000Z.manual-k"; got != want {
		t.Errorf("location: got %q, want %q", got, want)
	}
	for key, want := range map[string]any{
		"id": "report.20261129T013000Z.manual-k", "job": "report", "token": 41.0, "replica": "replica-a",
		"cause": "manual", "by": "api", "attempt": 1.0, "tick": "2026-11-29T01:30:00Z", "reason": "dns is back",
	} {
		if got := doc[key]; got != want {
			t.Errorf("%s: got %v, want %v", key, got, want)
		}
	}
}

func TestTriggerNeedsNoBody(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "  \n", "{}"} {
		if res, doc := call(t, api(newEngine("report")), "POST", "/api/v1/jobs/report/trigger", body); res.StatusCode != 202 {
			t.Errorf("body %q: got %d, want 202: %v", body, res.StatusCode, doc)
		}
	}
}

func TestTriggerOfARunningJobNamesItsHolder(t *testing.T) {
	t.Parallel()
	h := api(newEngine("report"))
	call(t, h, "POST", "/api/v1/jobs/report/trigger", "")
	res, doc := call(t, h, "POST", "/api/v1/jobs/report/trigger", "")
	if res.StatusCode != http.StatusConflict {
		t.Fatalf("status: got %d, want 409", res.StatusCode)
	}
	for key, want := range map[string]any{"holder": "replica-b", "run": "report.x", "remaining": "12s", "remainingSeconds": 12.0} {
		if got := doc[key]; got != want {
			t.Errorf("%s: got %v, want %v", key, got, want)
		}
	}
}

func TestWhatTheEngineRefusesHasItsOwnStatus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		status int
		kind   string
		retry  string
	}{
		{scheduler.ErrStopping, 503, "draining", "1"},
		{fmt.Errorf("claim: %w: connection refused", scheduler.ErrNoAnswer), 503, "store-unavailable", "5"},
		{context.DeadlineExceeded, 503, "timeout", "5"},
		{scheduler.ErrFull, 503, "replica-full", "5"},
		{fmt.Errorf("%w: %w", scheduler.ErrNoAnswer, journal.ErrFull), 503, "journal-full", "30"},
		{fmt.Errorf("%w: too long", scheduler.ErrBadOrder), 400, "bad-request", ""},
		{scheduler.ErrNoJournal, 501, "no-journal", ""},
		{errors.New("secret in a stack"), 500, "internal", ""},
	} {
		e := newEngine("report")
		e.err = c.err
		res, doc := call(t, api(e), "POST", "/api/v1/jobs/report/trigger", "")
		if res.StatusCode != c.status {
			t.Errorf("%v: got %d, want %d", c.err, res.StatusCode, c.status)
		}
		if got, want := doc["type"], "urn:solocron:problem:"+c.kind; got != want {
			t.Errorf("%v: type: got %v, want %v", c.err, got, want)
		}
		if got := res.Header.Get("Retry-After"); got != c.retry {
			t.Errorf("%v: retry after: got %q, want %q", c.err, got, c.retry)
		}
		if strings.Contains(fmt.Sprint(doc), "secret") {
			t.Errorf("an unexpected error is shown: %v", doc)
		}
	}
}

func TestBadBodiesAreRefusedAndStartNothing(t *testing.T) {
	t.Parallel()
	for body, status := range map[string]int{
		`{"raeson": "x"}`:                 400,
		`{"reason": 7}`:                   422,
		`{"reason": "x"} {}`:              400,
		`[]`:                              422,
		`{`:                               400,
		"\x00":                            400,
		`reason=x`:                        400,
		strings.Repeat(" ", 64<<10+1):     413,
		`{"reason":"` + long(501) + `"}`:  422,
		`{"params": "day=1"}`:             422,
		`{"params": {"day": null}}`:       422,
		`{"params": {"day": ["x"]}}`:      422,
		`{"params": {"day": {"x": 1}}}`:   422,
		`{"reason":"` + long(1e5) + `"}`:  413,
		`{"reason":"a"}` + long(64<<10-1): 413,
	} {
		e := newEngine("report")
		if res, _ := call(t, api(e), "POST", "/api/v1/jobs/report/trigger", body); res.StatusCode != status {
			t.Errorf("%.40q: got %d, want %d", body, res.StatusCode, status)
		}
		if e.running["report"] {
			t.Errorf("%.40q: a run was started", body)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func TestNoJobNameBreaksTheServer(t *testing.T) {
	t.Parallel()
	h := api(newEngine("report"))
	for _, name := range []string{
		"nope", "..", ".", "a/b", "a//b", "/", "%", "%2F", "{job}", "{", "ä", "\xff\xfe", "\x00", "\n", " ", "?", "#",
		"<script>", `"`, `\`, "report/trigger", "REPORT", "report ", long(5000), strings.Repeat("é", 500), "\u202e",
	} {
		for _, c := range [][2]string{{"GET", ""}, {"POST", "/trigger"}} {
			target := "/api/v1/jobs/" + url.PathEscape(name) + c[1]
			if name == "." || name == ".." { // PathEscape leaves dots
				target = "/api/v1/jobs/" + strings.ReplaceAll(name, ".", "%2e") + c[1]
			}
			if res, doc := call(t, h, c[0], target, ""); res.StatusCode != http.StatusNotFound {
				t.Errorf("%s %.60q: got %d, want 404: %v", c[0], target, res.StatusCode, doc)
			}
		}
	}
}

func TestWhatIsNotARouteIsAProblemToo(t *testing.T) {
	t.Parallel()
	h := api(newEngine("report"))
	for _, c := range []struct {
		method, target string
		status         int
		allow          string
	}{
		{"GET", "/nope", 404, ""},
		{"GET", "/api/v1/jobs/", 404, ""},
		{"GET", "/api//v1/jobs", 404, ""},
		{"GET", "/api/../api/v1/jobs", 404, ""},
		{"GET", "/metrics", 404, ""}, // there are none here
		{"DELETE", "/api/v1/jobs/report", 405, "GET, HEAD"},
		{"PUT", "/api/v1/jobs", 405, "GET, HEAD"},
		{"GET", "/api/v1/jobs/report/trigger", 405, "POST"},
		{"POST", "/livez", 405, "GET, HEAD"},
		{"BREW", "/readyz", 405, "GET, HEAD"},
	} {
		res, _ := call(t, h, c.method, c.target, "")
		if res.StatusCode != c.status {
			t.Errorf("%s %s: got %d, want %d", c.method, c.target, res.StatusCode, c.status)
		}
		if got := res.Header.Get("Allow"); got != c.allow {
			t.Errorf("%s %s: allow: got %q, want %q", c.method, c.target, got, c.allow)
		}
	}
}

func TestJobsAreListedByNameInPages(t *testing.T) {
	t.Parallel()
	h := api(newEngine("c", "a", "e", "b", "d"))
	var got []string
	token := ""
	for range 10 {
		_, doc := call(t, h, "GET", "/api/v1/jobs?pageSize=2&pageToken="+token, "")
		for _, item := range doc["items"].([]any) {
			got = append(got, item.(map[string]any)["name"].(string))
		}
		if token = doc["nextPageToken"].(string); token == "" {
			break
		}
	}
	if want := []string{"a", "b", "c", "d", "e"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAnEmptyListIsAList(t *testing.T) {
	t.Parallel()
	_, doc := call(t, api(newEngine()), "GET", "/api/v1/jobs", "")
	if items, ok := doc["items"].([]any); !ok || len(items) != 0 {
		t.Errorf("items: got %v, want an empty list", doc["items"])
	}
}

func TestBadPagesAreRefused(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"pageSize=0", "pageSize=501", "pageSize=x", "pageToken=%25", "pageToken=bm8", "sort=age", "status=fine", "labelSelector=%3D", "pagesize=1"} {
		if res, _ := call(t, api(newEngine("a")), "GET", "/api/v1/jobs?"+query, ""); res.StatusCode != 422 {
			t.Errorf("%s: got %d, want 422", query, res.StatusCode)
		}
	}
}

func TestOneJobIsShown(t *testing.T) {
	t.Parallel()
	res, doc := call(t, api(newEngine("report")), "GET", "/api/v1/jobs/report", "")
	if res.StatusCode != 200 || doc["name"] != "report" || doc["next"] != "2026-11-29T01:30:00Z" {
		t.Errorf("got %d %v", res.StatusCode, doc)
	}
}

func TestAPanicIsAnErrorOfItsRequestOnly(t *testing.T) {
	t.Parallel()
	h := api(panicking{newEngine()})
	for range 2 {
		if res, _ := call(t, h, "GET", "/api/v1/jobs", ""); res.StatusCode != 500 {
			t.Errorf("got %d, want 500", res.StatusCode)
		}
	}
}

type panicking struct{ *engine }

func (panicking) Jobs() []scheduler.Status { panic("boom") }
