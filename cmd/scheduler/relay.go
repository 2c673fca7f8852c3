package main

import (
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// relayDial is how long a relay waits for the server behind it.
const relayDial = time.Second

// relay stands on loopback between one replica of dev and the Redis they share, so
// that this replica alone can be cut off.
type relay struct {
	listener net.Listener
	target   string
	open     sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]struct{} // nil: it is cut
}

// newRelay returns a relay to target, which must be cut in the end.
func newRelay(target string) (*relay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("relay: %w", err)
	}
	r := &relay{listener: l, target: target, conns: map[net.Conn]struct{}{}}
	r.open.Go(r.accept)
	return r, nil
}

// addr is where the relay listens.
func (r *relay) addr() string { return r.listener.Addr().String() }

// cut closes all connections, and there will be no others.
func (r *relay) cut() {
	r.listener.Close() //nolint:errcheck,gosec // it may be closed already
	r.mu.Lock()
	for c := range r.conns {
		c.Close() //nolint:errcheck,gosec // whoever reads from it notices
	}
	r.conns = nil
	r.mu.Unlock()
	r.open.Wait()
}

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return // it is cut
		}
		r.open.Go(func() { r.join(client) })
	}
}

// join hands on what either side says until one of them has ended.
func (r *relay) join(client net.Conn) {
	defer r.drop(client)
	if !r.keep(client) {
		return
	}
	server, err := net.DialTimeout("tcp", r.target, relayDial)
	if err != nil {
		return // the client finds its connection closed
	}
	defer r.drop(server)
	if !r.keep(server) {
		return
	}
	var back sync.WaitGroup
	back.Go(func() { pass(client, server) })
	pass(server, client)
	back.Wait()
}

// pass copies until src or dst ends, and then ends both.
func pass(dst, src net.Conn) {
	_, _ = io.Copy(dst, src) // how it ended does not matter
	dst.Close()              //nolint:errcheck,gosec // see above
	src.Close()              //nolint:errcheck,gosec // see above
}

// keep has c closed when the relay is cut; false: it is already.
func (r *relay) keep(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conns == nil {
		return false
	}
	r.conns[c] = struct{}{}
	return true
}

func (r *relay) drop(c net.Conn) {
	c.Close() //nolint:errcheck,gosec // it may be closed already
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
}
