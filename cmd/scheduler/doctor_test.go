package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/internal/redistest"
)

// examined is what doctor says about the Redis at addr.
func examined(t *testing.T, addr, settings string, args ...string) ran {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "config.yaml"), fmt.Sprintf(`
redis: { addr: %q }
%s
jobs: [{ name: a, schedule: "@daily", shell: "true" }]
`, addr, settings))
	return scheduler(t, dir, append([]string{"doctor"}, args...)...)
}

func TestDoctorPassesAGoodRedisAlsoStrictly(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--appendonly", "yes", "--maxmemory-policy", "noeviction")
	got := examined(t, server.Addr, "terminationGracePeriod: 1m", "--strict", "-o", "json")
	var answer struct {
		OK   bool `json:"ok"`
		Rows []struct{ Check, State, Found, Fix string }
	}
	if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil {
		t.Fatalf("%v\n%s%s", err, got.stdout, got.stderr)
	}
	checks := map[string]string{}
	for _, r := range answer.Rows {
		checks[r.Check] = r.State + " " + r.Found + " " + r.Fix
	}
	for _, check := range []string{
		"connection", "version", "role", "maxmemory-policy", "persistence", "min-replicas-to-write", "scripts", "user",
		"latency", "clock offset", "cluster slots", "exclusion", "termination",
	} {
		if !strings.HasPrefix(checks[check], "ok ") {
			t.Errorf("%s: got %q, want ok", check, checks[check])
		}
	}
	for _, check := range []string{"tzdata", "open files"} { // of the host, whatever it is
		if checks[check] == "" {
			t.Errorf("no row %s", check)
		}
	}
	if answer.OK != (got.code == 0) {
		t.Errorf("ok %t, but exit code %d", answer.OK, got.code)
	}
}

func TestDoctorWarnsOfARedisThatEvictsAndStrictRefusesIt(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr})
	defer rdb.Close()
	if err := rdb.ConfigSet(t.Context(), "maxmemory-policy", "allkeys-lru").Err(); err != nil {
		t.Fatal(err)
	}
	got := examined(t, server.Addr, "")
	if got.code != 0 || !strings.Contains(got.stdout, "-> CONFIG SET maxmemory-policy noeviction") {
		t.Errorf("got exit code %d and\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := examined(t, server.Addr, "", "--strict"); got.code != 1 || !strings.Contains(got.stderr, "which --strict refuses") {
		t.Errorf("strict: got exit code %d, %q", got.code, got.stderr)
	}
}

func TestDoctorFailsWithoutRedisAndTellsUsageAndConfigurationApart(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	server.Stop()
	if got := examined(t, server.Addr, ""); got.code != 1 || !strings.Contains(got.stdout, "connection") || !strings.Contains(got.stderr, "1 check failed") {
		t.Errorf("no Redis: got exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := examined(t, server.Addr, "", "-o", "xml"); got.code != 2 {
		t.Errorf("-o xml: got exit code %d, want 2", got.code)
	}
	if got := examined(t, server.Addr, "terminationGracePeriod: 20s"); got.code != 3 || !strings.Contains(got.stderr, "= 45s") {
		t.Errorf("a pod that is killed too early: got exit code %d, %q, want 3 and the arithmetic", got.code, got.stderr)
	}
}

func TestDoctorExaminesTheEmbeddedRedisAndTakesNothingForGranted(t *testing.T) {
	t.Parallel()
	got := examined(t, "embedded", "")
	if got.code != 0 || !strings.Contains(got.stdout, "unknown") || !strings.Contains(got.stdout, "exclusion") {
		t.Errorf("got exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestServeLogsOnceWhatDoctorWouldSay(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr})
	defer rdb.Close()
	if err := rdb.ConfigSet(context.WithoutCancel(t.Context()), "maxmemory-policy", "allkeys-lru").Err(); err != nil {
		t.Fatal(err)
	}
	s := serve(t, fmt.Sprintf("redis: { addr: %q }\njobs: [{ name: a, schedule: \"@daily\", shell: \"true\" }]\n", server.Addr))
	s.ready(t)
	const line = `"msg":"preflight","replica":`
	until(t, 10*time.Second, "the preflight", func() bool {
		return strings.Contains(s.stderr.String(), `"check":"termination"`)
	})
	log := s.stderr.String()
	if strings.Count(log, line) < 2 || strings.Count(log, `"check":"maxmemory-policy","state":"warn","found":"allkeys-lru"`) != 1 {
		t.Errorf("got\n%s", log)
	}
	if strings.Contains(log, `"state":"ok"`) {
		t.Errorf("rows that are ok are logged:\n%s", log)
	}
}
