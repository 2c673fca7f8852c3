package admin_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/solocron/solocron/admin"
)

func TestProbesAreForWhoeverAsksAndNothingElseIsThere(t *testing.T) {
	t.Parallel()
	s := &stage{tokens: map[string]string{}}
	d := everything(t)
	d.Access = s.gate(t)
	h := admin.New(d)
	for target, want := range map[string]int{
		"/livez": 200, "/startupz": 200, "/readyz": 200, "/version": 200, "/metrics": 200, "/api/v1/jobs": 404, "/": 404, "/login": 404, "/livez/x": 404,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://10.1.2.3:8081"+target, nil)
		w := httptest.NewRecorder()
		h.Probes().ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: got %d, want %d: %s", target, w.Code, want, w.Body)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://10.1.2.3:8081/readyz", nil)
	w := httptest.NewRecorder()
	h.Probes().ServeHTTP(w, r)
	if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: got %d, allowed %q", w.Code, w.Header().Get("Allow"))
	}
}

func TestAReplicaThatWasUpOnceStaysUpForTheStartupProbe(t *testing.T) {
	t.Parallel()
	away, up := new(atomic.Bool), new(atomic.Bool)
	away.Store(true)
	d := everythingWith(t, away)
	d.Started = up.Load
	h := admin.New(d)
	if code, _ := fetch(t, h, "/startupz"); code != 503 {
		t.Errorf("before: got %d, want 503", code)
	}
	up.Store(true)
	if code, _ := fetch(t, h, "/startupz"); code != 200 {
		t.Errorf("after: got %d, want 200", code)
	}
	if code, _ := fetch(t, h, "/readyz"); code != 503 {
		t.Errorf("readyz: got %d, want 503", code)
	}
}

func TestAnAnswerThatPanicsHalfWayIsBrokenOff(t *testing.T) {
	t.Parallel()
	d := everything(t)
	d.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "up 1\n")
		_ = http.NewResponseController(w).Flush()
		panic("boom")
	})
	_, addr := listen(t, d)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("got all of %q, want an answer that is cut off", text)
	}
}
