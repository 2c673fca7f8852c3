package redistest

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

const callLimit = 5 * time.Second

// Call sends one command on a connection of its own and returns the reply as
// text: of an array the elements, a line each. It takes at most 5 seconds. An
// error reply is an error; its text does not hold the arguments.
func (s *Server) Call(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	conn, err := s.dial(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(callLimit)); err != nil {
		return "", err
	}
	r := bufio.NewReader(conn)
	if s.auth != nil {
		if _, err := exchange(conn, r, append([]string{"AUTH"}, s.auth...)); err != nil {
			return "", fmt.Errorf("AUTH: %w", err)
		}
	}
	reply, err := exchange(conn, r, args)
	if err != nil {
		return "", fmt.Errorf("%s: %w", args[0], err)
	}
	return reply, nil
}

// Do is Call that fails t when the server does not answer, or with an error.
func (s *Server) Do(t testing.TB, args ...string) string {
	t.Helper()
	reply, err := s.Call(args...)
	if err != nil {
		t.Fatalf("redis-server on %s: %v", s.Addr, err)
	}
	return reply
}

// Holds reports whether the reply to a command holds words; false, too, if there
// is none.
func (s *Server) Holds(words string, args ...string) bool {
	reply, err := s.Call(args...)
	return err == nil && strings.Contains(reply, words)
}

func exchange(conn net.Conn, r *bufio.Reader, args []string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, arg := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(arg), arg)
	}
	if _, err := conn.Write([]byte(b.String())); err != nil {
		return "", err
	}
	return readReply(r, 0)
}

// await polls until ok, and fails t after limit.
func await(t testing.TB, what string, limit time.Duration, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s in vain for %s", limit, what)
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatalf("the test ended while it waited for %s", what)
		}
	}
}
