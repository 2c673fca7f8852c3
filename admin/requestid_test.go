package admin_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/solocron/solocron/admin"
)

func TestARequestKeepsTheNameThatItComesWithIfThatIsHarmless(t *testing.T) {
	t.Parallel()
	h := api(newEngine("report"))
	for name, kept := range map[string]bool{
		"4f2c1a": true, "a.B_c-9": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, "a\"b": false, "é": false, "a;b": false, "a/b": false, "%0a": false,
	} {
		for _, target := range []string{"/api/v1/jobs", "/api/v1/jobs/gone", "/nowhere", "/api/v1/jobs?pageSize=0", "/livez"} {
			res, _ := call(t, h, http.MethodGet, target, "", "X-Request-Id", name)
			got := res.Header.Get("X-Request-Id")
			if kept && got != name || !kept && (got == name || len(got) < 20) {
				t.Errorf("%s: a request named %q is answered as %q", target, name, got)
			}
		}
	}
	first, _ := call(t, h, http.MethodGet, "/api/v1/jobs", "")
	second, _ := call(t, h, http.MethodGet, "/api/v1/jobs", "")
	if first.Header.Get("X-Request-Id") == second.Header.Get("X-Request-Id") {
		t.Error("two requests have one name")
	}
}

func TestTheLogNamesTheRequestThatALineIsAbout(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	d := deps(newEngine("report"))
	d.Log = slog.New(slog.NewTextHandler(&text, nil))
	call(t, admin.New(d), http.MethodPost, "/api/v1/jobs/report/trigger", "", "X-Request-Id", "from-the-proxy")
	d.Engine = panicking{newEngine()}
	call(t, admin.New(d), http.MethodGet, "/api/v1/jobs", "", "X-Request-Id", "broken-off")
	for _, want := range []string{`msg="asked over the API" request_id=from-the-proxy`, `msg="request panicked" request_id=broken-off`} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

func TestARefusedSignInNamesItsRequest(t *testing.T) {
	t.Parallel()
	d := everything(t)
	d.Access = (&stage{tokens: map[string]string{}}).gate(t)
	h := admin.New(d)
	for _, c := range [][2]string{{"POST", "/login"}, {"DELETE", "/login"}, {"GET", "/login/oidc"}, {"GET", "/api/v1/jobs"}} {
		if res, _ := call(t, h, c[0], c[1], ""); res.StatusCode < 400 { // call holds the problem against its header
			t.Errorf("%s %s: got %d", c[0], c[1], res.StatusCode)
		}
	}
}
