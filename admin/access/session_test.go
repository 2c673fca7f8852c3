package access_test

import (
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin/access"
)

var (
	keyOne = bytes.Repeat([]byte("1"), 32)
	keyTwo = bytes.Repeat([]byte("2"), 32)
)

// post is a sign-in with body.
func post(path, kind, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://solocron.test"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	return r
}

func answered(a *access.Access, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	a.Login().ServeHTTP(w, r)
	return w.Result()
}

// signedIn is the cookie for a token.
func signedIn(t *testing.T, a *access.Access, token string) *http.Cookie {
	t.Helper()
	res := answered(a, post("/login", "application/json", `{"token": "`+token+`"}`))
	if res.StatusCode != http.StatusOK || len(res.Cookies()) != 1 {
		t.Fatalf("sign-in: got %d and the cookies %v", res.StatusCode, res.Cookies())
	}
	return res.Cookies()[0]
}

func with(c *http.Cookie) *http.Request {
	r := request("203.0.113.1")
	r.AddCookie(c)
	return r
}

func TestASignInGivesACookieThatOnlyThisPlaceGetsToSee(t *testing.T) {
	t.Parallel()
	a, log := made(t, access.Config{Tokens: written(t, everybody(t)), Keys: [][]byte{keyOne}})
	c := signedIn(t, a, operating)
	if c.Name != "solocron" || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure || c.Path != "/" || c.Domain != "" || c.MaxAge != 12*60*60 {
		t.Errorf("got %+v", c)
	}
	if got, want := known(t, a, with(c)), (access.Identity{Name: "ci", Role: access.Operator, Via: access.ViaCookie}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if strings.Contains(log.String(), operating) || strings.Contains(log.String(), c.Value) || !strings.Contains(log.String(), "name=ci") {
		t.Errorf("the log tells a secret, or not who signed in:\n%s", log)
	}
	if raw, _ := base64.RawURLEncoding.DecodeString(strings.Split(c.Value, ".")[0]); bytes.Contains(raw, []byte(operating)) {
		t.Error("the token is in the cookie")
	}

	secure := func(change func(*http.Request)) *http.Cookie {
		r := post("/login", "application/json", `{"token": "`+operating+`"}`)
		change(r)
		return answered(a, r).Cookies()[0]
	}
	for name, c := range map[string]*http.Cookie{
		"TLS":       secure(func(r *http.Request) { r.TLS = new(tls.ConnectionState) }),
		"forwarded": secure(func(r *http.Request) { r.Header.Set("X-Forwarded-Proto", "https") }),
	} {
		if !c.Secure || c.Name != "__Host-solocron" {
			t.Errorf("%s: got %+v, want a secure cookie of this host", name, c)
		}
		r := with(c)
		if got := refused(a, r); got != http.StatusUnauthorized {
			t.Errorf("%s: sent in the clear it counts: %d", name, got)
		}
		r.Header.Set("X-Forwarded-Proto", "https")
		if got := known(t, a, r).Name; got != "ci" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestACookieThatWasChangedIsWorthNothing(t *testing.T) {
	t.Parallel()
	a, _ := made(t, access.Config{Tokens: written(t, everybody(t)), Keys: [][]byte{keyOne}})
	good := signedIn(t, a, viewing)
	for i := range len(good.Value) {
		bent := *good
		b := []byte(bent.Value)
		if b[i]++; b[i] == '.'+1 || !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.", rune(b[i])) {
			b[i] = 'A'
		}
		if bent.Value = string(b); bent.Value == good.Value {
			continue
		}
		if got := refused(a, with(&bent)); got != http.StatusUnauthorized {
			t.Errorf("byte %d changed: got %d, want 401", i, got)
		}
	}
	text, mac, _ := strings.Cut(good.Value, ".")
	raw, _ := base64.RawURLEncoding.DecodeString(text)
	other, _ := made(t, access.Config{Tokens: written(t, everybody(t)), Keys: [][]byte{keyTwo}})
	for name, value := range map[string]string{
		"empty": "", "a dot": ".", "unsigned": text + ".", "no dot": text, "twice": good.Value + "." + mac,
		"another name":       base64.RawURLEncoding.EncodeToString(bytes.Replace(raw, []byte("ada"), []byte("ci"), 1)) + "." + mac,
		"of another key":     signedIn(t, other, viewing).Value,
		"of another purpose": access.Seal(a, "pending", string(raw)),
		"no session":         access.Seal(a, "session", "[]"),
		"elsewhere's":        access.Seal(a, "session", `{"n":"eve","v":"oidc","r":"admin","x":99999999999}`), // nobody signs in there
		"of no way":          access.Seal(a, "session", `{"n":"ada","v":"proxy","r":"admin","x":99999999999}`),
		"long":               strings.Repeat("A", 5000),
	} {
		if got := refused(a, with(&http.Cookie{Name: "solocron", Value: value})); got != http.StatusUnauthorized {
			t.Errorf("%s: got %d, want 401", name, got)
		}
	}
	r := with(&http.Cookie{Name: "solocron", Value: "stale"}) // as of another path, or of before
	r.AddCookie(good)
	if got := known(t, a, r).Name; got != "ada" {
		t.Errorf("a good cookie after a bad one: got %q", got)
	}
}

func TestACookieEndsAndNoServerNeedsToRememberIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		file := written(t, everybody(t))
		a, _ := made(t, access.Config{Tokens: file, Keys: [][]byte{keyOne}})
		b, _ := made(t, access.Config{Tokens: file, Keys: [][]byte{keyOne}})
		c := signedIn(t, a, viewing)
		if got := known(t, b, with(c)).Name; got != "ada" {
			t.Errorf("on another replica: got %q", got)
		}
		time.Sleep(access.SessionFor - time.Second)
		if got := refused(b, with(c)); got != 0 {
			t.Errorf("a second before the end: got %d", got)
		}
		time.Sleep(time.Second)
		if _, no := b.Identify(with(c)); no == nil || !strings.Contains(no.Detail, "sign in again") {
			t.Errorf("at the end: got %+v, want a refusal that says so", no)
		}
	})
}

func TestACookieFollowsTheTokenItWasGivenFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		file := written(t, everybody(t))
		a, _ := made(t, access.Config{Tokens: file, Keys: [][]byte{keyOne}})
		c := signedIn(t, a, viewing)
		for _, step := range []struct {
			what, text string
			want       access.Role
		}{
			{"a higher role", line(t, "ada", access.Admin, viewing), access.Admin},
			{"another token of the name", line(t, "ada", access.Admin, wrong), access.None},
			{"the token under another name", line(t, "eve", access.Admin, viewing), access.None},
			{"the token again", line(t, "ada", access.Viewer, viewing), access.Viewer},
		} {
			replace(t, file, step.text)
			time.Sleep(2 * time.Second)
			if id, _ := a.Identify(with(c)); id.Role != step.want {
				t.Errorf("%s: got %+v, want %s", step.what, id, step.want)
			}
		}
	})
}

func TestKeysAreChangedWithoutSigningAnybodyOut(t *testing.T) {
	t.Parallel()
	file := written(t, everybody(t))
	of := func(keys ...[]byte) *access.Access {
		a, _ := made(t, access.Config{Tokens: file, Keys: keys})
		return a
	}
	steps := []*access.Access{of(keyOne), of(keyOne, keyTwo), of(keyTwo, keyOne), of(keyTwo)}
	for i, signing := range steps {
		c := signedIn(t, signing, viewing)
		for j, reading := range steps {
			want := 0
			if i < 2 && j == 3 || i >= 2 && j == 0 {
				want = http.StatusUnauthorized // two steps apart
			}
			if got := refused(reading, with(c)); got != want {
				t.Errorf("signed in step %d, read in step %d: got %d, want %d", i, j, got, want)
			}
		}
	}
	one, two := of(), of()
	c := signedIn(t, one, viewing)
	if got := []int{refused(one, with(c)), refused(two, with(c))}; !slices.Equal(got, []int{0, 401}) {
		t.Errorf("without keys: got %v, want a sign-in that holds on one replica", got)
	}
}

func TestSignInsAreAnsweredAsTheyDeserve(t *testing.T) {
	t.Parallel()
	a, _ := made(t, access.Config{Tokens: written(t, everybody(t))})
	const js, form = "application/json", "application/x-www-form-urlencoded"
	crossSite := post("/login", form, "token="+viewing)
	crossSite.Header.Set("Sec-Fetch-Site", "cross-site")
	foreign := post("/logout", form, "")
	foreign.Header.Set("Origin", "https://evil.example")
	for name, c := range map[string]struct {
		r    *http.Request
		want int
		kind string
	}{
		"a form":           {post("/login", form, "token="+viewing), 303, ""},
		"JSON":             {post("/login", js+"; charset=utf-8", `{"token":"`+viewing+`"}`), 200, ""},
		"a wrong token":    {post("/login", js, `{"token":"`+wrong+`"}`), 401, "unauthenticated"},
		"no token":         {post("/login", js, `{}`), 400, "bad-request"},
		"no JSON":          {post("/login", js, `token`), 400, "bad-request"},
		"an empty form":    {post("/login", form, ""), 400, "bad-request"},
		"a bent form":      {post("/login", form, "token=%zz"), 400, "bad-request"},
		"plain text":       {post("/login", "text/plain", viewing), 415, "unsupported-media-type"},
		"a large body":     {post("/login", js, `{"token":"`+strings.Repeat("x", 5000)+`"}`), 413, "body-too-large"},
		"cross-site":       {crossSite, 403, "cross-origin"},
		"a foreign origin": {foreign, 403, "cross-origin"},
		"a sign-out":       {post("/logout", form, ""), 204, ""},
		"a GET of logout":  {httptest.NewRequest(http.MethodGet, "/logout", nil), 405, "method-not-allowed"},
		"the ways":         {httptest.NewRequest(http.MethodGet, "/login", nil), 200, ""},
		"no issuer":        {httptest.NewRequest(http.MethodGet, "/login/oidc", nil), 404, "not-found"},
		"another page":     {httptest.NewRequest(http.MethodGet, "/other", nil), 404, "not-found"},
	} {
		res := answered(a, c.r)
		body, _ := io.ReadAll(res.Body)
		if res.StatusCode != c.want || res.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %s, want %d", name, res.StatusCode, body, c.want)
		}
		var problem struct{ Type, Detail string }
		if c.kind != "" && (json.Unmarshal(body, &problem) != nil || problem.Type != "urn:solocron:problem:"+c.kind || problem.Detail == "" ||
			res.Header.Get("Content-Type") != "application/problem+json") {
			t.Errorf("%s: got %s, want a problem %s", name, body, c.kind)
		}
		if c.want >= 400 && (len(res.Cookies()) != 0 || bytes.Contains(body, []byte(viewing)) || bytes.Contains(body, []byte(wrong))) {
			t.Errorf("%s: got the cookies %v and %s, want none and no token", name, res.Cookies(), body)
		}
		if c.want == 405 && res.Header.Get("Allow") != "POST" {
			t.Errorf("%s: got Allow %q", name, res.Header.Get("Allow"))
		}
	}
	if c := answered(a, post("/logout", form, "")).Cookies()[0]; c.MaxAge >= 0 || c.Value != "" {
		t.Errorf("after a sign-out: got %+v, want a cookie that ends", c)
	}
}

func TestGuessingByTheSignInIsLockedOutToo(t *testing.T) {
	t.Parallel()
	a, _ := made(t, access.Config{Tokens: written(t, everybody(t))})
	for range 10 {
		answered(a, post("/login", "application/json", `{"token":"`+wrong+`"}`))
	}
	res := answered(a, post("/login", "application/json", `{"token":"`+viewing+`"}`))
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" {
		t.Errorf("got %d, %v, want 429 with Retry-After", res.StatusCode, res.Header)
	}
}

func TestAnotherSitesPageChangesNothingAndOursDoes(t *testing.T) {
	t.Parallel()
	a, _ := made(t, access.Config{Tokens: written(t, everybody(t))})
	cookie := signedIn(t, a, operating)
	server := httptest.NewServer(a.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, access.From(r.Context()).Name)
	}), func(w http.ResponseWriter, _ *http.Request, no *access.Refusal) { http.Error(w, no.Type, no.Status) }))
	defer server.Close()
	for name, c := range map[string]struct {
		header, value string
		status        int
		body          string
	}{
		"a bare client":    {"X-Nothing", "", 200, "ci"},
		"our page":         {"Sec-Fetch-Site", "same-origin", 200, "ci"},
		"our origin":       {"Origin", server.URL, 200, "ci"},
		"another site":     {"Sec-Fetch-Site", "cross-site", 403, "cross-origin\n"},
		"a sister domain":  {"Sec-Fetch-Site", "same-site", 403, "cross-origin\n"},
		"a foreign origin": {"Origin", "https://evil.example", 403, "cross-origin\n"},
	} {
		req, _ := http.NewRequest(http.MethodPost, server.URL, strings.NewReader("reason=x"))
		req.Header.Set(c.header, c.value)
		req.AddCookie(cookie)
		res, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != c.status || string(body) != c.body {
			t.Errorf("%s: got %d %q, want %d %q", name, res.StatusCode, body, c.status, c.body)
		}
		if got := res.Header.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%s: got Access-Control-Allow-Origin %q, want none", name, got)
		}
	}
	server.Client().CloseIdleConnections()
}
