package main

import (
	"context"
	"fmt"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/internal/redisclient"
)

// leaseStore is a store of leases that can be looked at closely.
type leaseStore interface {
	daemon.Store
	daemon.Inspector
}

// openLeases makes the store that cfg says leases are kept in. What it returns to
// close is to be closed after an error, too.
func openLeases(cfg *config.Config) (leaseStore, closers, error) {
	switch cfg.Lease.Store {
	case config.OnRedlock:
		return openRedlock(cfg)
	case config.OnEtcd:
		return openEtcd(cfg)
	case config.OnRedis:
	}
	s, closing, err := openRedis(cfg)
	return s, closing, err
}

// openRedis makes the store in the Redis of cfg.
func openRedis(cfg *config.Config) (advised, closers, error) {
	r := cfg.Redis
	var options []redislease.Option
	if r.WaitReplicas > 0 {
		options = append(options, redislease.Wait{Replicas: r.WaitReplicas, Timeout: r.WaitTimeout, AOF: r.WaitAOF})
	}
	return openRedisAt(cfg, redisSettings(cfg, tryOf(cfg)), options...)
}

// openRedisAt makes a store of cfg in the Redis that s says how to reach.
func openRedisAt(cfg *config.Config, s redisclient.Settings, options ...redislease.Option) (advised, closers, error) {
	rdb, err := redisclient.New(s)
	if err != nil {
		return advised{}, nil, configError{err}
	}
	store, err := redislease.New(rdb, keyPrefix, cfg.Namespace, s.Try, options...)
	if err != nil {
		err = configError{fmt.Errorf("lease store: %w", err)}
	}
	return advised{store, s.Section}, closers{rdb.Close}, err
}

// advised is a store that says what to do when it cannot be reached.
type advised struct {
	*redislease.Store
	section string // of the configuration
}

// Check is that of the store, with advice.
func (s advised) Check(ctx context.Context) ([]string, error) {
	warnings, err := s.Store.Check(ctx)
	if err != nil {
		err = fmt.Errorf("%w; %s", err, preflight.Unreached(s.section, err, "").Fix)
	}
	return warnings, err
}

// Preflight is that of the store, in the words of its section.
func (s advised) Preflight(ctx context.Context, maxOffset time.Duration) []preflight.Row {
	return rename(s.Store.Preflight(ctx, maxOffset), "", s.section)
}
