package redislease

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease/preflight"
)

const (
	pings        = 200
	pingTime     = 3 * time.Second // for all of them: a slow server is found out by fewer
	clockAsks    = 9               // questions for the server's time
	maxFoundText = 200             // bytes of what a server answers that are shown
)

// Preflight looks closely at what s stands on: what the server says of itself and
// allows, how fast and how right it is, and whether two connections exclude each
// other. MaxOffset is what a replica bears of a clock. It writes one record, under
// a name nobody uses, which is gone after seconds. It takes some hundred requests:
// once at a start, not regularly. A server that does not answer is a failed row.
func (s *Store) Preflight(ctx context.Context, maxOffset time.Duration) []preflight.Row {
	if err := s.rdb.Ping(ctx).Err(); err != nil {
		return []preflight.Row{preflight.Unreached("redis", err, shown(err))}
	}
	rows := []preflight.Row{{Check: preflight.CheckConnection, State: preflight.OK, Found: "answers"}}
	rows = append(rows, s.servers(ctx, maxOffset)...)
	return append(rows, s.user(ctx), s.scriptsAllowed(ctx), s.slots(ctx), s.exclusion(ctx))
}

// servers looks at the server, or at each master of a cluster.
func (s *Store) servers(ctx context.Context, maxOffset time.Duration) []preflight.Row {
	cluster, ok := s.rdb.(*redis.ClusterClient)
	if !ok {
		return s.server(ctx, s.rdb, maxOffset)
	}
	var mu sync.Mutex
	var rows []preflight.Row
	err := cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		found := s.server(ctx, node, maxOffset)
		mu.Lock()
		defer mu.Unlock()
		for _, r := range found {
			r.Check += " of " + node.Options().Addr
			rows = append(rows, r)
		}
		return nil
	})
	if err != nil {
		rows = append(rows, preflight.Row{Check: "masters", State: preflight.Fail, Found: shown(err), Fix: "see CLUSTER NODES"})
	}
	return rows
}

func (s *Store) server(ctx context.Context, rdb redis.Cmdable, maxOffset time.Duration) []preflight.Row {
	info, _ := rdb.Info(ctx).Result() // what is missing is unknown
	facts := preflight.Server{Info: preflight.Facts(info), Config: make(map[string]string), Wanted: s.wanted()}
	for _, name := range []string{"maxmemory-policy", "save", "min-replicas-to-write"} {
		got, err := rdb.ConfigGet(ctx, name).Result()
		if value, ok := got[name]; err == nil && ok {
			facts.Config[name] = value
		}
	}
	rows := preflight.Judge(facts)
	rows = append(rows, preflight.Latency(latency(ctx, rdb), s.try()))
	ahead, err := clockAhead(ctx, rdb)
	if err != nil {
		return append(rows, preflight.Row{Check: "clock offset", State: preflight.Unknown, Found: shown(err), Fix: "allow TIME"})
	}
	return append(rows, preflight.ClockOffset(ahead, maxOffset))
}

// latency measures pings one after the other.
func latency(ctx context.Context, rdb redis.Cmdable) []time.Duration {
	var took []time.Duration
	for began := time.Now(); len(took) < pings && time.Since(began) < pingTime; {
		asked := time.Now()
		if rdb.Ping(ctx).Err() != nil {
			break
		}
		took = append(took, time.Since(asked))
	}
	return took
}

// clockAhead is what the server's clock is ahead for sure: the median of some
// readings, each less half the time it took.
func clockAhead(ctx context.Context, rdb redis.Cmdable) (time.Duration, error) {
	list := make([]time.Duration, clockAsks)
	for i := range list {
		asked := time.Now()
		clock, err := rdb.Time(ctx).Result()
		if err != nil {
			return 0, err
		}
		took := time.Since(asked)
		ahead := clock.Sub(asked.Add(took / 2))
		list[i] = max(ahead-took/2, 0)
		if ahead < 0 {
			list[i] = min(ahead+took/2, 0)
		}
	}
	slices.Sort(list)
	return list[len(list)/2], nil
}

// user says as whom the server knows us.
func (s *Store) user(ctx context.Context) preflight.Row {
	const check = "user"
	name, err := s.rdb.Do(ctx, "ACL", "WHOAMI").Text()
	if err != nil {
		return preflight.Row{Check: check, State: preflight.Unknown, Found: shown(err), Fix: "allow ACL WHOAMI; Redis has it from 6.0 on"}
	}
	return preflight.Row{Check: check, State: preflight.OK, Found: clip(name)}
}

// scriptsAllowed runs a script that reads one of our keys.
func (s *Store) scriptsAllowed(ctx context.Context) preflight.Row {
	const check = "scripts"
	key := s.heads[0] + "doctor"
	err := s.rdb.Eval(ctx, "return redis.call('EXISTS', KEYS[1])", []string{key}).Err()
	if err != nil {
		return preflight.Row{
			Check: check, State: preflight.Fail, Found: shown(err),
			Fix: "every claim is a script: " + preflight.ACL("USER", strings.SplitN(key, ":{", 2)[0]),
		}
	}
	return preflight.Row{Check: check, State: preflight.OK, Found: "EVAL under " + s.heads[0] + "* is allowed"}
}

// slots asks a cluster where the tags of our keys live.
func (s *Store) slots(ctx context.Context) preflight.Row {
	info, err := s.rdb.Info(ctx, "cluster").Result()
	if err != nil || preflight.Facts(info)["cluster_enabled"] == "" {
		return preflight.Row{
			Check: "cluster slots", State: preflight.Unknown, Found: "the server does not tell whether it is part of a cluster", Fix: "allow INFO",
		}
	}
	_, follows := s.rdb.(*redis.ClusterClient)
	found := preflight.Slots{On: preflight.Facts(info)["cluster_enabled"] == "1", Tags: shards, Follows: follows}
	if found.On {
		found.Covered, found.Nodes, found.Err = s.covered(ctx)
	}
	return preflight.Cluster(found)
}

// covered counts the tags whose slot a node has, and those nodes.
func (s *Store) covered(ctx context.Context) (tags, nodes int, err error) {
	ranges, err := s.rdb.ClusterSlots(ctx).Result()
	if err != nil {
		return 0, 0, err
	}
	seen := make(map[string]bool)
	for _, head := range s.heads {
		slot, err := s.rdb.ClusterKeySlot(ctx, head).Result()
		if err != nil {
			return 0, 0, err
		}
		i := slices.IndexFunc(ranges, func(r redis.ClusterSlot) bool {
			return int64(r.Start) <= slot && slot <= int64(r.End) && len(r.Nodes) > 0
		})
		if i >= 0 {
			tags++
			seen[ranges[i].Nodes[0].ID] = true
		}
	}
	return tags, len(seen), nil
}

// try is how long one request may take.
func (s *Store) try() time.Duration {
	switch c := s.rdb.(type) {
	case *redis.Client:
		return c.Options().ReadTimeout
	case *redis.ClusterClient:
		return c.Options().ReadTimeout
	}
	return time.Second
}

// shown is an error for a table: one line, not too long.
func shown(err error) string {
	text := clip(err.Error())
	if errors.Is(err, context.DeadlineExceeded) {
		return strings.Replace(text, context.DeadlineExceeded.Error(), "no answer in time", 1)
	}
	return text
}

func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxFoundText {
		text = strings.ToValidUTF8(text[:maxFoundText], "") + "..."
	}
	return text
}
