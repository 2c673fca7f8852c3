package cli_test

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/internal/redistest"
)

// secured is a server that tells which certificate it was shown, and demands one that
// the authority of c has signed.
func secured(t *testing.T, c *redistest.Certificates) *httptest.Server {
	t.Helper()
	own, err := tls.LoadX509KeyPair(c.Server, c.ServerKey)
	if err != nil {
		t.Fatal(err)
	}
	ca, err := os.ReadFile(c.CA)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(r.TLS.PeerCertificates[0].SerialNumber.String()) // the client would find nothing
	}))
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // that clients are refused
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{own}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestAClientShowsItsCertificateAndTrustsItsAuthorities(t *testing.T) {
	t.Parallel()
	certificates := func() *redistest.Certificates {
		c, err := redistest.MakeCertificates(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	right, wrong := certificates(), certificates()
	s := secured(t, right)
	pair, err := tls.LoadX509KeyPair(right.Client, right.ClientKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		papers cli.Papers
		env    map[string]string
		code   cli.Code
		says   string // "": it works
		server string // "": as it is called in its certificate
	}{
		"by flags": {papers: cli.Papers{Cert: right.Client, Key: right.ClientKey, CA: right.CA}},
		"by the environment": {env: map[string]string{
			"SOLOCRON_CLIENT_CERT": right.Client, "SOLOCRON_CLIENT_KEY": right.ClientKey, "SOLOCRON_CA_FILE": right.CA,
		}},
		"flags first": {papers: cli.Papers{CA: right.CA}, env: map[string]string{
			"SOLOCRON_CLIENT_CERT": right.Client, "SOLOCRON_CLIENT_KEY": right.ClientKey, "SOLOCRON_CA_FILE": wrong.CA,
		}},
		"an unknown authority":     {cli.Papers{Cert: right.Client, Key: right.ClientKey, CA: wrong.CA}, nil, 7, "name it with --ca-file", ""},
		"those of the system":      {cli.Papers{Cert: right.Client, Key: right.ClientKey}, nil, 7, "name it with --ca-file", ""},
		"another's certificate":    {cli.Papers{Cert: wrong.Client, Key: wrong.ClientKey, CA: right.CA}, nil, 7, "see --client-cert", ""},
		"no certificate":           {cli.Papers{CA: right.CA}, nil, 7, "see --client-cert", ""},
		"another name":             {cli.Papers{Cert: right.Client, Key: right.ClientKey, CA: right.CA}, nil, 7, "a name that the certificate is for", strings.Replace(s.URL, "127.0.0.1", "localhost", 1)},
		"half of one":              {cli.Papers{Cert: right.Client, CA: right.CA}, nil, 2, "two files", ""},
		"a file that is not there": {cli.Papers{CA: "/nowhere/ca"}, nil, 3, "/nowhere/ca: no such file", ""},
		"a key of another":         {cli.Papers{Cert: right.Client, Key: wrong.ClientKey}, nil, 3, "does not match", ""},
	} {
		var shown string
		cl, err := cli.New(cli.Options{Server: cmp.Or(c.server, s.URL), Papers: c.papers, Env: func(name string) string { return c.env[name] }})
		if err == nil {
			err = cl.Do(t.Context(), cli.Call{Method: "POST", Path: "/x"}, &shown) // sent once
		}
		code, _ := cli.CodeOf(err)
		switch {
		case code != c.code:
			t.Errorf("%s: got %d %v, want %d", name, code, err, c.code)
		case c.says == "" && shown != pair.Leaf.SerialNumber.String():
			t.Errorf("%s: got the certificate %s, want %s", name, shown, pair.Leaf.SerialNumber)
		case c.says != "" && !strings.Contains(err.Error(), c.says):
			t.Errorf("%s: got %v, want %q in it", name, err, c.says)
		}
	}
}

func TestCertificatesAreForEncryptedServers(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	for server, c := range map[string]struct {
		papers cli.Papers
		code   cli.Code
		says   string
	}{
		plain.URL:   {cli.Papers{CA: "x"}, 2, "are for a server at https://"},
		"unix:///x": {cli.Papers{Cert: "x", Key: "x"}, 2, "are for a server at https://"},
		strings.Replace(plain.URL, "http:", "https:", 1): {cli.Papers{}, 7, "is it http:// for --server"},
	} {
		cl, err := cli.New(cli.Options{Server: server, Papers: c.papers})
		if err == nil {
			var v any
			err = cl.Do(t.Context(), cli.Call{Method: "POST", Path: "/x"}, &v)
		}
		if code, _ := cli.CodeOf(err); code != c.code || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %d %v, want %d and %q", server, code, err, c.code, c.says)
		}
	}
	env := func(name string) string { return map[string]string{"SOLOCRON_CA_FILE": "/nowhere"}[name] }
	if _, err := cli.New(cli.Options{Server: plain.URL, Env: env}); err != nil {
		t.Errorf("what the environment says for other servers: got %v", err)
	}
}

func TestWhatHelpsToFindARequestIsToldWhenAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body, header string
		verbose      bool
		want         string
	}{
		"quietly":       {`{"title":"No","type":"urn:solocron:problem:job-not-found","requestId":"r1","traceId":"t1"}`, "", false, "No"},
		"both":          {`{"title":"No","type":"urn:solocron:problem:job-not-found","requestId":"r1","traceId":"t1"}`, "", true, "No [404 job-not-found, request r1, trace t1]"},
		"in the header": {`{"title":"No","type":"urn:solocron:problem:job-not-found"}`, "r2", true, "No [404 job-not-found, request r2]"},
		"neither":       {"gone", "", true, "the server answered 404 Not Found [404]"},
		"a bad one":     {`{"title":"No","requestId":"a\u001b[2J` + strings.Repeat("x", 100) + `"}`, "", true, "No [404, request a [2J" + strings.Repeat("x", 74) + "…]"},
	} {
		cl := client(t, cli.Options{Verbose: c.verbose}, func(w http.ResponseWriter, _ *http.Request) {
			if c.header != "" {
				w.Header().Set("X-Request-Id", c.header)
			}
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, c.body)
		})
		var v any
		if err := cl.Get(t.Context(), "/x", &v); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// TestTheCodesThatHelpTellsAreThoseThereAre compares the text with the constants.
func TestTheCodesThatHelpTellsAreThoseThereAre(t *testing.T) {
	t.Parallel()
	told := map[cli.Code]bool{}
	for _, m := range regexp.MustCompile(`(?m)^ {2}(\d+) `).FindAllStringSubmatch(cli.ExitCodes, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || told[cli.Code(n)] {
			t.Errorf("%q: %v, or twice", m[0], err)
		}
		told[cli.Code(n)] = true
	}
	all := []cli.Code{
		cli.OK, cli.Failure, cli.Usage, cli.BadConfig, cli.Denied, cli.Missing, cli.Conflict, cli.Unreachable,
		cli.RunFailed, cli.RunStopped, cli.TimedOut, cli.Interrupted,
	}
	for _, code := range all {
		if !told[code] {
			t.Errorf("%d is not told", code)
		}
	}
	if len(told) != len(all) {
		t.Errorf("got %d codes, want %d", len(told), len(all))
	}
}
