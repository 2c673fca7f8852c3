package admin_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/solocron/solocron/admin"
)

// promises checks answers against what the description says of them.
type promises struct {
	t        *testing.T
	compiler *jsonschema.Compiler
}

func newPromises(t *testing.T) *promises {
	t.Helper()
	text, _ := describe(t, admin.New(everything(t)))
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p := &promises{t, jsonschema.NewCompiler()}
	p.compiler.AssertFormat()
	if err := p.compiler.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return p
}

// kept checks the answer of h to a request for an operation at a path.
func (p *promises) kept(h http.Handler, method, path, target, body string) {
	p.t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(p.t.Context(), method, "http://localhost"+target, strings.NewReader(body)))
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	at := "openapi.json#/paths/" + escape.Replace(path) + "/" + strings.ToLower(method) + "/responses/" + itoa(int64(w.Code)) + "/content/" + escape.Replace(kind) + "/schema"
	schema, err := p.compiler.Compile(at)
	if err != nil {
		p.t.Errorf("%s %s: %d: %v", method, target, w.Code, err)
		return
	}
	got, err := jsonschema.UnmarshalJSON(w.Body)
	if err == nil {
		err = schema.Validate(got)
	}
	if err != nil {
		p.t.Errorf("%s %s: %d: %v", method, target, w.Code, err)
	}
}

func TestAnswersAreWhatTheDescriptionPromises(t *testing.T) {
	t.Parallel()
	p := newPromises(t)
	_, doc := describe(t, admin.New(everything(t)))
	checked := 0
	for path, item := range doc.Paths {
		for method, op := range item {
			what := samples[op.ID]
			if what.target == "" {
				what.target = path
			} else {
				what.target = "/api/v1" + what.target
			}
			for status, text := range op.Responses {
				if status < "3" && bytes.Contains(text, []byte(`"application/json"`)) {
					checked++
					p.kept(admin.New(everything(t)), strings.ToUpper(method), path, what.target, what.body)
				}
			}
			for _, refused := range special[op.ID] {
				checked++
				p.kept(admin.New(everything(t)), strings.ToUpper(method), path, "/api/v1"+refused.target, refused.body)
			}
		}
	}
	if checked < 60 {
		t.Errorf("answers: got %d, want at least 60", checked)
	}
}

func TestAnswersOfAClusterAtWorkAreWhatTheDescriptionPromises(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPromises(t)
		w := newWorld(t, mixed)
		defer w.stop()
		w.ask("a", "POST", "jobs/shut/pause", `{"reason": "upgrade", "until": "2000-01-02T00:00:00Z"}`, 200)
		time.Sleep(65 * time.Minute)
		for path, targets := range map[string][]string{
			"/jobs": {"/jobs", "/jobs?status=failing"}, "/jobs/{job}": {"/jobs/busy", "/jobs/bad", "/jobs/still", "/jobs/shut", "/jobs/nope"},
			"/jobs/{job}/next": {"/jobs/good/next", "/jobs/idle/next"}, "/jobs/{job}/runs": {"/jobs/bad/runs"}, "/runs": {"/runs", "/runs?pageSize=1"},
			"/jobs/{job}/ticks/{tick}": {"/jobs/bad/ticks/2000-01-01T01:00:00Z", "/jobs/shut/ticks/2000-01-01T01:00:00Z", "/jobs/busy/ticks/2000-01-01T02:00:00Z"},
			"/runs/{run}":              {"/runs/busy.20000101T010000Z", "/runs/bad.20000101T010000Z"}, "/leases": {"/leases"}, "/cluster": {"/cluster"},
			"/dead-letters": {"/dead-letters"}, "/activity": {"/activity"}, "/replicas": {"/replicas"}, "/timeline": {"/timeline", "/timeline?by=job"}, "/config": {"/config"},
		} {
			for _, target := range targets {
				p.kept(w.apis["a"], http.MethodGet, "/api/v1"+path, "/api/v1"+target, "")
			}
		}
	})
}
