package redlock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
)

// Store keeps leases in a majority of its nodes. It implements election.Store and
// election.Overseer and is safe for concurrent use. Close it.
//
// It keeps no lease: what an election.Hold says is enough. Of some keys, a bounded
// number, it remembers what each node said last: see memory.
type Store struct {
	nodes  []*node
	quorum int
	cfg    Config
	memory memory
	crew   crew
}

var (
	_ election.Store    = (*Store)(nil)
	_ election.Overseer = (*Store)(nil)
)

// errClosed comes with election.ErrNotApplied.
var errClosed = errors.New("the store is closed")

// New returns a Store over nodes. It sends nothing, but refuses an even number of
// nodes, fewer than three, and nodes that are there twice under their name or store:
// whether two names are one server is for Check to find out.
func New(nodes []Node, cfg Config) (*Store, error) {
	if err := validate(nodes, cfg); err != nil {
		return nil, fmt.Errorf("redlock: %w", err)
	}
	s := &Store{quorum: len(nodes)/2 + 1, cfg: cfg.withDefaults()}
	for _, n := range nodes {
		s.nodes = append(s.nodes, newNode(n, s.cfg))
	}
	return s, nil
}

// Close waits until no call to a node is under way, for as long as ctx allows; the
// error says how many still are then. A closed store answers that nothing was
// applied. It does not close the nodes.
func (s *Store) Close(ctx context.Context) error {
	if left := s.crew.close(ctx); left > 0 {
		return fmt.Errorf("redlock: %d calls to nodes are still under way: %w", left, context.Cause(ctx))
	}
	return nil
}

// refused is the error of calls that came after their context had ended, or the store.
func (s *Store) refused(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", election.ErrNotApplied, context.Cause(ctx))
	}
	if s.crew.isClosed() {
		return fmt.Errorf("%w: %w", election.ErrNotApplied, errClosed)
	}
	return nil
}

// nodeTimeout is how long one node may take for a call under ctx.
func (s *Store) nodeTimeout(ctx context.Context) time.Duration {
	limit := s.cfg.NodeTimeout
	deadline, ok := ctx.Deadline()
	switch left := time.Until(deadline); {
	case limit == 0 && ok:
		limit = left * 2 / 5
	case limit == 0:
		limit = defaultTimeout
	case ok:
		limit = min(limit, left)
	}
	return max(limit, time.Millisecond)
}
