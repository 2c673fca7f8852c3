package redistest_test

import (
	"net"
	"testing"
	"time"

	"github.com/solocron/solocron/internal/redistest"
)

func ping(addr string, limit time.Duration) error {
	conn, err := net.DialTimeout("tcp", addr, limit)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	_, err = conn.Read(make([]byte, 7))
	return err
}

func TestAPausedServerIsSilentAndAResumedOneAnswers(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	if err := ping(s.Addr, 100*time.Millisecond); err == nil {
		t.Error("a paused server answered")
	}
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
	if err := ping(s.Addr, 5*time.Second); err != nil {
		t.Errorf("after Resume: %v", err)
	}
	if err := s.Flush(); err != nil {
		t.Errorf("Flush: %v", err)
	}
}

func TestAStoppedServerIsGone(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Stop()
	if err := ping(s.Addr, time.Second); err == nil {
		t.Error("a stopped server answered")
	}
}
