package access_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/admin/access"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The tokens of the tests: random once, and of nobody.
const (
	viewing   = "sc_V1c9q0ZkXh3mW7sTgB2nLr8yUaQe"
	operating = "sc_O5d2fJ8pKx1vNs6tRw9zCb4mHgYu"
	wrong     = "sc_W7k3hQ9xTz2cVb8nMl4pRj6sDfGa"
)

// tape is a log that can be read while it is written.
type tape struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *tape) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *tape) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

func (t *tape) logger() *slog.Logger { return slog.New(slog.NewTextHandler(t, nil)) }

// line is one line of a file of tokens.
func line(t *testing.T, name string, role access.Role, token string) string {
	t.Helper()
	l, err := access.Line(name, role, token)
	if err != nil {
		t.Fatal(err)
	}
	return l + "\n"
}

// everybody is the file of tokens that most tests use.
func everybody(t *testing.T) string {
	return "# people\n\n" + line(t, "ada", access.Viewer, viewing) + line(t, "ci", access.Operator, operating)
}

// written is a file of tokens with text.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	replace(t, path, text)
	return path
}

// replace writes a file as a careful program does: by a rename.
func replace(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// made is an Access for c, with the log.
func made(t *testing.T, c access.Config) (*access.Access, *tape) {
	t.Helper()
	log := new(tape)
	c.Log = log.logger()
	a, err := access.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a, log
}

// request is a GET from an address, with headers as name, value.
func request(from string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "http://solocron.test/api/v1/jobs", nil)
	r.RemoteAddr = from + ":4711"
	if strings.Contains(from, ":") {
		r.RemoteAddr = "[" + from + "]:4711"
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func bearing(from, token string) *http.Request {
	return request(from, "Authorization", "Bearer "+token)
}

// known is who Identify takes r to be from; a refusal fails the test.
func known(t *testing.T, a *access.Access, r *http.Request) access.Identity {
	t.Helper()
	id, no := a.Identify(r)
	if no != nil {
		t.Fatalf("got a refusal: %d %s %s", no.Status, no.Type, no.Detail)
	}
	return id
}

// refused is the status with which Identify refuses r, 0 if it does not.
func refused(a *access.Access, r *http.Request) int {
	if _, no := a.Identify(r); no != nil {
		return no.Status
	}
	return 0
}
