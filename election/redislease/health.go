package redislease

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease/preflight"
)

// clockTolerance is how far the server's clock may be from the local one
// without a warning. Leases are judged by the server's clock alone; ticks that
// are early or late by the difference are what suffers.
const clockTolerance = 250 * time.Millisecond

// Check asks the server whether it can be trusted with leases. The error says
// that it cannot be reached, is not a master or cannot do what Wait asks for; the
// warnings, for people, say what would weaken the promise: eviction, too few
// replicas to wait for, a clock that differs, facts that the server does not tell.
func (s *Store) Check(ctx context.Context) (warnings []string, err error) {
	found := make(map[string]identity)
	cluster, ok := s.rdb.(*redis.ClusterClient)
	if !ok {
		warnings, who, err := s.checkNode(ctx, s.rdb)
		if who != (identity{}) {
			found[""] = who
		}
		s.sightings.note(found)
		return warnings, err
	}
	var mu sync.Mutex
	err = cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		list, who, err := s.checkNode(ctx, node)
		mu.Lock()
		defer mu.Unlock()
		for _, w := range list {
			warnings = append(warnings, node.Options().Addr+": "+w)
		}
		if who != (identity{}) {
			found[node.Options().Addr] = who
		}
		return err
	})
	s.sightings.note(found)
	return warnings, err
}

// Clock asks the server for its time.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	now, err := s.rdb.Time(ctx).Result()
	if err != nil {
		return time.Time{}, fmt.Errorf("redis clock: %w", err)
	}
	return now, nil
}

// checkNode asks one server; who it is is zero if it does not say.
func (s *Store) checkNode(ctx context.Context, rdb redis.Cmdable) (warnings []string, who identity, err error) {
	before := time.Now()
	clock, err := rdb.Time(ctx).Result()
	if err != nil {
		return nil, identity{}, fmt.Errorf("redis clock: %w", err)
	}
	took := time.Since(before)
	info, err := rdb.Info(ctx).Result()
	if err != nil && !isReply(err) {
		return nil, identity{}, fmt.Errorf("redis info: %w", err)
	}
	facts := preflight.Facts(info)
	warnings, err = judge(facts)
	if err == nil {
		var weak []string
		weak, err = s.canWait(facts)
		warnings = append(warnings, weak...)
	}
	if off := clock.Sub(before.Add(took / 2)); off.Abs() > clockTolerance+took/2 {
		warnings = append(warnings, fmt.Sprintf("the clock of redis is %s away from this machine's", off.Round(time.Millisecond)))
	}
	return warnings, identity{facts["run_id"], facts["role"]}, err
}

// isReply reports whether the server itself answered with an error.
func isReply(err error) bool {
	_, ok := errors.AsType[redis.Error](err)
	return ok
}

// judge reads what INFO says about the role and the eviction of keys.
func judge(facts map[string]string) ([]string, error) {
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
