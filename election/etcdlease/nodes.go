package etcdlease

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"

	"github.com/solocron/solocron/election"
)

// A node is the connection to one member.
type node struct {
	endpoint string
	conn     *grpc.ClientConn
	kv       clientv3.KV
	lease    clientv3.Lease
	status   pb.MaintenanceClient
}

// nodes are the members of a cluster. All requests go to the same one until it
// does not answer: a client that asks all in turn would meet the one that hangs
// again and again, for the ten seconds that gRPC takes to notice.
type nodes struct {
	list []node
	at   atomic.Uint32 // the one to ask, modulo their number
}

// connect prepares a connection to each endpoint of client. Each request is sent
// once: the answers of this package say whether one may have been applied.
func connect(client *clientv3.Client) (*nodes, error) {
	n := new(nodes)
	for _, endpoint := range client.Endpoints() {
		conn, err := client.Dial(endpoint)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("etcd endpoint %q: %w", endpoint, err), n.close())
		}
		n.list = append(n.list, node{
			endpoint: endpoint, conn: conn,
			// Without a client, calls do not wait for a member that is down.
			kv:     clientv3.NewKVFromKVClient(pb.NewKVClient(conn), nil),
			lease:  clientv3.NewLeaseFromLeaseClient(pb.NewLeaseClient(conn), nil, 0),
			status: pb.NewMaintenanceClient(conn),
		})
	}
	if len(n.list) == 0 {
		return nil, errors.New("etcd client: it has no endpoints")
	}
	n.at.Store(rand.Uint32N(uint32(len(n.list)))) // replicas do not all ask the same member
	return n, nil
}

func (n *nodes) close() error {
	var errs []error
	for _, m := range n.list {
		errs = append(errs, m.conn.Close())
	}
	return errors.Join(errs...)
}

// now is the member to ask, and its turn for leave.
func (n *nodes) now() (*node, uint32) {
	turn := n.at.Load()
	return &n.list[turn%uint32(len(n.list))], turn
}

// leave makes the next member the one to ask, unless somebody did so already.
func (n *nodes) leave(turn uint32) { n.at.CompareAndSwap(turn, turn+1) }

// once sends one request to the member in use. After an error that leaves open
// what happened, the next one is in use.
func (s *Store) once(ctx context.Context, send func(ctx context.Context, m *node) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.request)
	defer cancel()
	m, turn := s.nodes.now()
	err := send(ctx, m)
	if judge(err) == open {
		s.nodes.leave(turn)
	}
	return err
}

// repeatPause is between two requests when no member has answered.
func repeatPause(failed int) time.Duration {
	return election.Backoff{First: 10 * time.Millisecond, Max: 200 * time.Millisecond}.Pause(failed, rand.Float64())
}

// repeat sends a request that may be sent twice, until a member answers it or ctx ends.
func (s *Store) repeat(ctx context.Context, send func(ctx context.Context, m *node) error) error {
	for failed := 1; ; failed++ {
		err := s.once(ctx, send)
		if judge(err) != open {
			return err
		}
		if failed < len(s.nodes.list) && ctx.Err() == nil {
			continue
		}
		pause := time.NewTimer(repeatPause(failed))
		select {
		case <-ctx.Done():
			pause.Stop()
			return err
		case <-pause.C:
		}
	}
}
