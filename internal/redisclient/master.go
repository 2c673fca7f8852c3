package redisclient

import (
	"context"
	"net"
	"sync"
	"syscall"
	"time"
)

// watchEvery is how often sentinels are asked whether the master is still the one
// that we are connected to. It costs a connection to each of them.
const watchEvery = time.Second

// master connects to the master that sentinels name, and ends connections to one
// that no longer is it: a server that is cut off from them, but not from us, would
// go on granting. The others learn it by themselves: a replica refuses what is
// written, and go-redis drops such a connection.
//
// It looks while there are connections, so that it ends with the client: there is
// nothing to close.
type master struct {
	finder finder
	dialer *dialer

	mu      sync.Mutex
	conns   map[*tracked]struct{}
	looking bool
}

func newMaster(s *Settings, d *dialer) *master {
	return &master{
		dialer: d, conns: make(map[*tracked]struct{}),
		finder: finder{
			section: s.Section, master: s.Sentinel.Master, addrs: s.Addrs, dial: d.dial, limit: s.Try / 2,
			login: credentials(s.Section+".sentinel.password", s.Sentinel.Username, s.Sentinel.Password),
		},
	}
}

// dial asks for the master and connects to it.
func (m *master) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, m.dialer.limit)
	defer cancel()
	addr, err := m.finder.find(ctx)
	if err != nil {
		return nil, notConnected(network, err)
	}
	conn, err := m.dialer.net.DialContext(ctx, network, addr)
	if err != nil {
		return nil, notConnected(network, err)
	}
	return m.dialer.wrap(ctx, network, addr, m.track(conn, addr))
}

// track notes a connection until it is closed, and sees to it that somebody looks
// after it.
func (m *master) track(conn net.Conn, addr string) *tracked {
	t := &tracked{Conn: conn, addr: addr, of: m}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.conns[t] = struct{}{}
	m.lookLater()
	return t
}

// lookLater has the sentinels asked after a while. The caller holds mu.
func (m *master) lookLater() {
	if !m.looking && len(m.conns) > 0 {
		m.looking = true
		time.AfterFunc(watchEvery, m.look)
	}
}

// look asks who is the master and ends the connections to others. While no
// sentinel answers, all stay.
func (m *master) look() {
	addr, err := m.finder.find(context.Background()) // find has a limit of its own
	var stale []*tracked
	m.mu.Lock()
	for t := range m.conns {
		if err == nil && t.addr != addr {
			stale = append(stale, t)
		}
	}
	m.looking = false
	m.lookLater()
	m.mu.Unlock()
	for _, t := range stale {
		_ = t.Close() // whoever uses it is told by an error
	}
}

// tracked is a connection to what was the master.
type tracked struct {
	net.Conn
	addr string
	of   *master
}

// Close closes the connection and forgets it.
func (t *tracked) Close() error {
	t.of.mu.Lock()
	delete(t.of.conns, t)
	t.of.mu.Unlock()
	return t.Conn.Close()
}

// SyscallConn lets go-redis see whether an idle connection is still open.
func (t *tracked) SyscallConn() (syscall.RawConn, error) {
	if c, ok := t.Conn.(syscall.Conn); ok {
		return c.SyscallConn()
	}
	return nil, syscall.EINVAL
}
