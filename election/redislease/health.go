package redislease

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// clockTolerance is how far the server's clock may be from the local one
// without a warning. Leases are judged by the server's clock alone; ticks that
// are early or late by the difference are what suffers.
const clockTolerance = 250 * time.Millisecond

// Check asks the server whether it can be trusted with leases. The error says
// that it cannot be reached or is not a master; the warnings, for people, say
// what would weaken the promise: eviction, a clock that differs, facts that the
// server does not tell.
func (s *Store) Check(ctx context.Context) (warnings []string, err error) {
	cluster, ok := s.rdb.(*redis.ClusterClient)
	if !ok {
		return checkNode(ctx, s.rdb)
	}
	var mu sync.Mutex
	err = cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		found, err := checkNode(ctx, node)
		mu.Lock()
		defer mu.Unlock()
		for _, w := range found {
			warnings = append(warnings, node.Options().Addr+": "+w)
		}
		return err
	})
	return warnings, err
}

func checkNode(ctx context.Context, rdb redis.Cmdable) ([]string, error) {
	before := time.Now()
	clock, err := rdb.Time(ctx).Result()
	if err != nil {
		return nil, fmt.Errorf("redis clock: %w", err)
	}
	took := time.Since(before)
	info, err := rdb.Info(ctx).Result()
	if err != nil && !isReply(err) {
		return nil, fmt.Errorf("redis info: %w", err)
	}
	warnings, err := judge(info)
	if off := clock.Sub(before.Add(took / 2)); off.Abs() > clockTolerance+took/2 {
		warnings = append(warnings, fmt.Sprintf("the clock of redis is %s away from this machine's", off.Round(time.Millisecond)))
	}
	return warnings, err
}

// isReply reports whether the server itself answered with an error.
func isReply(err error) bool {
	_, ok := errors.AsType[redis.Error](err)
	return ok
}

// judge reads what INFO says about the role and the eviction of keys.
func judge(info string) ([]string, error) {
	facts := make(map[string]string)
	for line := range strings.Lines(info) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			facts[name] = value
		}
	}
	var warnings []string
	role, known := facts["role"]
	if !known {
		warnings = append(warnings, "redis does not tell its role: cannot check that it is a master")
	} else if role != "master" {
		return nil, fmt.Errorf("redis has the role %q: leases need the master", role)
	}
	switch policy, known := facts["maxmemory_policy"]; {
	case !known:
		warnings = append(warnings, "redis does not tell its maxmemory-policy: cannot check that it never evicts leases")
	case policy != "noeviction":
		warnings = append(warnings, fmt.Sprintf("redis has maxmemory-policy %s: it may evict leases; set noeviction", policy))
	}
	return warnings, nil
}
