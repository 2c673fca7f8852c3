package etcdlease

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election"
)

// Store keeps lease records in etcd. It implements election.Store and
// election.Overseer and is safe for concurrent use.
type Store struct {
	nodes   *nodes
	head    string        // what all keys begin with
	try     time.Duration // how long one call may take
	request time.Duration // how long one question to one member may take

	mu      sync.Mutex
	keepers map[int64]keeper // what records stand on, by seconds

	writable atomic.Bool // Check has written once
}

var (
	_ election.Store    = (*Store)(nil)
	_ election.Overseer = (*Store)(nil)
)

var allowedName = regexp.MustCompile(`^[A-Za-z0-9._~/:-]{1,100}$`)

// requestsInTry is how many members that hang, one after the other, a call can
// ask before its time is up.
const requestsInTry = 3

// New returns a Store whose keys begin with prefix and namespace; both are 1 to
// 100 bytes of A-Z a-z 0-9 . _ ~ / : -. Try is the longest a call may take; a
// member that does not answer costs a third of it. New makes a connection of its
// own to each endpoint of client, but sends nothing: close the Store before the
// client.
func New(client *clientv3.Client, prefix, namespace string, try time.Duration) (*Store, error) {
	for _, name := range []struct{ what, value string }{{"prefix", prefix}, {"namespace", namespace}} {
		if !allowedName.MatchString(name.value) {
			return nil, fmt.Errorf("etcd key %s %q: use 1 to 100 of A-Z a-z 0-9 . _ ~ / : -", name.what, name.value)
		}
	}
	if try <= 0 {
		return nil, fmt.Errorf("etcd try time-out %s: it must be above 0", try)
	}
	if client == nil {
		return nil, errors.New("etcd client: there is none")
	}
	members, err := connect(client)
	if err != nil {
		return nil, err
	}
	return &Store{
		nodes: members, head: head(prefix, namespace), try: try, request: try / requestsInTry,
		keepers: make(map[int64]keeper),
	}, nil
}

// Close ends the connections of s. No call may be under way or come after it.
func (s *Store) Close() error { return s.nodes.close() }

// refused is the error of calls that came after their context had ended.
func refused(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", election.ErrNotApplied, context.Cause(ctx))
}
