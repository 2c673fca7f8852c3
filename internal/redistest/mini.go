package redistest

import (
	"context"
	"net"

	"github.com/alicebob/miniredis/v2"
)

// BubblePool is how many connections a client in a bubble of testing/synctest may
// have: so many that nobody waits for one. go-redis takes the timers of those who
// wait from a pool that all clients share, and a timer of one bubble cannot be used
// in another.
const BubblePool = 1000

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
