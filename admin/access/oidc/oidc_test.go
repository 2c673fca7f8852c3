package oidc_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/admin/access/oidc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// place is a Solocron whose people sign in at an issuer.
type place struct {
	*httptest.Server
	issuer *issuer
	log    *bytes.Buffer
}

// newPlace is a place of an issuer. It says at / who asks.
func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{issuer: newIssuer(t), log: new(bytes.Buffer)}
	mux := http.NewServeMux()
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	login, err := oidc.New(oidc.Config{
		Issuer: p.issuer.URL, ClientID: "solocron", RedirectURL: p.URL + "/login/oidc/callback",
		ClientSecret: func() (string, error) { return "s3cret of the client", nil },
		Roles:        map[string]access.Role{"dev": access.Viewer, "sre": access.Operator},
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := access.New(access.Config{Elsewhere: login, Log: slog.New(slog.NewTextHandler(p.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range access.Paths() {
		mux.Handle(path, a.Login())
	}
	mux.Handle("/", a.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := access.From(r.Context())
		_, _ = io.WriteString(w, id.Name+" "+id.Role.String()+" "+id.Via)
	}), func(w http.ResponseWriter, _ *http.Request, no *access.Refusal) { http.Error(w, no.Detail, no.Status) }))
	return p
}

// browser is one with cookies, which follows redirects.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
}

func visit(t *testing.T, b *http.Client, at string) (int, string, *http.Response) {
	t.Helper()
	res, err := b.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body), res
}

func TestWhoSignsInElsewhereIsKnownHereByVerifiedMailAndGroup(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for name, c := range map[string]struct {
		claims map[string]any
		want   string
	}{
		"verified mail":   {map[string]any{"email": "ada@example.org", "email_verified": true, "groups": []string{"all", "sre"}}, "ada@example.org operator oidc"},
		"unverified mail": {map[string]any{"email": "root@example.org", "email_verified": false, "groups": []string{"dev"}}, "user-1 viewer oidc"},
		"one group":       {map[string]any{"groups": "dev"}, "user-1 viewer oidc"},
	} {
		p.issuer.says(c.claims)
		b := browser(t)
		if code, body, _ := visit(t, b, p.URL+"/"); code != 401 || !strings.Contains(body, "/login/oidc") {
			t.Errorf("%s: before: got %d %s", name, code, body)
		}
		code, body, res := visit(t, b, p.URL+"/login/oidc")
		if code != 200 || !strings.Contains(body, `content="0;url=../../"`) || res.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: sign-in: got %d %s", name, code, body)
		}
		if _, got, _ := visit(t, b, p.URL+"/"); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	if p.issuer.asked != 1 {
		t.Errorf("the issuer was asked %d times what it is, want once", p.issuer.asked)
	}
}

func TestWithoutAGroupThatHasARoleNobodyIsSignedIn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, claims := range []map[string]any{nil, {"groups": []string{"all"}}, {"groups": 7}, {"groups": []any{"dev", 7}}} {
		p.issuer.says(claims)
		b := browser(t)
		if code, body, _ := visit(t, b, p.URL+"/login/oidc"); code != http.StatusForbidden || !strings.Contains(body, "no-role") {
			t.Errorf("%v: got %d %s, want 403", claims, code, body)
		}
		if code, _, _ := visit(t, b, p.URL+"/"); code != 401 {
			t.Errorf("%v: afterwards: got %d, want 401", claims, code)
		}
	}
}

func TestAnIDTokenThatIsNotForUsIsRefused(t *testing.T) {
	t.Parallel()
	sre := func(more ...any) map[string]any {
		c := map[string]any{"groups": []string{"sre"}}
		for i := 0; i < len(more); i += 2 {
			c[more[i].(string)] = more[i+1] //nolint:forcetypeassert // they are names
		}
		return c
	}
	for name, c := range map[string]struct {
		claims map[string]any
		forge  func(string) string
	}{
		"for another client":  {sre("aud", "other"), nil},
		"of another issuer":   {sre("iss", "https://evil.example"), nil},
		"that has ended":      {sre("exp", 1), nil},
		"of another sign-in":  {sre("nonce", "replayed"), nil},
		"without a nonce":     {sre("nonce", ""), nil},
		"with a name to hurt": {sre("sub", "a\nb"), nil},
		"with a bent body": {sre(), func(s string) string {
			parts := strings.Split(s, ".")
			return parts[0] + "." + parts[1][:len(parts[1])-4] + "AAAA." + parts[2]
		}},
		"that nobody signed": {sre(), func(s string) string {
			return encode([]byte(`{"alg":"none"}`)) + "." + strings.Split(s, ".")[1] + "."
		}},
		"that is none": {sre(), func(string) string { return "x" }},
	} {
		p := newPlace(t)
		p.issuer.says(c.claims)
		if c.forge != nil {
			p.issuer.forge = c.forge
		}
		b := browser(t)
		if code, body, _ := visit(t, b, p.URL+"/login/oidc"); code != 401 || !strings.Contains(body, "sign-in-failed") {
			t.Errorf("%s: got %d %s, want 401", name, code, body)
		}
		if code, _, _ := visit(t, b, p.URL+"/"); code != 401 {
			t.Errorf("%s: afterwards: got %d, want 401", name, code)
		}
	}
}

// stopped is a browser that stops before it comes back, and where it would come back to.
func stopped(t *testing.T, p *place) (b *http.Client, back *url.URL) {
	t.Helper()
	b = browser(t)
	b.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if strings.HasSuffix(r.URL.Path, "/callback") {
			return http.ErrUseLastResponse
		}
		return nil
	}
	_, _, res := visit(t, b, p.URL+"/login/oidc")
	back, err := res.Location()
	if err != nil {
		t.Fatal(err)
	}
	return b, back
}

func TestOnlyTheBrowserThatBeganASignInCanEndItAndOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.issuer.says(map[string]any{"groups": []string{"sre"}})
	_, stolen := stopped(t, p)
	if code, body, _ := visit(t, browser(t), stolen.String()); code != 401 || !strings.Contains(body, "begun by this browser") {
		t.Errorf("another browser: got %d %s, want 401", code, body)
	}
	eve, _ := stopped(t, p)
	if code, _, _ := visit(t, eve, stolen.String()); code != 401 {
		t.Errorf("another browser with a sign-in of its own: got %d, want 401", code)
	}
	b, back := stopped(t, p)
	if code, _, _ := visit(t, b, back.String()); code != 200 {
		t.Errorf("the browser that began it: got %d, want 200", code)
	}
	if code, _, _ := visit(t, b, back.String()); code != 401 {
		t.Errorf("again: got %d, want 401", code)
	}
	c, back := stopped(t, p)
	q := back.Query()
	q.Set("state", "another")
	back.RawQuery = q.Encode()
	if code, _, _ := visit(t, c, back.String()); code != 401 || !strings.Contains(p.log.String(), "the state is not that") {
		t.Errorf("a code with another state: got %d and the log %s", code, p.log)
	}
	c, back = stopped(t, p)
	q = back.Query()
	q.Del("code")
	q.Set("error", "access_denied")
	back.RawQuery = q.Encode()
	if code, _, _ := visit(t, c, back.String()); code != 401 || !strings.Contains(p.log.String(), "access_denied") {
		t.Errorf("refused by the issuer: got %d and the log %s", code, p.log)
	}
}

func TestNoSecretReachesTheLogWhenTheIssuerRefusesTheCode(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	b, back := stopped(t, p)
	p.issuer.mu.Lock()
	p.issuer.secret = "changed meanwhile"
	p.issuer.mu.Unlock()
	if code, _, _ := visit(t, b, back.String()); code != 401 {
		t.Errorf("got %d, want 401", code)
	}
	got := p.log.String()
	if strings.Contains(got, "s3cret") || strings.Contains(got, back.Query().Get("code")) || !strings.Contains(got, "invalid_grant") {
		t.Errorf("the log tells a secret, or not what is wrong:\n%s", got)
	}
}

func TestTheStateCookieComesBackFromElsewhereAndNothingElseDoes(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	b := browser(t)
	b.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	_, _, res := visit(t, b, p.URL+"/login/oidc")
	c := res.Cookies()[0]
	if c.SameSite != http.SameSiteLaxMode || !c.HttpOnly || c.MaxAge != 600 {
		t.Errorf("got %+v, want a lax cookie of ten minutes", c)
	}
	req, _ := http.NewRequest(http.MethodGet, p.URL+"/", nil)
	req.AddCookie(&http.Cookie{Name: "solocron", Value: c.Value}) // it is no sign-in
	res, err := b.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 401 {
		t.Errorf("the state as a sign-in: got %d, want 401", res.StatusCode)
	}
}

func TestAnIssuerThatIsAwayKeepsPeopleOutAndNothingElse(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.issuer.Close()
	code, body, res := visit(t, browser(t), p.URL+"/login/oidc")
	if code != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" || !strings.Contains(body, "issuer-unavailable") {
		t.Errorf("got %d %s, want 503", code, body)
	}
}

func TestSecretsGoOnlyWhereTheyAreEncrypted(t *testing.T) {
	t.Parallel()
	good := oidc.Config{Issuer: "https://id.example.org", ClientID: "solocron", RedirectURL: "https://cron.example.org/login/oidc/callback"}
	if _, err := oidc.New(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*oidc.Config){
		"a plain issuer":   func(c *oidc.Config) { c.Issuer = "http://id.example.org" },
		"no issuer":        func(c *oidc.Config) { c.Issuer = "" },
		"a user":           func(c *oidc.Config) { c.Issuer = "https://u:p@id.example.org" },
		"a plain redirect": func(c *oidc.Config) { c.RedirectURL = "http://cron.example.org/login/oidc/callback" },
		"no client":        func(c *oidc.Config) { c.ClientID = "" },
	} {
		c := good
		change(&c)
		if _, err := oidc.New(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	evil := httptest.NewServer(nil)
	defer evil.Close()
	evil.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{
			"issuer": evil.URL, "authorization_endpoint": evil.URL, "token_endpoint": "http://192.0.2.1/token", "jwks_uri": evil.URL,
		})
	})
	good.Issuer = evil.URL
	login, err := oidc.New(good)
	if err != nil {
		t.Fatal(err)
	}
	if to, _, err := login.Begin(t.Context()); err == nil || !strings.Contains(err.Error(), "not https") {
		t.Errorf("got %s, %v, want an error", to, err)
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections() //nolint:forcetypeassert // it is one
}
