package redistest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	startTries = 5
	startLimit = 10 * time.Second
)

// Server is one running redis-server.
type Server struct {
	Addr string // 127.0.0.1:port

	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	once sync.Once
	dial func(context.Context) (net.Conn, error)
	auth []string // user and password of Call; nil: none is needed
}

// A design says how a process is started on a port that looked free, and how it
// is reached.
type design struct {
	args func(dir string, port int) ([]string, error)
	dial func(ctx context.Context, addr string) (net.Conn, error) // nil: TCP
	auth []string
}

// Start starts a redis-server for t with extra arguments, such as
// "--maxmemory-policy", "noeviction". It fails t if redis-server is not on
// PATH, or skips it if SOLOCRON_ALLOW_SKIP=1. The server ends with t.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	return start(t, design{args: plain(args...)})
}

// plain are the arguments of a server without persistence, with extra ones.
func plain(args ...string) func(string, int) ([]string, error) {
	return func(dir string, port int) ([]string, error) {
		return append(common(dir, port), args...), nil
	}
}

func common(dir string, port int) []string {
	return []string{
		"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", dir,
		"--save", "", "--appendonly", "no", "--daemonize", "no", "--loglevel", "warning",
	}
}

// start starts a process for t and tries again when its port was taken.
func start(t testing.TB, d design) *Server {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("SOLOCRON_ALLOW_SKIP") == "1" {
			t.Skip("redis-server is not on PATH")
		}
		t.Fatalf("this test needs a real redis-server (set SOLOCRON_ALLOW_SKIP=1 to skip it): %v", err)
	}
	for try := 1; ; try++ {
		s, err := launch(path, t.TempDir(), d)
		if err == nil {
			t.Cleanup(s.Stop)
			return s
		}
		if try == startTries {
			t.Fatalf("starting redis-server, %d tries: %v", try, err)
		}
	}
}

// launch starts one process and waits until it answers. The free port may be
// taken by somebody else in between: the process then ends at once, and the
// caller tries another.
func launch(path, dir string, d design) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	args, err := d.args(dir, port)
	if err != nil {
		return nil, err
	}
	s := &Server{
		Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		cmd:  exec.Command(path, args...),
		done: make(chan struct{}),
		auth: d.auth,
	}
	s.dial = func(ctx context.Context) (net.Conn, error) {
		if d.dial != nil {
			return d.dial(ctx, s.Addr)
		}
		return new(net.Dialer).DialContext(ctx, "tcp", s.Addr)
	}
	s.cmd.SysProcAttr = sysProcAttr()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(s.done)
		_ = s.cmd.Wait() // how it ended does not matter: it is killed
	}()
	if err := s.waitReady(); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	return port, l.Close()
}

// waitReady polls until this very process, known by its pid, answers.
func (s *Server) waitReady() error {
	deadline := time.Now().Add(startLimit)
	want := fmt.Sprintf("process_id:%d\r\n", s.cmd.Process.Pid)
	for !s.Holds(want, "INFO", "server") {
		select {
		case <-s.done:
			return errors.New("redis-server ended at once; was its port taken?")
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			_, err := s.Call("INFO", "server")
			return fmt.Errorf("redis-server on %s is not ready: %w", s.Addr, err)
		}
	}
	return nil
}

// Flush deletes everything, as an operator's FLUSHALL would.
func (s *Server) Flush() error {
	_, err := s.Call("FLUSHALL")
	return err
}

// Pause stops the process as a frozen machine would: connections stay open and
// nothing is answered. Resume continues it.
func (s *Server) Pause() error { return s.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume continues a paused server.
func (s *Server) Resume() error { return s.cmd.Process.Signal(syscall.SIGCONT) }

// Stop kills the server and waits for its end. It may be called twice.
func (s *Server) Stop() {
	s.once.Do(func() {
		_ = s.cmd.Process.Kill() // fails only if it has ended already
	})
	<-s.done
}

func (s *Server) port() string {
	_, port, _ := net.SplitHostPort(s.Addr) // made by launch
	return port
}
