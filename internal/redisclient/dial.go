package redisclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"
)

// dialer opens connections, encrypted if secure is not nil, within limit each.
type dialer struct {
	net    net.Dialer
	limit  time.Duration
	secure *material
}

// dial connects to addr. All its errors are of the operation "dial": they prove
// that nothing was sent.
func (d *dialer) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	conn, err := d.net.DialContext(ctx, network, addr)
	if err != nil {
		return nil, notConnected(network, err)
	}
	return d.wrap(ctx, network, addr, conn)
}

// wrap encrypts conn, if that is asked for.
func (d *dialer) wrap(ctx context.Context, network, addr string, conn net.Conn) (net.Conn, error) {
	if d.secure == nil {
		return conn, nil
	}
	host, _, err := net.SplitHostPort(addr)
	if err == nil {
		secured := tls.Client(conn, d.secure.config(host))
		if err = secured.HandshakeContext(ctx); err == nil {
			return secured, nil
		}
		err = fmt.Errorf("tls handshake: %w", err)
	}
	_ = conn.Close() // it was of no use
	return nil, notConnected(network, err)
}

// notConnected makes err one of connecting.
func notConnected(network string, err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return err
	}
	return &net.OpError{Op: "dial", Net: network, Err: err}
}
