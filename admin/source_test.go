package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/solocron/solocron/admin"
)

func TestAJobSaysWhereItIsDefined(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	_, doc := call(t, h, http.MethodGet, "/api/v1/jobs/report", "")
	is(t, doc, map[string]any{"description": "sums up", "runbook": "wiki/report"})
	is(t, doc["source"].(map[string]any), map[string]any{"file": "jobs.yaml", "line": 12.0})
	if _, doc := call(t, h, http.MethodGet, "/api/v1/jobs/busy", ""); doc["source"] != nil {
		t.Errorf("one that is not in the file: got %v", doc["source"])
	}
	_, doc = call(t, h, http.MethodPost, "/api/v1/jobs/still/resume", "")
	is(t, doc["source"].(map[string]any), map[string]any{"file": "jobs.yaml", "line": 12.0})
	if !strings.Contains(doc["detail"].(string), "jobs.yaml:12") {
		t.Errorf("suspended: got %v, want where", doc["detail"])
	}
}

func TestWhoHasTheJobAsItIsHearsThatAndNoMore(t *testing.T) {
	t.Parallel()
	d := everything(t)
	h := admin.New(d)
	res, _ := call(t, h, http.MethodGet, "/api/v1/jobs/report", "")
	tag := res.Header.Get("ETag")
	if len(tag) < 10 || !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) {
		t.Fatalf("tag: got %s, want a strong one", tag)
	}
	for list, want := range map[string]int{
		tag: 304, "W/" + tag: 304, "*": 304, `"x", ` + tag: 304, `"x"`: 200, "": 200, strings.Trim(tag, `"`): 200, long(1001): 422,
	} {
		code, text := plainly(t, h, http.MethodGet, "/api/v1/jobs/report", "", "If-None-Match", list)
		if code != want || code == 304 && text != "" {
			t.Errorf("%.40s: got %d %s, want %d", list, code, text, want)
		}
	}
	if other, _ := call(t, h, http.MethodGet, "/api/v1/jobs/report?next=1", ""); other.Header.Get("ETag") == tag {
		t.Error("another document has the same tag")
	}
	d.About = nil
	if other, _ := call(t, admin.New(d), http.MethodGet, "/api/v1/jobs/report", ""); other.Header.Get("ETag") == tag {
		t.Error("what has changed has the same tag")
	}
}
