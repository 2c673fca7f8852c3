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
	callLimit  = 5 * time.Second
)

// Server is one running redis-server.
type Server struct {
	Addr string // 127.0.0.1:port

	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	once sync.Once
}

// Start starts a redis-server for t with extra arguments, such as
// "--maxmemory-policy", "noeviction". It fails t if redis-server is not on
// PATH, or skips it if SOLOCRON_ALLOW_SKIP=1. The server ends with t.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("SOLOCRON_ALLOW_SKIP") == "1" {
			t.Skip("redis-server is not on PATH")
		}
		t.Fatalf("this test needs a real redis-server (set SOLOCRON_ALLOW_SKIP=1 to skip it): %v", err)
	}
	for try := 1; ; try++ {
		s, err := launch(path, t.TempDir(), args)
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
func launch(path, dir string, args []string) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	base := []string{
		"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", dir,
		"--save", "", "--appendonly", "no", "--daemonize", "no", "--loglevel", "warning",
	}
	s := &Server{
		Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		cmd:  exec.Command(path, append(base, args...)...),
		done: make(chan struct{}),
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
	for {
		err := s.ask("INFO server", want)
		if err == nil {
			return nil
		}
		select {
		case <-s.done:
			return errors.New("redis-server ended at once; was its port taken?")
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("redis-server on %s is not ready: %w", s.Addr, err)
		}
	}
}

// Flush deletes everything, as an operator's FLUSHALL would.
func (s *Server) Flush() error { return s.ask("FLUSHALL", "+OK\r\n") }

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

// ask sends one inline command and reads until want has arrived.
func (s *Server) ask(command, want string) error {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(callLimit)); err != nil {
		return err
	}
	if _, err := conn.Write([]byte(command + "\r\n")); err != nil {
		return err
	}
	return readUntil(conn, want)
}
