package redistest

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Secure is a server that is reached through TLS alone, by clients with a
// certificate.
type Secure struct {
	*Server
	Certificates *Certificates
	Config       *tls.Config // of a client; shared: clone it before changing it
}

// StartTLS starts a server for t without a plain port. If there are lines of an
// ACL file, such as "user app on >secret ~* &* +@all -eval", those users and no
// others can work with it: the default user is off.
func StartTLS(t testing.TB, acl ...string) *Secure {
	t.Helper()
	certs, err := MakeCertificates(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	config, err := certs.Config()
	if err != nil {
		t.Fatal(err)
	}
	d := design{
		args: func(dir string, port int) ([]string, error) { return secured(dir, port, certs, nil) },
		dial: func(ctx context.Context, addr string) (net.Conn, error) {
			return (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", addr)
		},
	}
	if len(acl) > 0 {
		d.auth = []string{"redistest", rand.Text()}
		lines := append([]string{
			"user default off", "user " + d.auth[0] + " on >" + d.auth[1] + " ~* &* +@all",
		}, acl...)
		d.args = func(dir string, port int) ([]string, error) { return secured(dir, port, certs, lines) }
	}
	return &Secure{Server: start(t, d), Certificates: certs, Config: config}
}

// secured are the arguments of a server with TLS and, if there are lines, users.
func secured(dir string, port int, c *Certificates, acl []string) ([]string, error) {
	args := append(common(dir, 0),
		"--tls-port", strconv.Itoa(port), "--tls-ca-cert-file", c.CA, "--tls-auth-clients", "yes",
		"--tls-cert-file", c.Server, "--tls-key-file", c.ServerKey)
	if len(acl) == 0 {
		return args, nil
	}
	path := filepath.Join(dir, "users.acl")
	return append(args, "--aclfile", path), os.WriteFile(path, []byte(strings.Join(acl, "\n")+"\n"), 0o600)
}
