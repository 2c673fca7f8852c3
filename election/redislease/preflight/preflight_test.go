package preflight_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/election/redislease/preflight"
)

func TestWhatAServerSaysOfItselfIsJudgedRowByRow(t *testing.T) {
	t.Parallel()
	info := map[string]string{
		"redis_version": "7.2.4", "role": "master", "maxmemory_policy": "noeviction", "aof_enabled": "1", "connected_slaves": "2",
	}
	config := map[string]string{"save": "", "min-replicas-to-write": "1"}
	for _, c := range []struct {
		check string
		set   map[string]string // in info or, where it is there, in config; "-" takes a fact away
		want  preflight.State
		says  string
	}{
		{"version", nil, preflight.OK, "redis 7.2.4"},
		{"version", map[string]string{"redis_version": "6.2.1"}, preflight.Warn, "not tested"},
		{"version", map[string]string{"redis_version": "4.0.14"}, preflight.Fail, "5.0 or later"},
		{"version", map[string]string{"redis_version": "-"}, preflight.Unknown, "INFO"},
		{"version", map[string]string{"server_name": "valkey", "valkey_version": "8.1.0"}, preflight.OK, "valkey 8.1.0"},
		{"role", nil, preflight.OK, "master"},
		{"role", map[string]string{"role": "slave"}, preflight.Fail, "connect to the master"},
		{"role", map[string]string{"role": "-"}, preflight.Unknown, "INFO"},
		{"role", map[string]string{"role": "-", "redis_mode": "sentinel"}, preflight.Fail, "set redis.sentinel"},
		{"maxmemory-policy", nil, preflight.OK, "noeviction"},
		{"maxmemory-policy", map[string]string{"maxmemory_policy": "allkeys-lru"}, preflight.Warn, "CONFIG SET maxmemory-policy noeviction"},
		{"maxmemory-policy", map[string]string{"maxmemory_policy": "-"}, preflight.Unknown, "evicted"},
		{"persistence", nil, preflight.OK, "appendonly"},
		{"persistence", map[string]string{"aof_enabled": "0"}, preflight.Warn, "nothing is saved"},
		{"persistence", map[string]string{"aof_enabled": "0", "save": "3600 1"}, preflight.Warn, "snapshots only (save 3600 1)"},
		{"persistence", map[string]string{"aof_enabled": "0", "save": "-"}, preflight.Unknown, "CONFIG GET"},
		{"persistence", map[string]string{"aof_enabled": "-"}, preflight.Unknown, "INFO"},
		{"min-replicas-to-write", nil, preflight.OK, "1 of 2"},
		{"min-replicas-to-write", map[string]string{"min-replicas-to-write": "0"}, preflight.Warn, "cut off"},
		{"min-replicas-to-write", map[string]string{"min-replicas-to-write": "-"}, preflight.Unknown, "CONFIG GET"},
		{"min-replicas-to-write", map[string]string{"connected_slaves": "0", "min-replicas-to-write": "0"}, preflight.OK, "no replicas"},
		{"min-replicas-to-write", map[string]string{"connected_slaves": "-"}, preflight.Unknown, "INFO"},
	} {
		s := preflight.Server{Info: maps.Clone(info), Config: maps.Clone(config)}
		for name, value := range c.set {
			in := s.Info
			if _, ok := s.Config[name]; ok {
				in = s.Config
			}
			if in[name] = value; value == "-" {
				delete(in, name)
			}
		}
		got := find(t, preflight.Judge(s), c.check)
		if got.State != c.want || !strings.Contains(got.String(), c.says) || (got.Fix == "") != (c.want == preflight.OK) {
			t.Errorf("%s with %v: got %+v, want %s that says %q", c.check, c.set, got, c.want, c.says)
		}
	}
}

func find(t *testing.T, rows []preflight.Row, check string) preflight.Row {
	t.Helper()
	i := slices.IndexFunc(rows, func(r preflight.Row) bool { return r.Check == check })
	if i < 0 {
		t.Fatalf("no row %q in %v", check, rows)
	}
	return rows[i]
}

func TestMeasurementsAreHeldAgainstTheConfiguration(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	pings := append(slices.Repeat([]time.Duration{ms}, 90), slices.Repeat([]time.Duration{300 * ms}, 10)...)
	slots := preflight.Slots{On: true, Tags: 16, Covered: 16, Nodes: 3, Follows: true}
	with := func(change func(*preflight.Slots)) preflight.Row {
		s := slots
		change(&s)
		return preflight.Cluster(s)
	}
	for _, c := range []struct {
		got  preflight.Row
		want preflight.State
		says string
	}{
		{preflight.Latency(pings, 2*time.Second), preflight.OK, "p50 1ms, p99 300ms of 100 pings"},
		{preflight.Latency(pings, time.Second), preflight.Warn, "a quarter"},
		{preflight.Latency(pings, 200*ms), preflight.Fail, "tryTimeout 200ms"},
		{preflight.Latency(nil, time.Second), preflight.Fail, "no PING"},
		{preflight.ClockOffset(0, 2*time.Second), preflight.OK, "none"},
		{preflight.ClockOffset(-200*ms, 2*time.Second), preflight.OK, "200ms behind"},
		{preflight.ClockOffset(300*ms, 2*time.Second), preflight.Warn, "300ms ahead"},
		{preflight.ClockOffset(-3*time.Second, 2*time.Second), preflight.Fail, "clock.maxOffset 2s"},
		{preflight.Cluster(slots), preflight.OK, "16 of 16 tags have a node, on 3 nodes"},
		{preflight.Cluster(preflight.Slots{}), preflight.OK, "not a cluster"},
		{with(func(s *preflight.Slots) { s.Covered = 15 }), preflight.Fail, "15 of 16"},
		{with(func(s *preflight.Slots) { s.Follows = false }), preflight.Fail, "one node"},
		{with(func(s *preflight.Slots) { s.Follows, s.Nodes = false, 1 }), preflight.OK, "on 1 nodes"},
		{with(func(s *preflight.Slots) { s.Err = errors.New("NOPERM") }), preflight.Unknown, "NOPERM"},
	} {
		if c.got.State != c.want || !strings.Contains(c.got.String(), c.says) {
			t.Errorf("got %+v, want %s that says %q", c.got, c.want, c.says)
		}
	}
}

func TestStrictRefusesWhateverIsNotOK(t *testing.T) {
	t.Parallel()
	for state, want := range map[preflight.State][2]bool{
		preflight.OK: {false, false}, preflight.Unknown: {false, true}, preflight.Warn: {false, true}, preflight.Fail: {true, true},
	} {
		rows := []preflight.Row{{State: preflight.OK}, {State: state}}
		if got := [2]bool{preflight.Failed(rows, false), preflight.Failed(rows, true)}; got != want {
			t.Errorf("%s: got failed %v, want %v", state, got, want)
		}
	}
}
