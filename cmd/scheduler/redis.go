package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/telemetry"
)

// keyPrefix begins every key in Redis.
const keyPrefix = "solocron"

// journalTry is how long one request to the journal may take: nothing that is
// urgent waits for it.
const journalTry = 2 * time.Second

// backend is what one replica has in Redis. Leases, hints and the journal have
// connections of their own, so that none of them waits for another.
type backend struct {
	store   *redislease.Store
	members *redisjournal.Members
	memory  *daemon.Memory
	clients []*redis.Client
}

// connect makes the backend of the replica id over the Redis at addr. It asks
// Redis nothing: that is the daemon's to do.
func connect(cfg *config.Config, addr, id string) (*backend, error) {
	try := cfg.Lease.Election().WithDefaults().Try
	leases, hints := redis.NewClient(redisOptions(cfg, addr, try)), redis.NewClient(redisOptions(cfg, addr, try))
	records := redis.NewClient(redisOptions(cfg, addr, journalTry))
	b := &backend{clients: []*redis.Client{leases, hints, records}}
	store, err := redislease.New(leases, keyPrefix, cfg.Namespace, try)
	if err != nil {
		return nil, errors.Join(configError{fmt.Errorf("lease store: %w", err)}, b.close())
	}
	b.store = store
	self := journal.Replica{
		ID: id, Version: telemetry.ReadBuild().Version, Started: time.Now(), Revision: cfg.Revision,
	}
	b.members = redisjournal.New(hints, keyPrefix, cfg.Namespace, self)
	b.members.SetPace(cfg.Lease.Election().WithDefaults().TTL)
	if b.memory, err = remember(records, hints, cfg, id); err != nil {
		return nil, errors.Join(configError{fmt.Errorf("journal: %w", err)}, b.close())
	}
	return b, nil
}

// remember makes what the cluster remembers, as the replica id keeps it.
func remember(records, hints *redis.Client, cfg *config.Config, id string) (*daemon.Memory, error) {
	kept, err := redisjournal.NewJournal(records, keyPrefix, cfg.Namespace)
	if err != nil {
		return nil, err
	}
	logs, err := redisjournal.NewLogs(records, keyPrefix, cfg.Namespace, journal.LogBounds{})
	if err != nil {
		return nil, err
	}
	seen := journal.NewSightings(0)
	return &daemon.Memory{
		Journal: kept, Output: logs, Seen: seen,
		Inquiry: redisjournal.NewInquiry(hints, keyPrefix, cfg.Namespace, id, seen),
	}, nil
}

// redisOptions is how to reach Redis. The password is read at each connection,
// so that one that was rotated counts.
func redisOptions(cfg *config.Config, addr string, try time.Duration) *redis.Options {
	o := redislease.Options(addr, try)
	o.ClientName = "solocron"
	o.DB = cfg.Redis.DB
	if password := cfg.Redis.Password; !password.IsZero() {
		o.CredentialsProviderContext = func(context.Context) (string, string, error) {
			value, err := password.Value()
			if err != nil {
				return "", "", fmt.Errorf("redis.password: %w", err)
			}
			return cfg.Redis.Username, value, nil
		}
	}
	return o
}

func (b *backend) close() error {
	var errs []error
	for _, c := range b.clients {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// embed starts a Redis inside this process, on a free loopback port.
func embed() (*miniredis.Miniredis, error) {
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	if err := m.Start(); err != nil {
		return nil, fmt.Errorf("embedded redis: %w", err)
	}
	return m, nil
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
