package redislease

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease/preflight"
)

// errUptime is what the server has to tell so that it can be known what it may have
// forgotten.
var errUptime = errors.New("redis does not tell its uptime: allow INFO server")

// Identity returns what tells the server from every other one and from itself before
// a restart (run_id), its role, whether it is part of a cluster, and for how long its
// process has been up, at least. It is for stores that decide together with others.
func (s *Store) Identity(ctx context.Context) (id, role string, cluster bool, up time.Duration, err error) {
	var parts []*redis.StringCmd
	_, err = s.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for _, section := range []string{"server", "replication", "cluster"} {
			parts = append(parts, pipe.Info(ctx, section))
		}
		return nil
	})
	if err != nil {
		return "", "", false, 0, fmt.Errorf("redis info: %w", err)
	}
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(p.Val())
		text.WriteByte('\n')
	}
	facts := preflight.Facts(text.String())
	up, err = uptime(facts)
	return facts["run_id"], facts["role"], facts["cluster_enabled"] == "1", up, err
}

// Age returns for how long the server's process has been up, at least, by its own
// clock.
func (s *Store) Age(ctx context.Context) (time.Duration, error) {
	info, err := s.rdb.Info(ctx, "server").Result()
	if err != nil {
		return 0, fmt.Errorf("redis info: %w", err)
	}
	return uptime(preflight.Facts(info))
}

// uptime reads the uptime, which the server rounds to seconds either way.
func uptime(facts map[string]string) (time.Duration, error) {
	seconds, err := strconv.ParseInt(facts["uptime_in_seconds"], 10, 64)
	if err != nil || seconds < 0 {
		return 0, errUptime
	}
	const most = 1 << 32 // 136 years: more would overflow
	return max(time.Duration(min(seconds, most))*time.Second-time.Second, 0), nil
}
