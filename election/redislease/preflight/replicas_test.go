package preflight_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/election/redislease/preflight"
)

func TestReplicasThatAreWaitedForMustFollow(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"connected_slaves": "3", "min_slaves_good_slaves": "2",
		"slave0": "ip=127.0.0.1,port=1,state=online,offset=9,lag=0", "slave1": "ip=127.0.0.1,port=2,state=online,offset=9,lag=10",
		"slave2": "ip=127.0.0.1,port=3,state=wait_bgsave,offset=0,lag=0", "slave_repl_offset": "9",
	}
	changed := func(name, value string) map[string]string {
		m := maps.Clone(good)
		m[name] = value
		return m
	}
	wanted := preflight.Wanted{Replicas: 2, Timeout: 500 * time.Millisecond, Try: time.Second}
	for _, c := range []struct {
		what  string
		facts map[string]string
		want  preflight.Wanted
		state preflight.State
		says  string
	}{
		{"enough", good, wanted, preflight.OK, "2 follow, 2 are waited for"},
		{"one is away", changed("slave1", "ip=127.0.0.1,port=2,state=online,offset=9,lag=11"), wanted, preflight.Fail, "connect 1 more"},
		{"one is new", changed("slave1", "ip=127.0.0.1,port=2,state=send_bulk,offset=9,lag=0"), wanted, preflight.Fail, "1 follow"},
		{"none", map[string]string{"connected_slaves": "0"}, wanted, preflight.Fail, "connect 2 more, or lower redis.waitReplicas"},
		{"nothing is told", map[string]string{}, wanted, preflight.Unknown, "allow INFO"},
		{"writes are taken without any", changed("min_slaves_good_slaves", ""), wanted, preflight.Warn, "min-replicas-to-write 1"},
		{
			"the answer comes too late", good,
			preflight.Wanted{Replicas: 2, Timeout: 900 * time.Millisecond, Try: time.Second},
			preflight.Warn, "more than 100ms below lease.tryTimeout 1s",
		},
	} {
		rows := preflight.Waits(c.facts, c.want)
		if len(rows) != 1 || rows[0].State != c.state || !strings.Contains(rows[0].String(), c.says) {
			t.Errorf("%s: got %v, want one row that is %s and says %q", c.what, rows, c.state, c.says)
		}
	}
	if rows := preflight.Waits(nil, preflight.Wanted{}); rows != nil {
		t.Errorf("nothing wanted: got %v, want no rows", rows)
	}
}

func TestWaitingForAppendOnlyFilesNeedsThemAndAServerThatCan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, aof string
		state        preflight.State
		says         string
	}{
		{"7.2.0", "1", preflight.OK, "appendonly yes"},
		{"8.0.1", "1", preflight.OK, ""},
		{"7.0.15", "1", preflight.Fail, "use 7.2 or later"},
		{"6.2.1", "1", preflight.Fail, "use 7.2 or later"},
		{"7.2.4", "0", preflight.Fail, "appendonly yes"},
		{"7.2.4", "", preflight.Unknown, "allow INFO"},
		{"", "1", preflight.Unknown, "allow INFO"},
	} {
		r := preflight.WaitAOF(map[string]string{"redis_version": c.version, "aof_enabled": c.aof})
		if r.State != c.state || !strings.Contains(r.String(), c.says) {
			t.Errorf("version %q, aof %q: got %v %s, want %s and %q", c.version, c.aof, r.State, r, c.state, c.says)
		}
	}
}
