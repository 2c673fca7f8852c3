package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func TestHTTPCarriesTheIdentityOfItsRun(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body []byte
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
	})
	h := &jobs.HTTP{
		URL: url + "/hook", Body: `{"day":"{{.Tick.Format "2006-01-02"}}","token":{{.Token}}}`,
		Headers: map[string]jobs.Secret{"X-Key": {Literal: "k"}, "Host": {Literal: "billing.example"}},
	}
	if err := h.Validate(); err != nil {
		t.Fatal(err)
	}
	if err := h.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Solocron-Run-Id": "nightly.20261129T013000Z", "Solocron-Job": "nightly", "Solocron-Tick": "2026-11-29T01:30:00Z",
		"Solocron-Attempt": "2", "Solocron-Token": "41", "Idempotency-Key": "nightly.20261129T013000Z",
		"X-Key": "k", "Content-Type": "application/json",
	} {
		if got := got.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got.Method != http.MethodPost || got.Host != "billing.example" || string(body) != `{"day":"2026-11-29","token":41}` {
		t.Errorf("got %s %s %s", got.Method, got.Host, body)
	}
}

func TestHTTPWithoutABodyIsAGet(t *testing.T) {
	t.Parallel()
	var method atomic.Value
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) { method.Store(r.Method) })
	if err := (&jobs.HTTP{URL: url}).Run(t.Context(), testRun()); err != nil || method.Load() != "GET" {
		t.Errorf("got %v, %v; want a GET", method.Load(), err)
	}
}

func TestHTTPJudgesByTheStatus(t *testing.T) {
	t.Parallel()
	var status atomic.Int64
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(status.Load()))
		fmt.Fprint(w, "out of\r\n\x00 paper "+strings.Repeat("é", 500))
	})
	for _, c := range []struct {
		status int
		expect []string
		good   bool
	}{
		{200, nil, true},
		{299, nil, true},
		{302, nil, false},
		{404, nil, false},
		{500, nil, false},
		{404, []string{"200", "404"}, true},
		{403, []string{"200", "400-402"}, false},
		{200, []string{"201"}, false},
	} {
		status.Store(int64(c.status))
		err := (&jobs.HTTP{URL: url, ExpectStatus: c.expect}).Run(t.Context(), testRun())
		if c.good != (err == nil) {
			t.Errorf("status %d, expected %v: got %v", c.status, c.expect, err)
			continue
		}
		failed, ok := errors.AsType[*jobs.StatusError](err)
		if !c.good && c.status != 302 && (!ok || failed.Code != c.status || len(failed.Body) > 200 || !strings.HasPrefix(failed.Body, "out of paper é")) {
			t.Errorf("got %#v, want the status and the beginning of the answer", err)
		}
	}
}

func TestHTTPHidesPasswordsAndSecrets(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte("s3cr3t-value"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != "hunter22" {
			t.Errorf("got password %q", password)
		}
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintln(w, r.Header.Get("X-Key"))
	})
	h := &jobs.HTTP{URL: strings.Replace(url, "http://", "http://me:hunter22@", 1) + "/p?token=abcdef", Headers: map[string]jobs.Secret{"X-Key": {File: path}}}
	dead := &jobs.HTTP{URL: "http://me:hunter22@127.0.0.1:1/p?token=abcdef"}
	broken := &jobs.HTTP{URL: "http://me:hunter22@host:port/"}
	all := fmt.Sprintf("%v %+v %#v\n%v\n%v\n%v", h, h, h, h.Run(t.Context(), testRun()), dead.Run(t.Context(), testRun()), broken.Validate())
	for _, secret := range []string{"hunter22", "abcdef", "s3cr3t"} {
		if strings.Contains(all, secret) {
			t.Errorf("%s is visible in:\n%s", secret, all)
		}
	}
	if !strings.Contains(all, "418") || !strings.Contains(all, "refused") {
		t.Errorf("the errors say too little:\n%s", all)
	}
}

func TestHTTPAnswerAfterTheContextsEndCountsAsNone(t *testing.T) {
	t.Parallel()
	cause := errors.New("timeout of the job")
	release := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		fmt.Fprint(w, "begun")
		w.(http.Flusher).Flush()
		<-release // a body that never ends
	})
	t.Cleanup(func() { close(release) })
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, cause)
	defer cancel()
	begin := time.Now()
	if err := (&jobs.HTTP{URL: url}).Run(ctx, testRun()); !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause", err)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestHTTPReadsOneMebibyteOfAnEndlessBody(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for chunk := make([]byte, 64<<10); ; {
			n, err := w.Write(chunk)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	if err := (&jobs.HTTP{URL: url}).Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	if got := sent.Load(); got > 256<<20 {
		t.Errorf("the server got rid of %d bytes", got)
	}
}

func TestHTTPFollowsFiveRedirects(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var left int
		fmt.Sscanf(r.URL.Path, "/%d", &left)
		if left > 0 {
			http.Redirect(w, r, fmt.Sprintf("/%d", left-1), http.StatusTemporaryRedirect)
		}
	})
	if err := (&jobs.HTTP{URL: url + "/5"}).Run(t.Context(), testRun()); err != nil {
		t.Errorf("five: %v", err)
	}
	err := (&jobs.HTTP{URL: url + "/6"}).Run(t.Context(), testRun())
	if err == nil || !strings.Contains(err.Error(), "more than 5 redirects") {
		t.Errorf("six: got %v", err)
	}
}

func TestHTTPKeepsItsHeadersFromAnotherHost(t *testing.T) {
	t.Parallel()
	var other http.Header
	there := serve(t, func(_ http.ResponseWriter, r *http.Request) { other = r.Header })
	here := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(there, "127.0.0.1", "localhost", 1), http.StatusFound)
	})
	h := &jobs.HTTP{URL: here, Headers: map[string]jobs.Secret{"X-Api-Key": {Literal: "k"}, "Authorization": {Literal: "Bearer k"}}}
	if err := h.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	if other.Get("X-Api-Key") != "" || other.Get("Authorization") != "" || other.Get("Solocron-Token") != "41" {
		t.Errorf("the other host got %v", other)
	}
}

func TestHTTPSettingsAreChecked(t *testing.T) {
	t.Parallel()
	for field, h := range map[string]jobs.HTTP{
		"url":                    {},
		"url ":                   {URL: "ftp://host/"},
		"url  ":                  {URL: "http://:80/"},
		"method":                 {URL: "http://h/", Method: "GE T"},
		"body":                   {URL: "http://h/", Body: "{{.Nope}}"},
		"body ":                  {URL: "http://h/", Body: "{{"},
		"expectStatus":           {URL: "http://h/", ExpectStatus: []string{"2xx"}},
		"expectStatus ":          {URL: "http://h/", ExpectStatus: []string{"299-200"}},
		"headers.A B":            {URL: "http://h/", Headers: map[string]jobs.Secret{"A B": {}}},
		"headers.Content-Length": {URL: "http://h/", Headers: map[string]jobs.Secret{"Content-Length": {}}},
		"headers.solocron-token": {URL: "http://h/", Headers: map[string]jobs.Secret{"solocron-token": {}}},
	} {
		fault, ok := errors.AsType[*jobs.FieldError](h.Validate())
		if !ok || fault.Field != strings.TrimRight(field, " ") {
			t.Errorf("%s: got %v", field, fault)
		}
	}
	h := jobs.HTTP{URL: "http://h/", Headers: map[string]jobs.Secret{"X-A": {Literal: "a\r\nX-B: b"}}}
	if err := h.Run(t.Context(), testRun()); err == nil || !strings.Contains(err.Error(), "X-A") {
		t.Errorf("a line end in a header: got %v", err)
	}
}
