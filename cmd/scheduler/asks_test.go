package main_test

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// heard is a request that a command made.
type heard struct {
	method, path, query, body, key string
}

// attentive answers every request with text, and hands on what was asked.
func attentive(t *testing.T, text string) (url string, requests <-chan heard) {
	t.Helper()
	all := make(chan heard, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		all <- heard{r.Method, r.URL.Path, r.URL.RawQuery, string(body), r.Header.Get("Idempotency-Key")}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL, all
}

// TestFlagsReachTheServerInItsWords looks at the last request of each command.
func TestFlagsReachTheServerInItsWords(t *testing.T) {
	t.Parallel()
	const run, list = `{"id":"a.KEY-1","job":"a","state":"queued","tick":"2026-11-01T01:30:00Z"}`, `{"items":[],"nextPageToken":""}`
	for args, want := range map[string]struct {
		answer string
		heard
	}{
		"trigger a --overlap allow":                         {run, heard{method: "POST", path: "/api/v1/jobs/a/trigger", body: `"overlapPolicy":"allow"`, key: "some"}},
		"trigger a --overlap skip --dry-run":                {run, heard{method: "POST", path: "/api/v1/jobs/a/trigger", body: `"dryRun":true,"overlapPolicy":"skip"`}},
		"trigger a":                                         {run, heard{method: "POST", path: "/api/v1/jobs/a/trigger", body: `{"params":{},"reason":""}`, key: "some"}},
		"logs a.KEY-1 --attempt 2 --timestamps":             {run, heard{method: "GET", path: "/api/v1/runs/a.KEY-1/log", query: "attempt=2&timestamps=true"}},
		"logs a.KEY-1 -f --since 2026-11-01T01:30:00+01:00": {run, heard{method: "GET", path: "/api/v1/runs/a.KEY-1/log", query: "follow=true&since=2026-11-01T00%3A30%3A00Z"}},
		"logs a.KEY-1":                                      {run, heard{method: "GET", path: "/api/v1/runs/a.KEY-1/log"}},
		"job backfill a --from 2026-11-01T00:00:00Z --to 2026-11-03T00:00:00Z --spacing 5m --dry-run": {list, heard{
			method: "POST", path: "/api/v1/jobs/a/backfill",
			body: `{"dryRun":true,"from":"2026-11-01T00:00:00Z","max":100,"params":{},"reason":"","spacing":"5m0s","to":"2026-11-03T00:00:00Z"}`,
		}},
		"job backfill a --from 2026-11-01T00:00:00Z --to 2026-11-03T00:00:00Z --max 7": {list, heard{
			method: "POST", path: "/api/v1/jobs/a/backfill", key: "some",
			body: `{"from":"2026-11-01T00:00:00Z","max":7,"params":{},"reason":"","to":"2026-11-03T00:00:00Z"}`,
		}},
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			url, requests := attentive(t, want.answer)
			ran := scheduler(t, t.TempDir(), append(strings.Fields(args), "--server", url)...)
			if ran.code != 0 {
				t.Fatalf("got %d: %s", ran.code, ran.stderr)
			}
			var got heard
			for len(requests) > 0 {
				got = <-requests
			}
			if got.method != want.method || got.path != want.path || got.query != want.query || !strings.Contains(got.body, want.body) {
				t.Errorf("got %+v, want %+v", got, want.heard)
			}
			if (got.key == "") != (want.key == "") {
				t.Errorf("got the key %q, want %s", got.key, cmp.Or(want.key, "none"))
			}
		})
	}
}

// TestABackfillThatIsRehearsedShowsWhatWouldRun reads what a server answers.
func TestABackfillThatIsRehearsedShowsWhatWouldRun(t *testing.T) {
	t.Parallel()
	url, _ := attentive(t, `{"items":[{"job":"a","state":"queued","dryRun":true,"tick":"2026-11-01T01:30:00Z","notBefore":"2026-11-29T12:00:00Z"},
		{"job":"a","state":"queued","dryRun":true,"tick":"2026-11-02T01:30:00Z"}]}`)
	ran := scheduler(t, t.TempDir(), "job", "backfill", "a", "--from", "2026-11-01T00:00:00Z", "--to", "2026-11-03T00:00:00Z", "--dry-run", "--tz", "Europe/Berlin", "--server", url)
	want := "WOULD RUN                   UTC                    NOT BEFORE\n" +
		"2026-11-01T02:30:00+01:00   2026-11-01T01:30:00Z   2026-11-29T13:00:00+01:00\n" +
		"2026-11-02T02:30:00+01:00   2026-11-02T01:30:00Z\n"
	if ran.code != 0 || ran.stdout != want {
		t.Errorf("got %d\n%s%s, want\n%s", ran.code, ran.stdout, ran.stderr, want)
	}
}

// TestTheServerComparesFilesThatItKnows has a server that knows the file, and one that
// runs by it.
func TestTheServerComparesFilesThatItKnows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir+"/a.yaml", "jobs: [ { name: a, schedule: manual, shell: x } ]\n")
	shown := scheduler(t, dir, "config", "show", "--effective", "-c", "a.yaml").stdout
	_, rest, _ := strings.Cut(shown, "revision ")
	revision, _, _ := strings.Cut(rest, ";")
	answer := func(loaded string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path + "?" + r.URL.RawQuery {
			case "/api/v1/config?":
				_ = json.NewEncoder(w).Encode(map[string]any{"loaded": map[string]any{"revision": loaded}, "known": []string{loaded, revision}})
			case "/api/v1/config/diff?a=running&b=" + revision:
				_, _ = io.WriteString(w, `{"changes":[
					{"kind":"changed","fields":[{"path":"lease.ttl","old":"30s","new":"1m"}],"before":null,"after":null},
					{"kind":"removed","job":"b","line":3,"fields":[],"before":"2026-11-01T01:30:00Z","after":null}]}`)
			default:
				t.Errorf("asked for %s", r.URL)
			}
		}
	}
	for loaded, want := range map[string]ran{
		"other":  {1, "settings: changed\n  lease.ttl: 30s -> 1m\njob b: removed\n  next run: 2026-11-01T01:30:00Z -> -\n", ""},
		revision: {0, "", "no difference\n"},
	} {
		s := httptest.NewServer(answer(loaded))
		t.Cleanup(s.Close)
		if got := scheduler(t, dir, "config", "diff", "a.yaml", "--server", s.URL); got != want {
			t.Errorf("%s: got %+v, want %+v", loaded, got, want)
		}
	}
}
