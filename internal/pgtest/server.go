package pgtest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the database/sql driver "pgx"
)

const (
	startTimeout = 60 * time.Second
	stopTimeout  = 20 * time.Second
)

// Server is a running Postgres. Its superuser postgres needs no password.
type Server struct {
	dir       string
	databases atomic.Int64
}

// Start runs initdb and postgres and ends the server with the test. Where the
// programs are missing the test fails, or is skipped if SOLOCRON_ALLOW_SKIP=1.
func Start(t testing.TB) *Server {
	t.Helper()
	bin, err := findBinaries()
	if err != nil {
		if os.Getenv("SOLOCRON_ALLOW_SKIP") == "1" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	who, err := unprivileged()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "pg") //nolint:usetesting // the path of a socket is limited: t.TempDir is too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if who != nil {
		if err := os.Chown(dir, int(who.Uid), int(who.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	s := &Server{dir: dir}
	s.initdb(t, bin, who)
	s.serve(t, bin, who)
	return s
}

// DSN is the address of a database of the server.
func (s *Server) DSN(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/" + database, RawQuery: url.Values{"host": {s.dir}, "sslmode": {"disable"}}.Encode()}
	return u.String()
}

// NewDatabase makes an empty database and returns its DSN.
func (s *Server) NewDatabase(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test%d", s.databases.Add(1))
	db := s.Open(t, s.DSN("postgres"))
	if _, err := db.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return s.DSN(name)
}

// Open connects to dsn until the test ends.
func (s *Server) Open(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func (s *Server) initdb(t testing.TB, bin string, who *syscall.Credential) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	cmd := s.command(ctx, who, filepath.Join(bin, "initdb"), "-D", s.dir+"/data", "-U", "postgres",
		"-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
}

// serve starts postgres and stops it, by its pid, when the test ends.
func (s *Server) serve(t testing.TB, bin string, who *syscall.Credential) {
	t.Helper()
	var log bytes.Buffer // read only after the server has ended
	cmd := s.command(context.Background(), who, filepath.Join(bin, "postgres"), "-D", s.dir+"/data", "-k", s.dir, "-F",
		"-c", "listen_addresses=", "-c", "shared_buffers=16MB", "-c", "max_connections=40")
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended shows in the log
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT) // fast shutdown
		select {
		case <-ended:
		case <-time.After(stopTimeout):
			_ = cmd.Process.Signal(syscall.SIGQUIT)
			<-ended
		}
		if t.Failed() {
			t.Logf("postgres said:\n%s", log.String())
		}
	})
	if err := s.await(t.Context()); err != nil {
		t.Fatalf("postgres: %v", err)
	}
}

// await returns when the server answers.
func (s *Server) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	db, err := sql.Open("pgx", s.DSN("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for {
		pingErr := db.PingContext(ctx)
		if pingErr == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), pingErr)
		case <-poll.C:
		}
	}
}

func (s *Server) command(ctx context.Context, who *syscall.Credential, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who}
	return cmd
}

// findBinaries returns the directory of initdb and postgres: in the PATH, or
// where Debian puts the newest version.
func findBinaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", errors.New("no initdb: install postgresql, or set SOLOCRON_ALLOW_SKIP=1 to do without")
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

func version(path string) int {
	n, _ := strconv.Atoi(strings.Split(path, "/")[4])
	return n
}

// unprivileged is whom to run the server as, for it refuses root: nil is who we are.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("postgres refuses to run as root, and there is neither a user postgres nor nobody")
}
