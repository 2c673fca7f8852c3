package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/telemetry"
)

// keyPrefix begins every key in Redis.
const keyPrefix = "solocron"

// journalTry is how long one request to the journal may take: nothing that is
// urgent waits for it.
const journalTry = 2 * time.Second

// backend is what one replica has of stores. Leases, hints and the journal have
// connections of their own, so that none of them waits for another.
type backend struct {
	store   leaseStore
	members *redisjournal.Members
	memory  *daemon.Memory
	closers closers
}

// closers end what was opened, the last first.
type closers []func() error

func (c closers) close() error {
	var errs []error
	for _, end := range slices.Backward(c) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

func (b *backend) close() error { return b.closers.close() }

// connect makes the backend of the replica id. It asks no server anything, except
// etcd for a token if it has users: that is the daemon's to do.
func connect(cfg *config.Config, id string) (*backend, error) {
	b := new(backend)
	if err := b.open(cfg, id); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *backend) open(cfg *config.Config, id string) error {
	store, closing, err := openLeases(cfg)
	b.closers = append(b.closers, closing.close)
	if err != nil {
		return err
	}
	b.store = store
	hints, err := b.client(cfg, tryOf(cfg))
	if err != nil {
		return err
	}
	records, err := b.client(cfg, journalTry)
	if err != nil {
		return err
	}
	self := journal.Replica{
		ID: id, Version: telemetry.ReadBuild().Version, Started: time.Now(), Revision: cfg.Revision,
	}
	b.members = redisjournal.New(hints, keyPrefix, cfg.Namespace, self)
	b.members.SetPace(cfg.Lease.Election().WithDefaults().TTL)
	if b.memory, err = remember(records, hints, cfg, id); err != nil {
		return configError{fmt.Errorf("journal: %w", err)}
	}
	return nil
}

// client makes a client of the journal's Redis, which b closes.
func (b *backend) client(cfg *config.Config, try time.Duration) (redis.UniversalClient, error) {
	rdb, err := redisclient.New(redisSettings(cfg, try))
	if err != nil {
		return nil, configError{err}
	}
	b.closers = append(b.closers, rdb.Close)
	return rdb, nil
}

// remember makes what the cluster remembers, as the replica id keeps it.
func remember(records, hints redis.UniversalClient, cfg *config.Config, id string) (*daemon.Memory, error) {
	kept, err := redisjournal.NewJournal(records, keyPrefix, cfg.Namespace)
	if err != nil {
		return nil, err
	}
	logs, err := redisjournal.NewLogs(records, keyPrefix, cfg.Namespace, journal.LogBounds{})
	if err != nil {
		return nil, err
	}
	happenings, err := redisjournal.NewBatches(records, keyPrefix, cfg.Namespace)
	if err != nil {
		return nil, err
	}
	seen := journal.NewSightings(0)
	return &daemon.Memory{
		Journal: kept, Output: logs, Seen: seen,
		Inquiry: redisjournal.NewInquiry(hints, keyPrefix, cfg.Namespace, id, seen),
		Feed:    journal.NewFeed(happenings, id),
	}, nil
}

// tryOf is how long one request about a lease may take.
func tryOf(cfg *config.Config) time.Duration { return cfg.Lease.Election().WithDefaults().Try }

// redisSettings is how to reach the Redis of cfg.
func redisSettings(cfg *config.Config, try time.Duration) redisclient.Settings {
	r := cfg.Redis
	s := redisclient.Settings{
		Section: "redis", Addrs: r.Servers(), Cluster: r.Cluster, Username: r.Username, Password: r.Password,
		DB: r.DB, Protocol: r.Protocol, TLS: tlsFiles(r.TLS), Try: try,
	}
	if r.Sentinel.Master != "" {
		s.Sentinel = &redisclient.Sentinel{Master: r.Sentinel.Master, Username: r.Sentinel.Username, Password: r.Sentinel.Password}
	}
	return s
}

// tlsFiles is t as clients take it; nil if nothing is to be encrypted.
func tlsFiles(t config.TLS) *redisclient.TLS {
	if !t.Enabled {
		return nil
	}
	return &redisclient.TLS{CA: t.CA, Cert: t.Cert, Key: t.Key, ServerName: t.ServerName}
}

// where names the servers of cfg for people.
func where(cfg *config.Config) string { return strings.Join(cfg.Redis.Servers(), ",") }

// embed starts a Redis inside this process, on a free loopback port, and returns
// cfg with that in place of whatever it says of stores.
func embed(cfg *config.Config) (own *config.Config, end func(), err error) {
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	if err := m.Start(); err != nil {
		return nil, nil, fmt.Errorf("embedded redis: %w", err)
	}
	copied := *cfg
	copied.Redis = config.Redis{Addr: m.Addr(), DB: cfg.Redis.DB, Protocol: cfg.Redis.Protocol}
	copied.Lease.Store = config.OnRedis
	return &copied, m.Close, nil
}

// redisLog hands on what go-redis says of its connections. None of it is news:
// whoever called is told by an error.
type redisLog struct{ log *slog.Logger }

// Printf logs one line.
func (l redisLog) Printf(ctx context.Context, format string, v ...any) {
	if l.log.Enabled(ctx, slog.LevelDebug) {
		l.log.DebugContext(ctx, "redis client", "said", fmt.Sprintf(format, v...))
	}
}
