package redistest

import (
	"errors"
	"net"
	"slices"
	"sync"
)

const queueLimit = 64 << 20 // bytes

// Queued returns a connection whose writes go into a queue and do not wait for
// the other side, as those of a socket do not. A pipe without it stands still
// when one side writes a long pipeline and the other already answers. Close
// closes conn, drops what is queued and waits for nobody.
func Queued(conn net.Conn) net.Conn {
	q := &queued{Conn: conn}
	q.more.L = &q.mu
	go q.drain()
	return q
}

type queued struct {
	net.Conn
	mu   sync.Mutex
	more sync.Cond
	data []byte
	err  error // why nothing more is written
}

// Write implements net.Conn.
func (q *queued) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return 0, q.err
	}
	if len(q.data)+len(p) > queueLimit {
		return 0, errors.New("the queue of the connection is full")
	}
	q.data = append(q.data, p...)
	q.more.Signal()
	return len(p), nil
}

// Close implements net.Conn.
func (q *queued) Close() error {
	q.fail(net.ErrClosed)
	return q.Conn.Close()
}

func (q *queued) fail(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = err
	}
	q.more.Signal()
}

func (q *queued) drain() {
	for {
		p, ok := q.next()
		if !ok {
			return
		}
		if _, err := q.Conn.Write(p); err != nil {
			q.fail(err)
			return
		}
	}
}

// next takes what is queued, or reports that there will be nothing more.
func (q *queued) next() ([]byte, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.data) == 0 && q.err == nil {
		q.more.Wait()
	}
	if q.err != nil {
		return nil, false
	}
	p := slices.Clone(q.data)
	q.data = q.data[:0]
	return p, true
}
