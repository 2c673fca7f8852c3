package faultproxy

import (
	"errors"
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy forwards TCP connections to a target until the test ends.
type Proxy struct {
	listener net.Listener
	open     sync.WaitGroup
	ended    chan struct{} // closed when the test has ended

	mu     sync.Mutex
	target string
	faults faults
	last   []byte        // the reply that was let through last, on whichever connection
	change chan struct{} // closed when the faults change
	conns  map[net.Conn]struct{}
}

// Start returns a Proxy to target, a loopback address, on a free port. It ends
// with t.
func Start(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{
		listener: l, target: target,
		ended: make(chan struct{}), change: make(chan struct{}), conns: make(map[net.Conn]struct{}),
	}
	p.open.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// Addr is where the proxy listens.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Retarget leads new connections to another server and closes those there are,
// as when an address has moved.
func (p *Proxy) Retarget(target string) {
	p.mu.Lock()
	p.target = target
	p.mu.Unlock()
	p.Cut()
}

// Cut closes all connections. New ones can be made.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.open.Go(func() { p.join(client) })
	}
}

// join forwards one connection until it ends.
func (p *Proxy) join(client net.Conn) {
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	server, err := net.DialTimeout("tcp", target, time.Second)
	if err != nil {
		client.Close()
		return
	}
	p.keep(client, server)
	defer p.forget(client, server)
	var pipes sync.WaitGroup
	pipes.Go(func() { p.pipe(server, client, p.request) })
	pipes.Go(func() { p.pipe(client, server, p.reply) })
	pipes.Wait()
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

func (p *Proxy) forget(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.conns, c)
	}
}

var (
	errDropped = errors.New("reply dropped")
	errEnded   = errors.New("the test has ended")
)

// pipe copies from src to dst and closes both at the end; each chunk passes
// through gate, which may wait, change it, or refuse.
func (p *Proxy) pipe(dst, src net.Conn, gate func([]byte) ([]byte, error)) {
	defer dst.Close()
	defer src.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			chunk, refused := gate(buf[:n])
			if refused != nil {
				return
			}
			if _, err := dst.Write(chunk); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *Proxy) close() {
	p.listener.Close()
	close(p.ended)
	p.mu.Lock()
	for c := range p.conns {
		c.Close()
	}
	p.conns = nil
	p.mu.Unlock()
	p.open.Wait()
}
