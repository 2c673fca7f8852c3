package matrix_test

import (
	"context"
	"hash/fnv"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/internal/redistest"
)

const (
	prefix = "solocron"
	shards = 16
)

// connect makes a client as a replica does. It is closed with t.
func connect(t *testing.T, s redisclient.Settings) redis.UniversalClient {
	t.Helper()
	s.Section = "redis"
	rdb, err := redisclient.New(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// open makes a store over rdb.
func open(t *testing.T, rdb redis.UniversalClient, namespace string, try time.Duration, options ...redislease.Option) *redislease.Store {
	t.Helper()
	s, err := redislease.New(rdb, prefix, namespace, try, options...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shard is where a key lives, as the design fixes it for ever.
func shard(key string) int {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	return int(h.Sum64() % shards)
}

// redisKey is the key of a record, for names that need no encoding.
func redisKey(namespace, key string) string {
	return prefix + ":{" + namespace + "." + strconv.Itoa(shard(key)) + "}:lease:" + key
}

// together returns n names that live in one shard.
func together(n int) []string {
	var names []string
	for i := 0; len(names) < n; i++ {
		if name := "job-" + strconv.Itoa(i); shard(name) == 0 {
			names = append(names, name)
		}
	}
	return names
}

// apart returns a name for every shard.
func apart() []string {
	names := make([]string, shards)
	for i, left := 0, shards; left > 0; i++ {
		if name := "job-" + strconv.Itoa(i); names[shard(name)] == "" {
			names[shard(name)] = name
			left--
		}
	}
	return names
}

// wipe deletes the records of a namespace alone: others use the same server.
func wipe(namespace string, masters []*redistest.Server) error {
	for _, m := range masters {
		keys, err := m.Call("KEYS", prefix+":{"+namespace+".*}:lease:*")
		if err != nil {
			return err
		}
		for key := range strings.FieldsSeq(keys) {
			if _, err := m.Call("DEL", key); err != nil {
				return err
			}
		}
	}
	return nil
}

// inStep lets nothing that master has written so far be unknown to n replicas. A
// WAIT is about what was written before it on the same connection, and so about all
// that came before that.
func inStep(t *testing.T, master *redistest.Server, n int) {
	t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: master.Addr, MaxRetries: -1})
	defer rdb.Close()
	const limit = 5 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), 2*limit)
	defer cancel()
	pipe := rdb.Pipeline()
	pipe.Publish(ctx, "in-step", "") // reaches replicas as a write does, and no slot of a cluster
	have := pipe.Do(ctx, "WAIT", n, limit.Milliseconds())
	if _, err := pipe.Exec(ctx); err != nil {
		t.Fatal(err)
	}
	if got, err := have.Int(); err != nil || got < n {
		t.Fatalf("%d of %d replicas are in step: %v", got, n, err)
	}
}
