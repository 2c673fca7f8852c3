package notify_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/solocron/solocron/config"
)

// postOffice is an SMTP server on loopback that takes every mail, or refuses some.
type postOffice struct {
	port   int
	refuse string // a recipient

	mu    sync.Mutex
	mails []string
	all   []string // commands
}

func newPostOffice(t *testing.T, refuse string) *postOffice {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &postOffice{port: l.Addr().(*net.TCPAddr).Port, refuse: refuse}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { p.serve(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); wg.Wait() })
	return p
}

func (p *postOffice) serve(conn net.Conn) {
	defer conn.Close()
	fmt.Fprint(conn, "220 test ESMTP\r\n")
	in := bufio.NewScanner(conn)
	for in.Scan() {
		line := in.Text()
		p.mu.Lock()
		p.all = append(p.all, line)
		p.mu.Unlock()
		switch word, _, _ := strings.Cut(strings.ToUpper(line), " "); {
		case word == "EHLO":
			fmt.Fprint(conn, "250-test\r\n250 8BITMIME\r\n")
		case word == "RCPT" && p.refuse != "" && strings.Contains(line, p.refuse):
			fmt.Fprint(conn, "550 no such user\r\n")
		case word == "DATA":
			fmt.Fprint(conn, "354 go on\r\n")
			var mail strings.Builder
			for in.Scan() && in.Text() != "." {
				mail.WriteString(in.Text() + "\n")
			}
			p.mu.Lock()
			p.mails = append(p.mails, mail.String())
			p.mu.Unlock()
			fmt.Fprint(conn, "250 taken\r\n")
		case word == "QUIT":
			fmt.Fprint(conn, "221 bye\r\n")
			return
		default:
			fmt.Fprint(conn, "250 fine\r\n")
		}
	}
}

func (p *postOffice) channel(to ...string) config.Channel {
	return config.Channel{Email: &config.Email{Host: "127.0.0.1", Port: p.port, TLS: config.MailPlain, From: "Solocron <cron@example.org>", To: to}}
}

func TestAMailReachesAllWhoAreToGetIt(t *testing.T) {
	t.Parallel()
	p := newPostOffice(t, "")
	if err := send(t, p.channel("ops@example.org", "boss@example.org"), failure()); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.mails) != 1 {
		t.Fatalf("got %d mails, want 1", len(p.mails))
	}
	for _, want := range []string{
		"Subject: [solocron] nightly-report failed, 2 times in a row", "From: \"Solocron\" <cron@example.org>", "<0123@solocron>",
		"Auto-Submitted: auto-generated", "run: nightly-report.20261129T120000Z",
	} {
		if !strings.Contains(p.mails[0], want) {
			t.Errorf("the mail lacks %q:\n%s", want, p.mails[0])
		}
	}
	if got := strings.Join(p.all, "\n"); strings.Count(got, "RCPT TO") != 2 {
		t.Errorf("got\n%s\nwant both recipients", got)
	}
}

func TestAMailThatTheServerDoesNotTakeIsAnError(t *testing.T) {
	t.Parallel()
	p := newPostOffice(t, "boss")
	if err := send(t, p.channel("boss@example.org"), failure()); err == nil {
		t.Error("got no error for a recipient that was refused")
	}
	c := p.channel("ops@example.org")
	c.Email.TLS = config.MailStartTLS
	if err := send(t, c, failure()); err == nil || len(p.mails) != 0 {
		t.Errorf("got %v and %d mails from a server without TLS, want none", err, len(p.mails))
	}
}

func TestAMailWithALineEndInItsSubjectStaysOneMail(t *testing.T) {
	t.Parallel()
	p := newPostOffice(t, "")
	d := failure()
	d.Messages[0].Job = "x\r\nBcc: stranger@example.org\r\n\r\nbody"
	if err := send(t, p.channel("ops@example.org"), d); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	head, _, _ := strings.Cut(p.mails[0], "\n\n")
	for line := range strings.Lines(head) {
		if strings.HasPrefix(line, "Bcc:") {
			t.Errorf("a header was smuggled in:\n%s", head)
		}
	}
}
