package redislease_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/internal/redistest"
)

const maxOffset = 2 * time.Second

// states is what each check of a preflight came to.
func states(rows []preflight.Row) map[string]preflight.State {
	out := make(map[string]preflight.State, len(rows))
	for _, r := range rows {
		out[r.Check] = r.State
	}
	return out
}

func says(rows []preflight.Row, check string) string {
	for _, r := range rows {
		if r.Check == check {
			return r.String()
		}
	}
	return "no row " + check
}

func TestAGoodServerPassesEveryCheckAndKeepsNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--appendonly", "yes", "--maxmemory-policy", "noeviction")
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	rows := s.Preflight(t.Context(), maxOffset)
	if len(rows) != 12 {
		t.Errorf("got %d rows, want 12", len(rows))
	}
	for _, r := range rows {
		if r.State != preflight.OK || r.Found == "" || r.Fix != "" {
			t.Errorf("got %+v, want ok", r)
		}
	}
	for _, key := range rdb.Keys(t.Context(), "*").Val() {
		if left := rdb.PTTL(t.Context(), key).Val(); left <= 0 || left > 20*time.Second {
			t.Errorf("%s stays for %v, want seconds", key, left)
		}
	}
}

func TestBadSettingsOfARealServerAreFound(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	for name, value := range map[string]string{"maxmemory-policy": "allkeys-lru", "save": "3600 1"} {
		if err := rdb.ConfigSet(t.Context(), name, value).Err(); err != nil {
			t.Fatal(err)
		}
	}
	rows := s.Preflight(t.Context(), maxOffset)
	got := states(rows)
	for check, want := range map[string]preflight.State{
		"maxmemory-policy": preflight.Warn, "persistence": preflight.Warn, "role": preflight.OK, "exclusion": preflight.OK,
	} {
		if got[check] != want {
			t.Errorf("%s: got %s, want %s", check, says(rows, check), want)
		}
	}
	if preflight.Failed(rows, false) || !preflight.Failed(rows, true) {
		t.Error("want refused by --strict alone")
	}
}

func TestAUserWithoutScriptsFails(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	boss := redis.NewClient(redislease.Options(server.Addr, try))
	defer boss.Close()
	rule := []any{"ACL", "SETUSER", "weak", "on", ">hunter2", "~*", "&*", "+@all", "-@scripting", "-config", "-cluster"}
	if err := boss.Do(t.Context(), rule...).Err(); err != nil {
		t.Fatal(err)
	}
	o := redislease.Options(server.Addr, try)
	o.Username, o.Password = "weak", "hunter2"
	s, _ := open(t, redis.NewClient(o), "test")
	rows := s.Preflight(t.Context(), maxOffset)
	got := states(rows)
	for check, want := range map[string]preflight.State{
		"scripts": preflight.Fail, "exclusion": preflight.Fail, "persistence": preflight.Unknown, "user": preflight.OK,
	} {
		if got[check] != want {
			t.Errorf("%s: got %s, want %s", check, says(rows, check), want)
		}
	}
	if !strings.Contains(says(rows, "user"), "weak") || !strings.Contains(says(rows, "scripts"), "every claim is a script") {
		t.Errorf("got %s and %s", says(rows, "user"), says(rows, "scripts"))
	}
	if text := fmt.Sprint(rows); strings.Contains(text, "hunter2") {
		t.Errorf("the password shows in %s", text)
	}
}

func TestAServerThatIsAwayOrAReplicaFails(t *testing.T) {
	t.Parallel()
	master := redistest.Start(t)
	host, port, _ := strings.Cut(master.Addr, ":")
	replica := redistest.Start(t, "--replicaof", host+" "+port)
	s, _ := open(t, redis.NewClient(redislease.Options(replica.Addr, try)), "test")
	rows := s.Preflight(t.Context(), maxOffset)
	got := states(rows)
	if got["role"] != preflight.Fail || got["exclusion"] != preflight.Fail {
		t.Errorf("a replica: got %s and %s, want both failed", says(rows, "role"), says(rows, "exclusion"))
	}
	replica.Stop()
	rows = s.Preflight(t.Context(), maxOffset)
	if len(rows) != 1 || rows[0].State != preflight.Fail {
		t.Errorf("a stopped server: got %v, want one failed row", rows)
	}
}

func TestAMasterWithAReplicaNeedsMinReplicas(t *testing.T) {
	t.Parallel()
	master := redistest.Start(t)
	host, port, _ := strings.Cut(master.Addr, ":")
	redistest.Start(t, "--replicaof", host+" "+port)
	s, rdb := open(t, redis.NewClient(redislease.Options(master.Addr, try)), "test")
	within(t, 20*time.Second, "the replica", func() bool {
		return preflight.Facts(rdb.Info(t.Context(), "replication").Val())["connected_slaves"] == "1"
	})
	const check = "min-replicas-to-write"
	if rows := s.Preflight(t.Context(), maxOffset); states(rows)[check] != preflight.Warn {
		t.Errorf("got %s, want a warning", says(rows, check))
	}
}

func TestAClusterNodeIsAskedForTheSlotsOfOurTags(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--cluster-enabled", "yes")
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	const check = "cluster slots"
	if rows := s.Preflight(t.Context(), maxOffset); states(rows)[check] != preflight.Fail {
		t.Errorf("without slots: got %s, want failed", says(rows, check))
	}
	slots := make([]int, 16384)
	for i := range slots {
		slots[i] = i
	}
	if err := rdb.ClusterAddSlots(t.Context(), slots...).Err(); err != nil {
		t.Fatal(err)
	}
	within(t, 20*time.Second, "the cluster", func() bool {
		return strings.Contains(rdb.ClusterInfo(t.Context()).Val(), "cluster_state:ok")
	})
	rows := s.Preflight(t.Context(), maxOffset)
	if got := says(rows, check); got != "cluster slots: 16 of 16 tags have a node, on 1 nodes" || states(rows)["exclusion"] != preflight.OK {
		t.Errorf("with all slots: got %s and %s", got, says(rows, "exclusion"))
	}
}

// within polls until ok or the time is over.
func within(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %s", what, limit)
		}
	}
}

func TestWhatMiniredisLacksIsUnknownAndNotOK(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := mini(t)
		time.Sleep(24 * time.Hour) // a bubble begins with the first tick that is allowed
		rows := s.Preflight(t.Context(), maxOffset)
		got := states(rows)
		for _, check := range []string{"version", "role", "maxmemory-policy", "persistence", "min-replicas-to-write", "user", "cluster slots"} {
			if got[check] != preflight.Unknown {
				t.Errorf("%s: got %s, want unknown", check, says(rows, check))
			}
		}
		for _, check := range []string{"connection", "scripts", "exclusion", "latency", "clock offset"} {
			if got[check] != preflight.OK {
				t.Errorf("%s: got %s, want ok", check, says(rows, check))
			}
		}
	})
}

// informed answers INFO with what the test says, and TIME by a clock that is ahead.
type informed struct {
	info  string
	ahead time.Duration
}

func (*informed) DialHook(next redis.DialHook) redis.DialHook { return next }

func (f *informed) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		switch c := cmd.(type) {
		case *redis.StringCmd:
			if c.Name() == "info" {
				c.SetErr(nil)
				c.SetVal(f.info)
				return nil
			}
		case *redis.TimeCmd:
			c.SetVal(c.Val().Add(f.ahead))
		}
		return err
	}
}

func (*informed) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func TestCheckTellsOfAnotherServerAndOfAnotherRole(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, rdb := mini(t)
		f := new(informed)
		rdb.AddHook(f)
		var told []string
		s.OnChange(func(what string) { told = append(told, what) })
		for _, info := range []string{
			"run_id:aaaaaaaa1\r\nrole:master\r\n",
			"run_id:aaaaaaaa1\r\nrole:master\r\n",
			"",                                    // it tells nothing, as a user without INFO is told
			"run_id:bbbbbbbb2\r\nrole:master\r\n", // restarted
			"run_id:bbbbbbbb2\r\nrole:slave\r\n",  // deposed
			"run_id:bbbbbbbb2\r\nrole:master\r\n", // and promoted
			"run_id:bbbbbbbb2\r\nrole:master\r\n",
		} {
			f.info = info
			_, _ = s.Check(t.Context()) // a slave is an error; that is tested elsewhere
		}
		want := []string{"run_id bbbbbbbb, before aaaaaaaa", "role slave, before master", "role master, before slave"}
		if !slices.Equal(told, want) {
			t.Errorf("got %q, want %q", told, want)
		}
	})
}

func TestAClockThatIsFarOffFailsThePreflight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, rdb := mini(t)
		rdb.AddHook(&informed{ahead: -3 * time.Second})
		rows := s.Preflight(t.Context(), maxOffset)
		if states(rows)["clock offset"] != preflight.Fail || !strings.Contains(says(rows, "clock offset"), "behind") {
			t.Errorf("got %s, want failed, and 3s behind", says(rows, "clock offset"))
		}
	})
}
