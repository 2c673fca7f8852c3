package cluster

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// A wire is the network between one replica and Redis.
type wire struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	mu    sync.Mutex
	cut   bool
	lag   time.Duration // added before each request
	until time.Time     // nothing moves before: the replica is paused
	conns map[*conn]struct{}
}

var errCut = errors.New("network is cut")

// Dial opens a connection, as redis.Options.Dialer.
func (w *wire) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut {
		return nil, errCut
	}
	inner, err := w.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: inner, wire: w}
	c.more.L = &c.mu
	go c.receive() // until Close
	w.conns[c] = struct{}{}
	return c, nil
}

// setCut cuts the wire or joins it again. What was sent may have arrived; no
// answer will.
func (w *wire) setCut(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	if cut {
		for c := range w.conns {
			c.Conn.Close()
		}
		clear(w.conns)
	}
}

func (w *wire) setLag(lag time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lag = lag
}

// pause lets nothing through for d.
func (w *wire) pause(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.until = time.Now().Add(d)
}

// hold is how long to wait before the next byte moves.
func (w *wire) hold(lag bool) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	wait := max(0, time.Until(w.until))
	if lag {
		wait += w.lag
	}
	return wait
}

// A conn takes in what Redis sends at once, as a socket does, and hands it out
// when the wire lets it: miniredis stands still, with its lock held, while a
// subscriber does not read.
type conn struct {
	net.Conn
	wire *wire

	mu   sync.Mutex
	more sync.Cond
	got  []byte
	err  error // after got

	until time.Time // read deadline; zero: none
	alarm *time.Timer
}

func (c *conn) receive() {
	buf := make([]byte, 64<<10)
	for {
		n, err := c.Conn.Read(buf)
		c.mu.Lock()
		c.got, c.err = append(c.got, buf[:n]...), err
		c.more.Broadcast()
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (c *conn) Write(b []byte) (int, error) {
	time.Sleep(c.wire.hold(true))
	return c.Conn.Write(b)
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.take(b)
	time.Sleep(c.wire.hold(false))
	return n, err
}

// take waits for bytes, for the end, or for the read deadline.
func (c *conn) take(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.got) == 0 && c.err == nil {
		if !c.until.IsZero() && !time.Now().Before(c.until) {
			return 0, os.ErrDeadlineExceeded
		}
		c.more.Wait()
	}
	if len(c.got) == 0 {
		return 0, c.err
	}
	n := copy(b, c.got)
	c.got = c.got[n:]
	return n, nil
}

// SetReadDeadline bounds the reads from this side; the receiver has none.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = t
	if c.alarm != nil {
		c.alarm.Stop()
	}
	if !t.IsZero() {
		c.alarm = time.AfterFunc(time.Until(t), c.more.Broadcast)
	}
	c.more.Broadcast()
	return nil
}

// SetDeadline bounds reads and writes.
func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.Conn.SetWriteDeadline(t)
}

func (c *conn) Close() error {
	c.wire.mu.Lock()
	delete(c.wire.conns, c)
	c.wire.mu.Unlock()
	return c.Conn.Close()
}
