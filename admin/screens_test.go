package admin_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/admin/page"
)

// visit makes a request as a browser on this machine does.
func visit(h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost"+target, http.NoBody)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestScreensAreForEverybodyAndWhatTheyShowIsNot(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	d := everything(t)
	d.Access = s.gate(t)
	h := admin.New(d)
	for _, path := range []string{"/", "/jobs/report", "/activity"} {
		if w := visit(h, http.MethodGet, path); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<base href=") {
			t.Errorf("%s: got %d, want the page", path, w.Code)
		}
	}
	if w := visit(h, http.MethodGet, "/api/v1/session"); w.Code != http.StatusUnauthorized {
		t.Errorf("the session of nobody: got %d, want 401", w.Code)
	}
}

func TestAPageWhoseNameWasReboundSeesNoScreens(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	r := httptest.NewRequest(http.MethodGet, "http://evil.example/", http.NoBody)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusForbidden {
		t.Errorf("got %d, want 403", w.Code)
	}
}

func TestAScreenIsOnlyLookedAt(t *testing.T) {
	t.Parallel()
	w := visit(admin.New(everything(t)), http.MethodPost, "/runs")
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" || !strings.Contains(w.Body.String(), "method-not-allowed") {
		t.Errorf("got %d, Allow %q, %s", w.Code, w.Header().Get("Allow"), w.Body)
	}
}

func TestEverythingIsBelowTheBasePathToo(t *testing.T) {
	t.Parallel()
	d := everything(t)
	d.Page = page.Config{BasePath: "/cron", Environment: page.Environment{Name: "PROD eu-1", Tone: page.Danger}}
	h := admin.New(d)
	if w := visit(h, http.MethodGet, "/cron/jobs/report"); !strings.Contains(w.Body.String(), `<base href="/cron/" />`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/cron/livez", "/livez", "/cron/api/v1/openapi.json"} {
		if w := visit(h, http.MethodGet, path); w.Code != http.StatusOK {
			t.Errorf("%s: got %d, want 200", path, w.Code)
		}
	}
	w := visit(h, http.MethodGet, "/cron/api/v1/session")
	var got admin.Session
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Role != "admin" || got.Via != "loopback" || got.CanSignOut || got.Environment != d.Page.Environment {
		t.Errorf("got %+v, want somebody on this machine, in PROD eu-1", got)
	}
}
