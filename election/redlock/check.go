package redlock

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// checker is a node that says whether leases can be kept in it.
type checker interface {
	Check(ctx context.Context) (warnings []string, err error)
}

// clocked is a node whose clock can be read.
type clocked interface {
	Clock(ctx context.Context) (time.Time, error)
}

// who is what a node says of itself.
type who struct {
	name     string
	err      error // it cannot keep leases now
	warnings []string
	told     bool // the rest is known
	id, role string
	cluster  bool
	mute     time.Duration
}

// Check asks every node whether it can keep leases, and who it is. The error says
// that fewer than a quorum can, or that the nodes are not independent: one server
// under two names, a replica, a member of a cluster; and what to do about it. The
// warnings name the nodes that are missing, and what the others warn of.
func (s *Store) Check(ctx context.Context) (warnings []string, err error) {
	if err := s.refused(ctx); err != nil {
		return nil, fmt.Errorf("redlock: %w", err)
	}
	all := poll(ctx, s, question[who]{
		n:       1,
		ask:     func(ctx context.Context, _ int, n *node) []who { return []who{ask(ctx, n)} },
		silence: func(err error) who { return who{err: err} },
		spoke:   func(w *who) bool { return w.err == nil },
	})
	nodes := column(all, 0)
	for i := range nodes {
		nodes[i].name = s.nodes[i].Name
	}
	return judge(nodes, s.quorum)
}

// ask asks one node.
func ask(ctx context.Context, n *node) who {
	var w who
	if c, ok := n.Store.(checker); ok {
		w.warnings, w.err = c.Check(ctx)
	}
	if i, ok := n.Store.(Identifier); ok {
		id, role, cluster, up, err := i.Identity(ctx)
		switch {
		case err != nil && w.err == nil:
			w.err = err
		case err == nil:
			w.told, w.id, w.role, w.cluster = true, id, role, cluster
			if n.ager != nil {
				w.mute = max(n.young-up, 0)
			}
		}
	}
	return w
}

// judge decides by what the nodes say of themselves whether they can keep leases
// together.
func judge(nodes []who, q int) (warnings []string, err error) {
	var faults, missing []error
	names := make(map[string]string)
	for _, w := range nodes {
		if w.told {
			faults = append(faults, dependence(w, names)...)
		}
		if w.err != nil {
			missing = append(missing, fmt.Errorf("node %s: %w", w.name, w.err))
			continue
		}
		if w.mute > 0 {
			warnings = append(warnings, fmt.Sprintf("node %s has started just now and may have lost its leases: it votes in %s",
				w.name, w.mute.Round(time.Second)))
		}
		for _, text := range w.warnings {
			warnings = append(warnings, fmt.Sprintf("node %s: %s", w.name, text))
		}
	}
	left := len(nodes) - len(missing)
	switch {
	case len(faults) > 0:
		return warnings, errors.Join(faults...)
	case left < q:
		return warnings, fmt.Errorf("%d of %d nodes can keep leases, %d are needed: %w", left, len(nodes), q, errors.Join(missing...))
	}
	for _, e := range missing {
		warnings = append(warnings, fmt.Sprintf("%s; leases survive the loss of %d more", strings.TrimSpace(e.Error()), left-q))
	}
	return warnings, nil
}

// dependence is why a node is not independent of the others, whose identities are
// in names and which it joins.
func dependence(w who, names map[string]string) (faults []error) {
	switch {
	case w.cluster:
		faults = append(faults, fmt.Errorf("node %s is part of a cluster, which has replicas and moves keys by itself: "+
			"use servers of their own with cluster-enabled no, or lease.store redis with the whole cluster", w.name))
	case w.role != "master":
		faults = append(faults, fmt.Errorf("node %s has the role %q: it repeats what another server says; "+
			"use a server of its own, with REPLICAOF NO ONE", w.name, w.role))
	}
	if twin, twice := names[w.id]; twice && w.id != "" {
		faults = append(faults, fmt.Errorf("nodes %s and %s are the same server, run_id %.8s: two votes of one server are no majority; "+
			"give one of them the address of another server", twin, w.name, w.id))
	}
	names[w.id] = w.name
	return faults
}

// Clock is the middle of the clocks of a quorum or more of the nodes.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	clocks, err := askAll(ctx, s, "reading clocks", func(ctx context.Context, n *node) (time.Time, error) {
		if c, ok := n.Store.(clocked); ok {
			return c.Clock(ctx)
		}
		return time.Time{}, errNoClock
	})
	if err != nil {
		return time.Time{}, err
	}
	return median(slices.Clone(clocks)), nil
}

var errNoClock = errors.New("its store has no clock that can be read")
