package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/scheduler"
)

func client(t *testing.T, o cli.Options, answer http.HandlerFunc) *cli.Client {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	o.Server = s.URL
	c, err := cli.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAKeyedRequestIsSentAgainUnderTheSameKeyAndOthersAreNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		call   cli.Call
		status int
		tries  int32
	}{
		{"a keyed post and a store that is away", cli.Call{Method: "POST", Path: "/x", Key: "k"}, 503, 3},
		{"a post without a key", cli.Call{Method: "POST", Path: "/x"}, 503, 1},
		{"a post that may be sent twice", cli.Call{Method: "POST", Path: "/x", Again: true}, 502, 3},
		{"a read", cli.Call{Path: "/x"}, 504, 3},
		{"a refusal", cli.Call{Path: "/x"}, 409, 1},
		{"too many bad tokens", cli.Call{Path: "/x"}, 429, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var tries atomic.Int32
			cl := client(t, cli.Options{}, func(w http.ResponseWriter, r *http.Request) {
				tries.Add(1)
				if got := r.Header.Get("Idempotency-Key"); got != c.call.Key {
					t.Errorf("key: got %q, want %q", got, c.call.Key)
				}
				w.WriteHeader(c.status)
			})
			var v any
			if err := cl.Do(t.Context(), c.call, &v); err == nil {
				t.Error("got no error")
			}
			if got := tries.Load(); got != c.tries {
				t.Errorf("got %d tries, want %d", got, c.tries)
			}
		})
	}
}

func TestStatusesAndVerdictsHaveTheCodesThatScriptsRelyOn(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]cli.Code{400: 2, 422: 2, 413: 2, 401: 4, 403: 4, 404: 5, 409: 6, 429: 7, 502: 7, 503: 7, 504: 7, 500: 1, 501: 1} {
		if got := cli.CodeOfStatus(status); got != want {
			t.Errorf("status %d: got %d, want %d", status, got, want)
		}
	}
	for verdict, want := range map[scheduler.Verdict]cli.Code{
		scheduler.Succeeded: 0, scheduler.Failed: 10, scheduler.TimedOut: 10, scheduler.Cancelled: 11,
		scheduler.Interrupted: 11, scheduler.LeaseLost: 11, scheduler.Skipped: 11, scheduler.Missed: 11,
	} {
		if got := cli.CodeOfVerdict(verdict); got != want {
			t.Errorf("%s: got %d, want %d", verdict, got, want)
		}
	}
	for _, v := range scheduler.Verdicts() {
		if got := cli.CodeOfVerdict(v); got == cli.Failure {
			t.Errorf("%s has no code of its own", v)
		}
	}
}

func TestATokenGoesInAHeaderAndNeverIntoAnError(t *testing.T) {
	t.Parallel()
	const secret = "s3cret-0123456789"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := client(t, cli.Options{TokenFile: file}, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer "+secret {
			t.Errorf("got %q", got)
		}
		w.WriteHeader(http.StatusUnauthorized)
	})
	var v any
	err := c.Get(t.Context(), "/x", &v)
	if code, _ := cli.CodeOf(err); code != cli.Denied || strings.Contains(err.Error(), secret) {
		t.Errorf("got %d %v", code, err)
	}
	for _, text := range []string{"", " \n", "two " + secret, strings.Repeat(secret, 500), secret + "\x00"} {
		_, err := cli.ReadToken(strings.NewReader(text), "stdin")
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%.20q: got %v", text, err)
		}
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	c := client(t, cli.Options{Env: func(name string) string {
		return map[string]string{"SOLOCRON_TOKEN": "s3cret-0123456789"}[name]
	}}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/x" {
			t.Errorf("followed to %s", r.URL.Path)
		}
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	})
	var v any
	if err := c.Get(t.Context(), "/x", &v); err == nil {
		t.Error("got no error")
	}
}

func TestAListIsReadPageByPageAndWrittenAsTheAPIDoes(t *testing.T) {
	t.Parallel()
	c := client(t, cli.Options{}, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("pageToken") {
		case "":
			_, _ = io.WriteString(w, `{"items":[{"id":"a"},{"id":"b"}],"nextPageToken":"2"}`)
		case "2":
			_, _ = io.WriteString(w, `{"items":[{"id":"c"}],"nextPageToken":"","stale":true}`)
		}
	})
	for limit, want := range map[int]string{
		10: `{"items":[{"id":"a"},{"id":"b"},{"id":"c"}],"nextPageToken":"","stale":true}`,
		1:  `{"items":[{"id":"a"}],"nextPageToken":"2"}`,
	} {
		list, err := c.All(t.Context(), "/x?job=j", "pageSize", limit)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(list)
		if err != nil || string(got) != want {
			t.Errorf("limit %d: got %s, %v, want %s", limit, got, err, want)
		}
	}
	if got, err := json.Marshal(&cli.List{}); err != nil || string(got) != `{"items":[],"nextPageToken":""}` {
		t.Errorf("an empty list: got %s, %v", got, err)
	}
}

func view(t *testing.T, w cli.Wish, out io.Writer, env map[string]string) *cli.View {
	t.Helper()
	v, err := w.View(out, io.Discard, func(name string) string { return env[name] }, func() time.Time {
		return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTimesAreWrittenAsSomebodyWishes(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 29, 13, 15, 0, 0, berlin)
	for _, c := range []struct {
		wish cli.Wish
		env  map[string]string
		want string
	}{
		{cli.Wish{}, nil, "2026-11-29T13:15:00+01:00"}, // in a pipe
		{cli.Wish{Zone: "Asia/Tokyo"}, nil, "2026-11-29T21:15:00+09:00"},
		{cli.Wish{}, map[string]string{"SOLOCRON_TZ": "Asia/Tokyo"}, "2026-11-29T21:15:00+09:00"},
		{cli.Wish{Time: "utc"}, nil, "2026-11-29T12:15:00Z"},
		{cli.Wish{Time: "relative"}, nil, "in 15m 13:15"},
	} {
		if got := view(t, c.wish, io.Discard, c.env).Moment(at); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.wish, got, c.want)
		}
	}
	if got := view(t, cli.Wish{}, io.Discard, nil).Moment(time.Time{}); got != "" {
		t.Errorf("no time: got %q", got)
	}
}

func TestATableHoldsNoControlCharactersAndColoursOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	table := cli.Table{Head: []string{"RUN", "STATUS", "MORE"}, Rows: [][]string{{"a\x1b[2Jb", "failed(x)", "wide"}, {"é", "ok", ""}}, Wide: 1, Status: 2}
	var out bytes.Buffer
	if err := view(t, cli.Wish{}, &out, nil).Table(table); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "RUN      STATUS\na [2Jb   failed(x)\né        ok\n"; got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	for wish, coloured := range map[string]bool{"always": true, "never": false, "auto": false} {
		out.Reset()
		if err := view(t, cli.Wish{Color: wish, NoHeaders: true}, &out, nil).Table(table); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "\x1b[31mfailed(x)\x1b[0m"); got != coloured || strings.Contains(out.String(), "RUN") {
			t.Errorf("--color %s: got %q", wish, out.String())
		}
	}
}

func TestYAMLKeepsTheOrderAndTheTypes(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	v := view(t, cli.Wish{Output: "yaml"}, &out, nil)
	if err := v.Machine(json.RawMessage(`{"z":"007","a":[],"m":{"on":"yes","n":null,"f":1.5,"t":true,"s":"a: b\nc"}}`)); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "z: \"007\"\na: []\nm:\n  \"on\": \"yes\"\n  \"n\": null\n  f: 1.5\n  t: true\n  s: |-\n    a: b\n    c\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestEventsAreReadFromAStream(t *testing.T) {
	t.Parallel()
	var got []cli.Event
	stream := "retry: 3000\n\n: alive\nid: 7\n\nevent: run\nid: 8\ndata: {\"a\":1}\n\nevent: run\ndata: x\ndata: y\n\nevent: cut"
	err := cli.ReadEvents(strings.NewReader(stream), func(e cli.Event) error {
		got = append(got, e)
		return nil
	})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	if len(got) != 3 || got[0].ID != "7" || string(got[1].Data) != `{"a":1}` || got[1].Name != "run" || string(got[2].Data) != "x\ny" {
		t.Errorf("got %q", got)
	}
}

func TestTheNearestNameIsProposed(t *testing.T) {
	t.Parallel()
	names := []string{"nightly-report", "batch-sync", "a"}
	for typed, want := range map[string]string{
		"nightly-repor": "nightly-report", "nightly-rapport": "nightly-report", "night": "nightly-report", "bach-sync": "batch-sync", "zzzzzz": "", "": "a",
	} {
		if got := cli.Nearest(typed, names); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

func TestOnlyTheLastLinesAreKept(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "c\n", 2: "b\nc\n", 9: "a\nb\nc\n"} {
		var out bytes.Buffer
		tail := &cli.Tail{Out: &out, Lines: n}
		_, _ = io.WriteString(tail, "a\nb\n")
		_, _ = io.WriteString(tail, "c\n")
		if err := tail.End(); err != nil || out.String() != want {
			t.Errorf("%d: got %q, %v, want %q", n, out.String(), err, want)
		}
	}
}

func TestAUnixSocketIsAServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "localhost" {
			t.Errorf("host: got %q", r.Host)
		}
		_, _ = io.WriteString(w, `{"ok":true}`)
	})}}
	s.Start()
	t.Cleanup(s.Close)
	c, err := cli.New(cli.Options{Server: "unix://" + l.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ OK bool }
	if err := c.Get(t.Context(), "/x", &v); err != nil || !v.OK {
		t.Errorf("got %+v, %v", v, err)
	}
}
