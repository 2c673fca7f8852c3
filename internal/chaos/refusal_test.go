package chaos_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/internal/redistest"
)

// refused lets cause be in force for as long as it takes that every lease of
// before has ended, and holds what was seen against the promise. While it is in
// force nothing may start, somebody must complain with these words, and no record
// may change.
func refused(t *testing.T, w *world, r *replica, words string, begin, end func()) {
	t.Helper()
	from := time.Now()
	begin()
	await(t, "a complaint with "+words, 20*time.Second, func() bool { return w.complained(words) })
	watch(t, terms().TTL) // what was in flight has ended
	before, starts := w.records(r), w.count()
	watch(t, 2*time.Second)
	if got := w.count(); got != starts {
		t.Errorf("%d runs have started while redis refused", got-starts)
	}
	for i, now := range w.records(r) {
		if now.Token != before[i].Token || now.State != before[i].State || !now.Decided.Equal(before[i].Decided) || len(now.Ring) != len(before[i].Ring) {
			t.Errorf("record of %s: got %+v, want it as before: %+v", now.Key, now, before[i])
		}
	}
	end()
	w.backWithin(term() + 20*time.Second)
	verdicts := w.judge(r, from, time.Now().Add(-time.Second))
	if n := lost(verdicts); n > 0 {
		t.Errorf("got %s, want every tick run late, or skipped for an older run", verdicts)
	}
}

// records reads the records of all jobs, as an operator may who is refused nothing.
func (w *world) records(r *replica) []election.Record {
	w.t.Helper()
	var names []string
	for _, j := range w.defs {
		names = append(names, j.name)
	}
	var list []election.Record
	await(w.t, "an answer of redis to an operator", 20*time.Second, func() bool {
		var err error
		if list, err = r.store.Read(w.t.Context(), names); err != nil {
			w.say("the operator reads in vain: %v", err) // its time-out is short, and the machine may be busy
		}
		return err == nil
	})
	return list
}

func TestARedisWithoutMemoryStartsNothingAndEveryTickIsMadeUpFor(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w := newWorld(t, append(quick(), job{"slow", 1500 * time.Millisecond})...)
	all := w.trio(server.Addr)
	w.backWithin(20 * time.Second)
	op := operator(t, server.Addr)
	do(t, op, "CONFIG", "SET", "maxmemory-policy", "noeviction")
	refused(t, w, all[0], "OOM",
		func() { do(t, op, "CONFIG", "SET", "maxmemory", "1mb") },
		func() { do(t, op, "CONFIG", "SET", "maxmemory", "0") })
}

func TestAUserWithoutEvalStartsNothingAndEveryTickIsMadeUpFor(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w := newWorld(t, append(quick(), job{"slow", 1500 * time.Millisecond})...)
	op := operator(t, server.Addr)
	do(t, op, "ACL", "SETUSER", "cron", "on", ">secret", "~*", "&*", "+@all")
	w.trio(server.Addr, func(o *redis.Options) { o.Username, o.Password = "cron", "secret" })
	w.backWithin(20 * time.Second)
	overseer := w.assemble("overseer", server.Addr)
	t.Cleanup(overseer.close)
	refused(t, w, overseer, "NOPERM",
		func() { do(t, op, "ACL", "SETUSER", "cron", "-eval", "-evalsha") },
		func() { do(t, op, "ACL", "SETUSER", "cron", "+eval", "+evalsha") })
	if w.complained("secret") {
		t.Error("a complaint holds the password")
	}
}

func TestAForeignStringAtTheKeyOfALeaseStopsOnlyItsJob(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w := newWorld(t, quick()...)
	all := w.trio(server.Addr)
	w.backWithin(20 * time.Second)
	op := operator(t, server.Addr)
	keys, err := op.Keys(t.Context(), prefix+":*:lease:b").Result()
	if err != nil || len(keys) != 1 {
		t.Fatalf("keys of the lease of b: %v, %v", keys, err)
	}
	const foreign = "not a lease"
	from := time.Now()
	w.calm(all)
	do(t, op, "SET", keys[0], foreign)
	watch(t, time.Second) // a run under way has ended
	before := w.startsByJob()
	await(t, "a and c to go on", 20*time.Second, func() bool {
		now := w.startsByJob()
		return now["a"] > before["a"]+1 && now["c"] > before["c"]+1
	})
	if after := w.startsByJob(); after["b"] != before["b"] {
		t.Errorf("b has started %d times without a lease", after["b"]-before["b"])
	}
	await(t, "a complaint of the foreign key", 20*time.Second, func() bool {
		return w.complained("foreign") || w.complained("WRONGTYPE") || w.complained("hash")
	})
	if got, err := op.Get(t.Context(), keys[0]).Result(); got != foreign || err != nil {
		t.Errorf("the foreign string: got %q, %v, want it untouched", got, err)
	}
	do(t, op, "DEL", keys[0])
	w.backWithin(term() + 20*time.Second)
	if n := lost(w.judge(all[0], from, time.Now().Add(-time.Second))); n > 0 {
		t.Errorf("%d ticks were lost", n)
	}
}
