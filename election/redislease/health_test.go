package redislease_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

func TestCheckAcceptsAMasterThatEvictsNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--maxmemory-policy", "noeviction")
	s, _ := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	warnings, err := s.Check(t.Context())
	if err != nil || len(warnings) != 0 {
		t.Errorf("got warnings %q, error %v, want none", warnings, err)
	}
	server.Stop()
	if _, err := s.Check(t.Context()); err == nil {
		t.Error("a stopped server passes the check")
	}
}

func TestCheckWarnsOfEvictionAndRefusesAReplica(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		info, warning string
		refused       bool
	}{
		{"role:master\r\nmaxmemory_policy:noeviction\r\n", "", false},
		{"role:master\r\nmaxmemory_policy:allkeys-lru\r\n", "allkeys-lru", false},
		{"role:master\r\n", "maxmemory-policy", false},
		{"maxmemory_policy:noeviction\r\n", "role", false},
		{"role:slave\r\nmaxmemory_policy:noeviction\r\n", "", true},
	} {
		warnings, err := redislease.Judge(c.info)
		if (err != nil) != c.refused || (len(warnings) > 0) != (c.warning != "") || !strings.Contains(strings.Join(warnings, " "), c.warning) {
			t.Errorf("%q: got warnings %q, error %v", c.info, warnings, err)
		}
	}
}
