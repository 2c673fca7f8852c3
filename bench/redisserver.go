package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Server is a redis-server of our own on a free loopback port, without persistence.
type Server struct {
	Addr string
	cmd  *exec.Cmd
	dir  string
	rdb  *redis.Client
}

// StartServer starts a server and waits until it answers.
func StartServer(ctx context.Context) (*Server, error) {
	dir, err := os.MkdirTemp("", "solocron-bench-")
	if err != nil {
		return nil, err
	}
	var last error
	for range 5 { // the port may be taken between our look and the server's
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		s, err := startOn(ctx, port, dir)
		if err == nil {
			return s, nil
		}
		last = err
	}
	return nil, errors.Join(last, os.RemoveAll(dir))
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

func startOn(ctx context.Context, port int, dir string) (*Server, error) {
	cmd := exec.Command("redis-server", "--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", dir,
		"--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction")
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("redis-server: %w", err)
	}
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	s := &Server{Addr: addr, cmd: cmd, dir: dir, rdb: redis.NewClient(&redis.Options{Addr: addr, MaxRetries: -1})}
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		err := s.rdb.Ping(ctx).Err()
		if err == nil {
			return s, nil
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return nil, errors.Join(fmt.Errorf("redis-server on %s: %w", addr, err), s.end())
		}
	}
}

// Close ends the server and removes what it left.
func (s *Server) Close() error { return errors.Join(s.end(), os.RemoveAll(s.dir)) }

func (s *Server) end() error {
	err := errors.Join(s.rdb.Close(), s.cmd.Process.Kill())
	_ = s.cmd.Wait() // "signal: killed" is what was asked for
	return err
}

// Flush empties the server between two systems.
func (s *Server) Flush(ctx context.Context) error { return s.rdb.FlushAll(ctx).Err() }

// Load is what a server has been asked to do since it started.
type Load struct {
	Commands int64 // sent by clients; what scripts call is not counted
	CPU      time.Duration
	Memory   int64 // bytes of data now, without buffers and scripts
}

// Load asks the server for its counters.
func (s *Server) Load(ctx context.Context) (Load, error) {
	info, err := s.rdb.Info(ctx, "commandstats", "cpu", "memory").Result()
	if err != nil {
		return Load{}, err
	}
	return ParseLoad(info), nil
}

// fromClients lists the commands that only clients send, in all systems
// measured here: our scripts work on hashes and sorted sets, those of the peers
// on GET, DEL and PEXPIRE. INFO counts both alike. Greetings of new connections
// and our own INFO are not part of the work.
var fromClients = []string{"evalsha", "eval", "evalsha_ro", "script|load", "set", "setnx", "publish", "subscribe", "ping", "watch", "multi", "exec"}

// ParseLoad reads the answer of INFO commandstats cpu memory.
func ParseLoad(info string) Load {
	var l Load
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case name == "used_cpu_sys" || name == "used_cpu_user":
			s, _ := strconv.ParseFloat(value, 64)
			l.CPU += time.Duration(s * float64(time.Second))
		case name == "used_memory_dataset":
			l.Memory, _ = strconv.ParseInt(value, 10, 64)
		case counts(name):
			calls, _, _ := strings.Cut(strings.TrimPrefix(value, "calls="), ",")
			n, _ := strconv.ParseInt(calls, 10, 64)
			l.Commands += n
		}
	}
	return l
}

func counts(stat string) bool {
	cmd, ok := strings.CutPrefix(stat, "cmdstat_")
	return ok && slices.Contains(fromClients, cmd)
}
