package faultproxy_test

import (
	"bufio"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/internal/faultproxy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo starts a server that answers each line with name and the line.
func echo(t *testing.T, name string) (addr string, asked <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	lines, done := make(chan string, 100), make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { // ends when the proxy closes the connection
				defer conn.Close()
				for scan := bufio.NewScanner(conn); scan.Scan(); {
					lines <- scan.Text()
					if _, err := conn.Write([]byte(name + " " + scan.Text() + "\n")); err != nil {
						return
					}
				}
			}()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String(), lines
}

// A line is a connection that is asked line by line.
type line struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func dial(t *testing.T, p *faultproxy.Proxy) *line {
	t.Helper()
	conn, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &line{t, conn, bufio.NewReader(conn)}
}

func (l *line) say(text string) {
	l.t.Helper()
	if _, err := l.conn.Write([]byte(text + "\n")); err != nil {
		l.t.Fatal(err)
	}
}

// hear returns what arrives within limit.
func (l *line) hear(limit time.Duration) (string, error) {
	if err := l.conn.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return "", err
	}
	return l.in.ReadString('\n')
}

func (l *line) want(text string) {
	l.t.Helper()
	if got, err := l.hear(5 * time.Second); got != text+"\n" || err != nil {
		l.t.Errorf("got %q, %v, want %q", got, err, text)
	}
}

func (l *line) wantSilence() {
	l.t.Helper()
	if got, err := l.hear(100 * time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
		l.t.Errorf("got %q, %v, want silence", got, err)
	}
}

func TestSilentRequestsAreNotAskedAndSilentRepliesAreAskedAndNotHeard(t *testing.T) {
	t.Parallel()
	server, asked := echo(t, "server")
	p := faultproxy.Start(t, server)
	l := dial(t, p)

	p.SilenceRequests(true)
	l.say("one")
	l.wantSilence()
	if n := len(asked); n != 0 {
		t.Errorf("the server was asked %d times, want not", n)
	}
	p.Heal()
	l.want("server one")

	p.SilenceReplies(true)
	l.say("two")
	l.wantSilence()
	if n := len(asked); n != 2 {
		t.Errorf("the server was asked %d times, want twice", n)
	}
	p.SilenceReplies(false)
	l.want("server two")

	p.Silence(true)
	l.say("three")
	l.wantSilence()
	p.Silence(false)
	l.want("server three")
}

func TestDelayedChunksArriveLateAndAtOnceWhenTheNetworkHeals(t *testing.T) {
	t.Parallel()
	server, _ := echo(t, "server")
	p := faultproxy.Start(t, server)
	l := dial(t, p)
	const delay = 200 * time.Millisecond
	for name, set := range map[string]func(time.Duration){"requests": p.Delay, "replies": p.DelayReplies} {
		set(delay)
		began := time.Now()
		l.say(name)
		l.want("server " + name)
		if took := time.Since(began); took < delay {
			t.Errorf("delayed %s: answered after %s, want at least %s", name, took, delay)
		}
		p.Heal()
	}
	p.DelayReplies(time.Hour)
	l.say("held")
	l.wantSilence()
	p.Heal()
	l.want("server held")
}

func TestTheNextReplyIsDroppedForgedOrRepeatedOnce(t *testing.T) {
	t.Parallel()
	server, asked := echo(t, "server")
	p := faultproxy.Start(t, server)
	l := dial(t, p)

	l.say("one")
	l.want("server one")
	p.RepeatReply()
	l.say("two")
	l.want("server one")
	p.ForgeNextReply([]byte("nonsense\n"))
	l.say("three")
	l.want("nonsense")
	l.say("four")
	l.want("server four")

	p.DropNextReply()
	l.say("five")
	if got, err := l.hear(5 * time.Second); err == nil {
		t.Errorf("got %q, want the connection closed", got)
	}
	if n := len(asked); n != 5 {
		t.Errorf("the server was asked %d times, want 5", n)
	}
	again := dial(t, p)
	again.say("six")
	again.want("server six")
}

func TestARetargetedProxyLeadsToTheOtherServer(t *testing.T) {
	t.Parallel()
	first, _ := echo(t, "first")
	second, _ := echo(t, "second")
	p := faultproxy.Start(t, first)
	l := dial(t, p)
	l.say("who")
	l.want("first who")
	p.Retarget(second)
	if got, err := l.hear(5 * time.Second); err == nil {
		t.Errorf("got %q, want the connection closed", got)
	}
	l = dial(t, p)
	l.say("who")
	l.want("second who")
}
