package daemon_test

import (
	"crypto/tls"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/jobs"
)

const token = "sc_T9k3hQ2xWz7cVb1nMl4pRj6sDfGa"

// tokens is a file with one token, of an operator.
func tokens(t *testing.T) string {
	t.Helper()
	line, err := access.Line("ci", access.Operator, token)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// running is a replica with the listeners of a, and its log.
func running(t *testing.T, a config.Admin) (*daemon.Daemon, *logBook) {
	t.Helper()
	cfg := configured(t, "@every 1h", nothing)
	cfg.Admin = a
	log := new(logBook)
	with := deps(new(store))
	with.Log = log.logger()
	d := assemble(t, cfg, with)
	stop := launch(t, d)
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	return d, log
}

// ask is the status of a GET of url, with a token unless that is empty.
func ask(t *testing.T, c *tls.Config, url, token string) (int, *http.Response) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: c}}
	res, err := client.Do(req)
	if err != nil {
		return 0, nil
	}
	res.Body.Close()
	return res.StatusCode, res
}

func TestAReplicaThatEverybodyCouldSteerDoesNotBegin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		admin config.Admin
		want  string
	}{
		"no authentication": {config.Admin{Listen: "0.0.0.0:0"}, "set admin.tokens"},
		"every address":     {config.Admin{Listen: ":0"}, "--insecure-no-auth"},
		"both":              {config.Admin{Listen: "127.0.0.1:0", Tokens: tokens(t), InsecureNoAuth: true}, "insecureNoAuth"},
		"no tokens there":   {config.Admin{Listen: ":0", Tokens: t.TempDir() + "/none"}, "admin.tokens"},
		"no key there":      {config.Admin{Listen: ":0", Tokens: tokens(t), CookieKey: jobs.Secret{Env: "SOLOCRON_NONE"}}, "admin.cookieKey"},
		"no issuer linked":  {config.Admin{Listen: ":0", OIDC: config.OIDC{Issuer: "https://id.example.org"}}, "admin.oidc"},
		"no certificate":    {config.Admin{Listen: ":0", Tokens: tokens(t), TLS: config.AdminTLS{Cert: "/none", Key: "/none"}}, "admin.tls"},
		"probes are taken":  {config.Admin{Listen: "127.0.0.1:0", Probes: "192.0.2.1:1"}, "admin.probes"},
	} {
		cfg := configured(t, "@every 1h", nothing)
		cfg.Admin = c.admin
		if _, err := daemon.New(cfg, deps(new(store))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error that says %q", name, err, c.want)
		}
	}
}

func TestBeyondLoopbackOneSaysWhoOneIsAndProbesNeedNoRight(t *testing.T) {
	t.Parallel()
	d, log := running(t, config.Admin{Listen: "0.0.0.0:0", Probes: "127.0.0.1:0", Tokens: tokens(t)})
	_, port, _ := strings.Cut(strings.TrimPrefix(d.Addr(), "[::]"), ":")
	api, probes := "http://127.0.0.1:"+port, "http://"+d.ProbesAddr()
	for _, c := range []struct {
		url, token string
		want       int
	}{
		{api + "/api/v1/jobs", "", 401},
		{api + "/api/v1/jobs", token + "x", 401},
		{api + "/api/v1/jobs", strings.Repeat("x", 32<<10), 431},
		{api + "/api/v1/jobs", token, 200},
		{probes + "/livez", "", 200},
		{probes + "/api/v1/jobs", token, 404},
	} {
		if got, _ := ask(t, nil, c.url, c.token); got != c.want {
			t.Errorf("%s with %.5q: got %d, want %d", c.url, c.token, got, c.want)
		}
	}
	if got := log.String(); strings.Contains(got, token) || !strings.Contains(got, "not encrypted") || !strings.Contains(got, "no key for cookies") {
		t.Errorf("the log tells the token, or does not warn:\n%s", got)
	}
}

func TestWithoutAuthenticationOnPurposeEverybodyMayDoEverythingAndTheLogSaysSo(t *testing.T) {
	t.Parallel()
	d, log := running(t, config.Admin{Listen: "0.0.0.0:0", InsecureNoAuth: true})
	_, port, _ := strings.Cut(strings.TrimPrefix(d.Addr(), "[::]"), ":")
	if got, _ := ask(t, nil, "http://127.0.0.1:"+port+"/api/v1/jobs", ""); got != 200 {
		t.Errorf("got %d, want 200", got)
	}
	if !strings.Contains(log.String(), "NO AUTHENTICATION") {
		t.Errorf("got %s, want a loud line", log)
	}
}

func TestACertificateIsTakenOverWhileTheReplicaRuns(t *testing.T) {
	t.Parallel()
	ca, other := newAuthority(t, "one"), newAuthority(t, "other")
	dir := t.TempDir()
	ca.write(t, dir, "first")
	d, log := running(t, config.Admin{
		Listen: "127.0.0.1:0", Tokens: tokens(t), TLS: config.AdminTLS{Cert: filepath.Join(dir, "crt"), Key: filepath.Join(dir, "key")},
	})
	url := "https://" + d.Addr() + "/api/v1/jobs"
	served := func() string {
		code, res := ask(t, &tls.Config{RootCAs: ca.pool()}, url, token)
		if code != 200 {
			t.Fatalf("got %d, want 200", code)
		}
		return res.TLS.PeerCertificates[0].Subject.CommonName
	}
	if got := served(); got != "first" {
		t.Errorf("got the certificate of %s", got)
	}
	ca.write(t, dir, "second")
	within(t, "the new certificate", func() bool { return served() == "second" })
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("half a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	within(t, "a line about the bad one", func() bool { return served() == "second" && strings.Contains(log.String(), "not read again") })

	if code, _ := ask(t, &tls.Config{RootCAs: other.pool()}, url, token); code != 0 {
		t.Errorf("a client that trusts another authority: got %d", code)
	}
	old := &tls.Config{RootCAs: ca.pool(), MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11} //nolint:gosec // it must be refused
	if code, _ := ask(t, old, url, token); code != 0 {
		t.Errorf("TLS 1.1: got %d, want no connection", code)
	}
	if code, _ := ask(t, nil, "http://"+d.Addr()+"/api/v1/jobs", token); code != 400 {
		t.Errorf("in the clear: got %d, want 400", code)
	}
}

func TestAClientCertificateSaysWhoOneIs(t *testing.T) {
	t.Parallel()
	ca, other := newAuthority(t, "one"), newAuthority(t, "other")
	dir := t.TempDir()
	ca.write(t, dir, "server")
	put(t, filepath.Join(dir, "ca"), "CERTIFICATE", ca.cert.Raw)
	d, _ := running(t, config.Admin{Listen: "0.0.0.0:0", TLS: config.AdminTLS{
		Cert: filepath.Join(dir, "crt"), Key: filepath.Join(dir, "key"), ClientCA: filepath.Join(dir, "ca"),
		Roles: map[string]access.Role{"ada": access.Viewer},
	}})
	_, port, _ := strings.Cut(strings.TrimPrefix(d.Addr(), "[::]"), ":")
	url := "https://127.0.0.1:" + port + "/api/v1/jobs"
	for name, c := range map[string]struct {
		certs []tls.Certificate
		want  int // 0: no connection
	}{
		"a viewer":             {[]tls.Certificate{ca.pair(t, "ada")}, 200},
		"somebody without one": {nil, 401},
		"somebody of no role":  {[]tls.Certificate{ca.pair(t, "eve")}, 403},
		"another authority's":  {[]tls.Certificate{other.pair(t, "ada")}, 0},
	} {
		show := &tls.Config{RootCAs: ca.pool(), GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if len(c.certs) == 0 {
				return new(tls.Certificate), nil
			}
			return &c.certs[0], nil
		}}
		if got, _ := ask(t, show, url, ""); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
	put(t, filepath.Join(dir, "ca"), "CERTIFICATE", other.cert.Raw)
	within(t, "the new authority", func() bool {
		pair := other.pair(t, "ada")
		got, _ := ask(t, &tls.Config{RootCAs: ca.pool(), Certificates: []tls.Certificate{pair}}, url, "")
		return got == 200
	})
	if got, _ := ask(t, &tls.Config{RootCAs: ca.pool(), Certificates: []tls.Certificate{ca.pair(t, "ada")}}, url, ""); got == 200 {
		t.Error("the old authority is still trusted")
	}
}
