package main_test

import (
	"fmt"
	"testing"

	"github.com/solocron/solocron/internal/redistest"
)

// TestACertificateSignsInAtTheCommandLine asks a replica that is reached over TLS, and
// that knows people by their certificates.
func TestACertificateSignsInAtTheCommandLine(t *testing.T) {
	t.Parallel()
	c, err := redistest.MakeCertificates(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other, err := redistest.MakeCertificates(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, fmt.Sprintf(`
redis: { addr: embedded }
admin:
  tls: { cert: %q, key: %q, clientCA: %q, roles: { client: viewer } }
jobs:
  - { name: a, schedule: "@yearly", shell: "true" }
`, c.Server, c.ServerKey, c.CA))
	s.url = "https" + s.url[len("http"):]
	own := []string{"--client-cert", c.Client, "--client-key", c.ClientKey}
	for name, row := range map[string]struct {
		code int
		says string
		args []string
	}{
		"a viewer looks":             {0, "", append([]string{"job", "list", "-o", "name", "--ca-file", c.CA}, own...)},
		"and may not act":            {4, "operator", append([]string{"trigger", "a", "--ca-file", c.CA}, own...)},
		"nobody":                     {4, "client certificate", []string{"job", "list", "--ca-file", c.CA}},
		"a server that is not known": {7, "name it with --ca-file", append([]string{"job", "list"}, own...)},
		"another authority's":        {7, "see --client-cert", []string{"job", "list", "--ca-file", c.CA, "--client-cert", other.Client, "--client-key", other.ClientKey}},
	} {
		got := s.ask(t, row.code, row.args...)
		if row.code == 0 {
			if got.stdout != "a\n" {
				t.Errorf("%s: got %q", name, got.stdout)
			}
			continue
		}
		says(t, got.stderr, row.says)
	}
}
