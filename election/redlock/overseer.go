package redlock

import (
	"context"
	"errors"
	"fmt"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// A said is what one node says to people.
type said[T any] struct {
	value T
	err   error
}

// askAll asks every node that can be expected to answer, and returns what each says
// and, if fewer than a quorum say anything, the reasons of all others by their names.
func askAll[T any](ctx context.Context, s *Store, what string, ask func(context.Context, *node) (T, error)) ([]T, error) {
	if err := s.refused(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	all := poll(ctx, s, question[said[T]]{
		n: 1,
		ask: func(ctx context.Context, _ int, n *node) []said[T] {
			value, err := ask(ctx, n)
			return []said[T]{{value, err}}
		},
		silence: func(err error) said[T] { return said[T]{err: err} },
		spoke:   func(a *said[T]) bool { return a.err == nil || errors.Is(a.err, election.ErrChanged) },
	})
	var values []T
	var errs []error
	changed := 0
	for i := range all {
		a := &all[i][0]
		if a.err == nil {
			values = append(values, a.value)
			continue
		}
		if errors.Is(a.err, election.ErrChanged) {
			changed++
		}
		errs = append(errs, fmt.Errorf("node %s: %w", s.nodes[i].Name, a.err))
	}
	switch {
	case len(values) >= s.quorum:
		return values, nil
	case changed >= s.quorum:
		return nil, fmt.Errorf("%s: %w", what, errors.Join(errs...))
	}
	// That one node certainly did nothing, or has changed, is not true of all.
	return nil, fmt.Errorf("%s: %d of %d nodes did it, %d are needed: %w", what, len(values), len(all), s.quorum, hide(errs, false))
}

// Revoke implements election.Overseer, at a quorum at least. If it reaches fewer, the
// error names the others, and those that it reached have revoked the lease: repeat
// it with token 0.
func (s *Store) Revoke(ctx context.Context, r election.Revocation) (election.Record, error) {
	if err := check.Revocation(&r); err != nil {
		return election.Record{}, err
	}
	records, err := askAll(ctx, s, fmt.Sprintf("revoking %q", r.Key), func(ctx context.Context, n *node) (election.Record, error) {
		return n.Store.Revoke(ctx, r)
	})
	if err != nil {
		return election.Record{}, err
	}
	return merge(records, s.quorum), nil
}

// SetGate implements election.Overseer, at a quorum at least: no claim gets past it
// then. If it reaches fewer, the error names the others; repeat it.
func (s *Store) SetGate(ctx context.Context, key string, g election.Gate) error {
	if err := check.Gate(key, &g); err != nil {
		return err
	}
	_, err := askAll(ctx, s, fmt.Sprintf("gate of %q", key), func(ctx context.Context, n *node) (struct{}, error) {
		return struct{}{}, n.Store.SetGate(ctx, key, g)
	})
	return err
}

// Read implements election.Overseer: it merges what a quorum or more of the nodes
// say, and fails if fewer say anything.
func (s *Store) Read(ctx context.Context, keys []string) ([]election.Record, error) {
	for _, key := range keys {
		if err := check.Key(key); err != nil {
			return nil, err
		}
	}
	keys = append([]string(nil), keys...) // a node may read it after the caller has it back
	all, err := askAll(ctx, s, "reading records", func(ctx context.Context, n *node) ([]election.Record, error) {
		records, err := n.Store.Read(ctx, keys)
		if err == nil && len(records) != len(keys) {
			err = errAnswer
		}
		return records, err
	})
	if err != nil {
		return nil, err
	}
	merged := make([]election.Record, len(keys))
	for i := range merged {
		merged[i] = merge(column(all, i), s.quorum)
	}
	return merged, nil
}
