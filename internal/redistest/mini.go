package redistest

import (
	"context"
	"net"

	"github.com/alicebob/miniredis/v2"
)

// Dialer reaches m without a socket, as a go-redis Dialer: it can live in a
// bubble of testing/synctest. Give the client an IP address and disable its
// maintenance notifications, or it looks up a name outside the bubble.
func Dialer(m *miniredis.Miniredis) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		conn, err := m.Dial()
		if err != nil {
			return nil, err
		}
		return Queued(conn), nil
	}
}
