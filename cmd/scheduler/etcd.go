package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election/etcdlease"
	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/internal/redisclient"
)

// onEtcd is leases in etcd.
type onEtcd struct {
	*etcdlease.Store
	cfg *config.Config
}

// openEtcd makes the store in the etcd of cfg. If there is a user, etcd is asked for
// a token at once: without an answer the error says so.
func openEtcd(cfg *config.Config) (leaseStore, closers, error) {
	e := cfg.Lease.Etcd
	scheme := "http://"
	if e.TLS.Enabled {
		scheme = "https://"
	}
	endpoints := make([]string, len(e.Endpoints))
	for i, addr := range e.Endpoints {
		endpoints[i] = scheme + addr
	}
	o := etcdlease.Options(endpoints, tryOf(cfg))
	var err error
	if files := tlsFiles(e.TLS); files != nil {
		if o.TLS, err = redisclient.TLSConfig(*files); err != nil {
			return nil, nil, configError{fmt.Errorf("lease.etcd.tls: %w", err)}
		}
	}
	if o.Username = e.Username; o.Username != "" {
		if o.Password, err = e.Password.Value(); err != nil {
			return nil, nil, configError{fmt.Errorf("lease.etcd.password: %w", err)}
		}
	}
	client, err := clientv3.New(o)
	if err != nil {
		return nil, nil, fmt.Errorf("etcd at %s: %w; see lease.etcd: its endpoints, username and password", strings.Join(e.Endpoints, ","), err)
	}
	closing := closers{client.Close}
	store, err := etcdlease.New(client, e.Prefix, cfg.Namespace, tryOf(cfg))
	if err != nil {
		return nil, closing, configError{fmt.Errorf("lease store: %w", err)}
	}
	return onEtcd{store, cfg}, append(closing, store.Close), nil
}

// Preflight looks at etcd, which leaves little to be configured that could weaken a
// lease, and at the journal.
func (s onEtcd) Preflight(ctx context.Context, maxOffset time.Duration) []preflight.Row {
	return append(judgeEtcd(s.Check(ctx)), journalRows(ctx, s.cfg, maxOffset)...)
}

// judgeEtcd is the rows of what etcd answered.
func judgeEtcd(warnings []string, err error) []preflight.Row {
	if err != nil {
		return []preflight.Row{{
			Check: preflight.CheckConnection, State: preflight.Fail, Found: err.Error(),
			Fix: "see lease.etcd.endpoints, whether TLS is right, and the user's rights on keys below lease.etcd.prefix",
		}}
	}
	rows := []preflight.Row{{Check: preflight.CheckConnection, State: preflight.OK, Found: "answers"}}
	for _, w := range warnings {
		rows = append(rows, preflight.Row{Check: "etcd", State: preflight.Warn, Found: w, Fix: "see etcdctl endpoint status"})
	}
	return rows
}
