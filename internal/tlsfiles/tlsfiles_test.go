package tlsfiles_test

import (
	"crypto/tls"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/internal/tlsfiles"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func certificates(t *testing.T) *redistest.Certificates {
	t.Helper()
	c, err := redistest.MakeCertificates(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// link has path lead to target from now on, in one step, as an orchestrator does it.
func link(t *testing.T, target, path string) {
	t.Helper()
	if err := errors.Join(os.Symlink(target, path+".new"), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// serial is the number of the certificate in a file.
func serial(t *testing.T, cert, key string) string {
	t.Helper()
	own, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	return own.Leaf.SerialNumber.String()
}

// listen serves TLS with what f holds at each connection, and tells the number of the
// certificate that each client shows.
func listen(t *testing.T, f tlsfiles.Files) (addr string, shown <-chan string) {
	t.Helper()
	seen := make(chan string, 1)
	var cache tlsfiles.Cache
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		papers, err := cache.Read(f)
		if papers == nil {
			return nil, err
		}
		return &tls.Config{
			MinVersion: tls.VersionTLS12, Certificates: papers.Certificates, ClientCAs: papers.Authorities, ClientAuth: tls.VerifyClientCertIfGiven,
		}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			number := "refused"
			if s, ok := conn.(*tls.Conn); ok && s.HandshakeContext(t.Context()) == nil {
				number = "none"
				if own := s.ConnectionState().PeerCertificates; len(own) > 0 {
					number = own[0].SerialNumber.String()
				}
			}
			seen <- number
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-served })
	return l.Addr().String(), seen
}

// dial connects and returns the number of the server's certificate.
func dial(t *testing.T, addr string, c *tls.Config) string {
	t.Helper()
	conn, err := (&tls.Dialer{NetDialer: new(net.Dialer), Config: c}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.String()
}

func TestBothSidesExchangeTheirCertificatesWhileTheyGoOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, second := certificates(t), certificates(t)
	server := tlsfiles.Files{Cert: filepath.Join(dir, "crt"), Key: filepath.Join(dir, "key"), CA: filepath.Join(dir, "ca")}
	client := tlsfiles.Files{Cert: filepath.Join(dir, "own.crt"), Key: filepath.Join(dir, "own.key"), CA: filepath.Join(dir, "both")}
	install := func(c *redistest.Certificates) {
		for path, target := range map[string]string{
			server.Cert: c.Server, server.Key: c.ServerKey, server.CA: c.CA, client.Cert: c.Client, client.Key: c.ClientKey,
		} {
			link(t, target, path)
		}
	}
	install(first)
	both := make([]byte, 0, 1<<14)
	for _, c := range []*redistest.Certificates{first, second} {
		text, err := os.ReadFile(c.CA)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, text...)
	}
	if err := os.WriteFile(client.CA, both, 0o600); err != nil {
		t.Fatal(err)
	}
	addr, shown := listen(t, server)
	secure, err := tlsfiles.Client(client, first.ServerName)
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		change       func()
		server, from *redistest.Certificates
	}{
		{func() {}, first, first},
		{func() { install(second) }, second, second},
		{func() { link(t, first.Server, server.Cert) }, second, second}, // the key is another's: half of an exchange
		{func() { install(first) }, first, first},
		{func() { link(t, filepath.Join(dir, "none"), client.Key) }, first, first},
	} {
		step.change()
		if got, want := dial(t, addr, secure), serial(t, step.server.Server, step.server.ServerKey); got != want {
			t.Errorf("step %d: got the server's certificate %s, want %s", i, got, want)
		}
		if got, want := <-shown, serial(t, step.from.Client, step.from.ClientKey); got != want {
			t.Errorf("step %d: got the client's certificate %s, want %s", i, got, want)
		}
	}
}

func TestFilesAreReadOnlyWhenTheyHaveChanged(t *testing.T) {
	t.Parallel()
	c, dir := certificates(t), t.TempDir()
	f := tlsfiles.Files{CA: filepath.Join(dir, "ca")}
	link(t, c.CA, f.CA)
	var cache tlsfiles.Cache
	first, err := cache.Read(f)
	if err != nil || first.Authorities == nil || len(first.Certificates) != 0 {
		t.Fatalf("got %+v, %v", first, err)
	}
	if again, err := cache.Read(f); again != first || err != nil {
		t.Errorf("unchanged: got %p, %v, want %p", again, err, first)
	}
	link(t, certificates(t).CA, f.CA)
	second, err := cache.Read(f)
	if err != nil || second == first || second.Authorities.Equal(first.Authorities) {
		t.Errorf("changed: got %p, %v, want what the new file holds", second, err)
	}
	if err := os.Remove(f.CA); err != nil {
		t.Fatal(err)
	}
	if kept, err := cache.Read(f); kept != second || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("gone: got %p, %v, want %p and that there is no file", kept, err, second)
	}
	if other, err := cache.Read(tlsfiles.Files{CA: f.CA + "x"}); other != nil || err == nil {
		t.Errorf("other files: got %v, %v, want none of those before", other, err)
	}
	if none, err := cache.Read(tlsfiles.Files{}); err != nil || none.Authorities != nil || none.Certificates != nil {
		t.Errorf("no files: got %+v, %v", none, err)
	}
}

func TestWhatIsWrongWithAFileIsSaidWithItsName(t *testing.T) {
	t.Parallel()
	c, dir := certificates(t), t.TempDir()
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, make([]byte, 4<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		files tlsfiles.Files
		want  []string
	}{
		"no file":               {tlsfiles.Files{CA: "/nowhere/ca.crt"}, []string{"/nowhere/ca.crt", "no such file"}},
		"no authority in it":    {tlsfiles.Files{CA: c.ClientKey}, []string{c.ClientKey, "holds no certificate"}},
		"too large":             {tlsfiles.Files{CA: large}, []string{large, "larger than 4 MiB"}},
		"a key of another":      {tlsfiles.Files{Cert: c.Client, Key: c.ServerKey}, []string{c.Client, c.ServerKey, "does not match"}},
		"a key and no more":     {tlsfiles.Files{Key: c.ClientKey}, []string{"no such file"}},
		"a certificate as both": {tlsfiles.Files{Cert: c.Client, Key: c.Client}, []string{c.Client}},
	} {
		_, err := tlsfiles.Client(row.files, "")
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range row.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q in it", name, err, want)
			}
		}
	}
}
