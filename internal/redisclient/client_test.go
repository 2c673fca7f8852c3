package redisclient_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/jobs"
)

const try = time.Second

// TestMain lets go-redis have what it starts when no server can be reached: it sees
// within a second that its client was closed.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}

// client makes a client that is closed when t ends.
func client(t *testing.T, s redisclient.Settings) redis.UniversalClient {
	t.Helper()
	s.Section = "redis"
	if s.Try == 0 {
		s.Try = try
	}
	rdb, err := redisclient.New(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// asks makes n requests at the same time, so that as many connections are needed.
func asks(ctx context.Context, rdb redis.UniversalClient, n int) error {
	errs := make(chan error, n)
	for range n {
		go func() {
			errs <- rdb.Eval(ctx, "return redis.call('SET', KEYS[1], 'x')", []string{"solocron:{t.1}:x"}).Err()
		}()
	}
	var failed error
	for range n {
		if err := <-errs; err != nil {
			failed = err
		}
	}
	return failed
}

// until polls ok for at most limit.
func until(t *testing.T, what string, limit time.Duration, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %s", what, limit)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestALeaseStoreTakesEveryKindOfClient(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]redisclient.Settings{
		"one server": {Addrs: []string{"127.0.0.1:1"}},
		"sentinels":  {Addrs: []string{"127.0.0.1:1", "127.0.0.1:2"}, Sentinel: &redisclient.Sentinel{Master: "m"}},
		"a cluster":  {Addrs: []string{"127.0.0.1:1", "127.0.0.1:2"}, Cluster: true},
	} {
		if _, err := redislease.New(client(t, s), "solocron", "test", try); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSettingsThatFitNothingAreRefused(t *testing.T) {
	t.Parallel()
	one := []string{"127.0.0.1:1"}
	two := []string{"127.0.0.1:1", "127.0.0.1:2"}
	for want, s := range map[string]redisclient.Settings{
		"has no address":           {Try: try},
		"must be above 0":          {Addrs: one},
		"has 2 addresses":          {Addrs: two, Try: try},
		"one of them":              {Addrs: two, Try: try, Cluster: true, Sentinel: &redisclient.Sentinel{Master: "m"}},
		"without a name":           {Addrs: two, Try: try, Sentinel: &redisclient.Sentinel{}},
		"it has only 0":            {Addrs: two, Try: try, Cluster: true, DB: 3},
		"protocol 4":               {Addrs: one, Try: try, Protocol: 4},
		"no such file":             {Addrs: one, Try: try, TLS: &redisclient.TLS{CA: "/nowhere/ca.crt"}},
		"holds no certificate":     {Addrs: one, Try: try, TLS: &redisclient.TLS{CA: os.DevNull}},
		"/dev/null and /dev/null:": {Addrs: one, Try: try, TLS: &redisclient.TLS{Cert: os.DevNull, Key: os.DevNull}},
	} {
		s.Section = "redis"
		if _, err := redisclient.New(s); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "redis") {
			t.Errorf("got %v, want an error about redis that says %q", err, want)
		}
	}
}

func TestBothProtocolsAreSpoken(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for asked, want := range map[int]int64{0: 3, 2: 2, 3: 3} {
		rdb := client(t, redisclient.Settings{Addrs: []string{server.Addr}, Protocol: asked})
		info, err := rdb.Do(t.Context(), "CLIENT", "INFO").Text()
		if err != nil || !strings.Contains(info, fmt.Sprintf(" resp=%d ", want)) && !strings.Contains(info, fmt.Sprintf(" resp=%d\n", want)) {
			t.Errorf("protocol %d: got %q, %v, want resp=%d", asked, info, err, want)
		}
	}
}

func TestAPasswordIsReadAgainForEachConnectionAndNeverShown(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	server.Do(t, "ACL", "SETUSER", "app", "on", ">first", "~*", "&*", "+@all")
	path := filepath.Join(t.TempDir(), "password")
	put := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("first\n")
	rdb := client(t, redisclient.Settings{Addrs: []string{server.Addr}, Username: "app", Password: jobs.Secret{File: path}})
	if name, err := rdb.Do(t.Context(), "ACL", "WHOAMI").Text(); err != nil || name != "app" {
		t.Fatalf("got %q, %v, want app", name, err)
	}
	server.Do(t, "ACL", "SETUSER", "app", "resetpass", ">hunter2")
	kill := func() { server.Do(t, "CLIENT", "KILL", "TYPE", "normal") }
	kill()
	until(t, "the refusal of the old password", 5*time.Second, func() bool {
		err := rdb.Ping(t.Context()).Err()
		return err != nil && strings.HasPrefix(err.Error(), "WRONGPASS")
	})
	put("hunter2")
	until(t, "the new password to count", 5*time.Second, func() bool { return rdb.Ping(t.Context()).Err() == nil })
	put("")
	kill()
	until(t, "the refusal of an empty password", 5*time.Second, func() bool {
		err := rdb.Ping(t.Context()).Err()
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Fatalf("the error shows the password: %v", err)
		}
		return err != nil && strings.Contains(err.Error(), "redis.password: it is empty")
	})
}
