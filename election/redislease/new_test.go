package redislease_test

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease"
)

func TestNewRefusesAClientThatALeaseCannotLiveWith(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(*redis.Options){
		"":                      func(*redis.Options) {},
		"ContextTimeoutEnabled": func(o *redis.Options) { o.ContextTimeoutEnabled = false },
		"MaxRetries":            func(o *redis.Options) { o.MaxRetries = 0 }, // go-redis reads it as 3
		"ReadTimeout":           func(o *redis.Options) { o.ReadTimeout = 2 * time.Second },
		"WriteTimeout":          func(o *redis.Options) { o.WriteTimeout = -1 },
		"DialTimeout":           func(o *redis.Options) { o.DialTimeout = 0 },
		"PoolTimeout":           func(o *redis.Options) { o.PoolTimeout = time.Minute },
	} {
		o := redislease.Options("127.0.0.1:1", time.Second)
		o.MinIdleConns = 0 // no connection is wanted here
		spoil(o)
		rdb := redis.NewClient(o)
		_, err := redislease.New(rdb, "solocron", "prod/billing", time.Second)
		_ = rdb.Close()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("a client with a bad %q: got error %v", want, err)
		}
	}
}

func TestNewRefusesAClusterClientThatReadsFromReplicas(t *testing.T) {
	t.Parallel()
	try := time.Second
	good := redis.ClusterOptions{
		Addrs: []string{"127.0.0.1:1"}, ContextTimeoutEnabled: true, MaxRetries: -1,
		ReadTimeout: try, WriteTimeout: try, DialTimeout: try, PoolTimeout: try,
	}
	for _, readOnly := range []bool{false, true} {
		o := good
		o.RouteByLatency = readOnly
		rdb := redis.NewClusterClient(&o)
		_, err := redislease.New(rdb, "solocron", "test", try)
		_ = rdb.Close()
		if (err != nil) != readOnly {
			t.Errorf("routing by latency %v: got error %v", readOnly, err)
		}
	}
	ring := redis.NewRing(&redis.RingOptions{})
	defer ring.Close()
	if _, err := redislease.New(ring, "solocron", "test", try); err == nil {
		t.Error("a ring was accepted")
	}
}

func TestNewRefusesNamesThatCouldMoveKeys(t *testing.T) {
	t.Parallel()
	o := redislease.Options("127.0.0.1:1", time.Second)
	o.MinIdleConns = 0
	rdb := redis.NewClient(o)
	defer rdb.Close()
	for _, name := range []string{"", "a{b", "a}b", "a b", "ü", strings.Repeat("a", 101)} {
		if _, err := redislease.New(rdb, name, "test", time.Second); err == nil {
			t.Errorf("prefix %q was accepted", name)
		}
		if _, err := redislease.New(rdb, "solocron", name, time.Second); err == nil {
			t.Errorf("namespace %q was accepted", name)
		}
	}
	if _, err := redislease.New(rdb, "solocron", "test", 0); err == nil {
		t.Error("a try of no time was accepted")
	}
}
