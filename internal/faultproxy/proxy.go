// Package faultproxy stands between a client and a server on loopback and makes
// the network misbehave: slow requests, lost replies, silence.
package faultproxy

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy forwards TCP connections to a target until the test ends.
type Proxy struct {
	listener net.Listener
	target   string
	open     sync.WaitGroup

	mu     sync.Mutex
	delay  time.Duration // of each chunk towards the target
	silent bool          // nothing moves in either direction
	drop   bool          // the next reply is lost and its connection closed
	conns  map[net.Conn]struct{}
}

// Start returns a Proxy to target, a loopback address, on a free port.
func Start(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, target: target, conns: make(map[net.Conn]struct{})}
	p.open.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// Addr is where the proxy listens.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Delay holds each chunk from the client back by d.
func (p *Proxy) Delay(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = d
}

// Silence lets nothing through, in either direction, while on; connections stay open.
func (p *Proxy) Silence(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = on
}

// DropNextReply loses the next chunk from the server and closes its connection:
// the server has acted, the client does not know.
func (p *Proxy) DropNextReply() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop = true
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		server, err := net.DialTimeout("tcp", p.target, time.Second)
		if err != nil {
			client.Close()
			continue
		}
		p.keep(client, server)
		p.open.Go(func() { p.pipe(server, client, p.request) })
		p.open.Go(func() { p.pipe(client, server, p.reply) })
	}
}

func (p *Proxy) keep(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		if p.conns == nil {
			c.Close() // the test has ended meanwhile
			continue
		}
		p.conns[c] = struct{}{}
	}
}

var errDropped = errors.New("reply dropped")

// pipe copies from src to dst; before each chunk it asks gate, which waits or refuses.
func (p *Proxy) pipe(dst, src net.Conn, gate func() error) {
	defer p.forget(dst, src)
	buf := make([]byte, 64<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			if gate() != nil {
				return
			}
			if _, werr := dst.Write(buf[:n]); werr != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *Proxy) request() error {
	p.mu.Lock()
	delay := p.delay
	p.mu.Unlock()
	if delay > 0 {
		time.Sleep(delay)
	}
	return p.heard()
}

func (p *Proxy) reply() error {
	if err := p.heard(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drop {
		p.drop = false
		return errDropped
	}
	return nil
}

// heard waits while the proxy is silent.
func (p *Proxy) heard() error {
	for {
		p.mu.Lock()
		silent, closed := p.silent, p.conns == nil
		p.mu.Unlock()
		switch {
		case closed:
			return io.EOF
		case !silent:
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (p *Proxy) forget(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		c.Close()
		delete(p.conns, c)
	}
}

func (p *Proxy) close() {
	p.listener.Close()
	p.mu.Lock()
	for c := range p.conns {
		c.Close()
	}
	p.conns = nil
	p.mu.Unlock()
	p.open.Wait()
}
