package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/election/redlock"
	"github.com/solocron/solocron/internal/redisclient"
)

// quorumClose is how long calls to servers that hang are waited for at the end.
const quorumClose = 2 * time.Second

// quorum is a majority of servers.
type quorum struct {
	*redlock.Store
	cfg   *config.Config
	nodes []advised // in the order of cfg
}

// openRedlock makes the store in the majority of the servers of cfg, each reached
// with a client of its own. The time-out of a server is that of its sockets.
func openRedlock(cfg *config.Config) (leaseStore, closers, error) {
	r := cfg.Lease.Redlock
	limit := r.NodeTimeout
	if limit == 0 {
		limit = tryOf(cfg) * 2 / 5 // two rounds fit into a try
	}
	var closing closers
	q := quorum{cfg: cfg}
	nodes := make([]redlock.Node, len(r.Addrs))
	for i, addr := range r.Addrs {
		node, end, err := openRedisAt(cfg, redisclient.Settings{
			Section: "lease.redlock", Addrs: []string{addr}, Username: r.Username, Password: r.Password, TLS: tlsFiles(r.TLS), Try: limit,
		})
		closing = append(closing, end...)
		if err != nil {
			return nil, closing, err
		}
		q.nodes = append(q.nodes, node)
		nodes[i] = redlock.Node{Name: addr, Store: node.Store, Durable: r.Durable}
	}
	full := cfg.Lease.Election().WithDefaults()
	store, err := redlock.New(nodes, redlock.Config{NodeTimeout: limit, Young: full.TTL + full.LockDelay})
	if err != nil {
		return nil, closing, configError{fmt.Errorf("lease store: %w", err)}
	}
	q.Store = store
	closing = append(closing, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), quorumClose)
		defer cancel()
		return store.Close(ctx)
	})
	return q, closing, nil
}

// Preflight looks at each server, all at the same time, at all together, and at the
// journal.
func (q quorum) Preflight(ctx context.Context, maxOffset time.Duration) []preflight.Row {
	all := make([][]preflight.Row, len(q.nodes))
	var looking sync.WaitGroup
	for i, node := range q.nodes {
		looking.Go(func() {
			all[i] = rename(node.Preflight(ctx, maxOffset), q.cfg.Lease.Redlock.Addrs[i]+": ", "lease.redlock")
		})
	}
	looking.Wait()
	var rows []preflight.Row
	for _, part := range all {
		rows = append(rows, part...)
	}
	rows = append(rows, judgeQuorum(q.Check(ctx)))
	return append(rows, journalRows(ctx, q.cfg, maxOffset)...)
}

// judgeQuorum is the row of what servers are together.
func judgeQuorum(warnings []string, err error) preflight.Row {
	const check = "independence"
	flat := func(text string) string { return strings.ReplaceAll(text, "\n", "; ") }
	switch {
	case err != nil:
		return preflight.Row{
			Check: check, State: preflight.Fail, Found: flat(err.Error()),
			Fix: "name servers in lease.redlock.addrs that share nothing, each a master of its own, and have a majority of them answer",
		}
	case len(warnings) > 0:
		return preflight.Row{Check: check, State: preflight.Warn, Found: flat(strings.Join(warnings, "; ")), Fix: "see the rows of each server"}
	}
	return preflight.Row{Check: check, State: preflight.OK, Found: "the servers are independent masters"}
}
