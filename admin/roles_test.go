package admin_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/solocron/solocron/admin"
)

func TestEachRoleMayDoWhatItIsForAndNoMore(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, doc := describe(t, admin.New(everything(t)))
	order := []string{"none", "viewer", "operator", "admin"}
	level := func(role string) int {
		for i, r := range order {
			if r == role {
				return i
			}
		}
		t.Fatalf("there is no role %q", role)
		return 0
	}
	d := everything(t)
	d.Access = s.gate(t)
	_, addr := listen(t, d)
	for path, item := range doc.Paths {
		for method, op := range item {
			if op.ID == "signIn" { // tells who somebody is, by a token of its own
				continue
			}
			_, what, _, _ := s.request(path, method, op, 200)
			if op.ID == "triggerJob" {
				what.target, what.body = "/api/v1/jobs/report/trigger", ""
			}
			for _, has := range order {
				var header []string
				if has != "none" {
					header = []string{"Authorization", "Bearer " + s.tokens[has]}
				}
				res, text := get(t, strings.ToUpper(method), addr, what.target, what.body, header...)
				want := ""
				switch {
				case level(op.Role) == 0:
				case has == "none":
					want = "unauthenticated"
				case level(has) < level(op.Role):
					want = "forbidden"
				}
				var problem struct{ Type string }
				if res.StatusCode >= 300 {
					if err := json.Unmarshal(text, &problem); err != nil {
						t.Fatal(err)
					}
				}
				kind := strings.TrimPrefix(problem.Type, "urn:solocron:problem:")
				if want == "" && (res.StatusCode == 401 || res.StatusCode == 403) || want != "" && kind != want {
					t.Errorf("%s %s as %s, which needs %s: got %d %s, want %q", method, what.target, has, op.Role, res.StatusCode, kind, want)
				}
			}
		}
	}
}

func TestAFormOfAnotherSiteIsRefusedAndOneOfThisSiteIsNot(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for name, c := range map[string]struct {
		header []string
		want   int
	}{
		"another site":               {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		"another host of the site":   {[]string{"Sec-Fetch-Site", "same-site"}, 403},
		"an old browser":             {[]string{"Origin", "https://evil.example"}, 403},
		"this site":                  {[]string{"Sec-Fetch-Site", "same-origin"}, 202},
		"this site, an old browser":  {[]string{"Origin", "http://" + s.guarded}, 202},
		"no browser":                 {nil, 202},
		"no browser, and no token":   {[]string{"Authorization", ""}, 401},
		"another site, and no token": {[]string{"Authorization", "", "Sec-Fetch-Site", "cross-site"}, 403},
	} {
		header := append([]string{"Authorization", "Bearer " + s.tokens["operator"]}, form...)
		d := everything(t)
		d.Access = s.gate(t)
		_, addr := listen(t, d)
		header[1] = "Bearer " + s.tokens["operator"]
		for i, h := range c.header {
			if h == "http://"+s.guarded {
				c.header[i] = "http://" + addr
			}
		}
		res, text := get(t, http.MethodPost, addr, "/api/v1/jobs/report/trigger", "", append(header, c.header...)...)
		if res.StatusCode != c.want {
			t.Errorf("%s: got %d, want %d: %s", name, res.StatusCode, c.want, text)
		}
		if got := res.Header.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%s: the answer is for %s too", name, got)
		}
	}
}

func TestWhoSignsInOnThePageIsKnownByTheCookie(t *testing.T) {
	t.Parallel()
	s := &stage{tokens: map[string]string{}}
	d := everything(t)
	d.Access = s.gate(t)
	_, addr := listen(t, d)
	res, text := get(t, http.MethodPost, addr, "/login", `{"token": "`+s.tokens["viewer"]+`"}`, "Content-Type", "application/json", "Sec-Fetch-Site", "same-origin")
	if res.StatusCode >= 300 || len(res.Cookies()) == 0 {
		t.Fatalf("sign-in: got %d %s", res.StatusCode, text)
	}
	cookie := []string{"Cookie", res.Cookies()[0].Name + "=" + res.Cookies()[0].Value}
	if res, _ := get(t, http.MethodGet, addr, "/api/v1/jobs", "", cookie...); res.StatusCode != 200 {
		t.Errorf("jobs: got %d, want 200", res.StatusCode)
	}
	if res, _ := get(t, http.MethodPost, addr, "/api/v1/jobs/report/trigger", "", append(cookie, "Sec-Fetch-Site", "same-origin")...); res.StatusCode != 403 {
		t.Errorf("a trigger by a viewer: got %d, want 403", res.StatusCode)
	}
	if res, _ := get(t, http.MethodGet, addr, "/login/nowhere", ""); res.StatusCode != 401 {
		t.Errorf("beside the doors: got %d, want 401", res.StatusCode)
	}
}

func TestTheDiaryHasWhoWhatWhyAndFromWhere(t *testing.T) {
	t.Parallel()
	s := new(stage)
	s.tokens = map[string]string{}
	d := everything(t)
	d.Access = s.gate(t)
	_, addr := listen(t, d)
	bearer := []string{"Authorization", "Bearer " + s.tokens["admin"]}
	get(t, http.MethodPost, addr, "/api/v1/jobs/report/trigger", `{"reason": "dns is back"}`, bearer...)
	get(t, http.MethodPost, addr, "/api/v1/leases/report/release", `{"reason": "stuck", "confirmJob": "report", "token": 41}`, bearer...)
	_, text := get(t, http.MethodGet, addr, "/api/v1/activity?limit=1", "", bearer...)
	var page admin.Deeds
	if err := json.Unmarshal(text, &page); err != nil || len(page.Items) != 1 {
		t.Fatalf("got %v %s", err, text)
	}
	want := admin.Deed{At: now, Who: "a-admin", What: "release-lease", Job: "report", Reason: "stuck", From: "127.0.0.1", Via: "token"}
	if page.Items[0] != want {
		t.Errorf("got %+v, want %+v", page.Items[0], want)
	}
	_, text = get(t, http.MethodGet, addr, "/api/v1/activity?limit=1&pageToken="+page.NextPageToken, "", bearer...)
	if err := json.Unmarshal(text, &page); err != nil || len(page.Items) != 1 || page.Items[0].What != "trigger" || page.Items[0].Reason != "dns is back" {
		t.Errorf("the next page: got %v %s", err, text)
	}
	if strings.Contains(string(text), s.tokens["admin"]) {
		t.Error("a token is shown")
	}
}
