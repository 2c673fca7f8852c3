package redislease_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/election/redislease/preflight"
)

func TestMoreReplicasThanThereAreIsFoundBeforeTheFirstClaim(t *testing.T) {
	t.Parallel()
	r := replicated(t, 1)
	two, one := waiting(t, r.Master.Addr, "test", 2), waiting(t, r.Master.Addr, "test", 1)
	const want = "1 follow, 2 are waited for; connect 1 more"
	warnings, err := two.Check(t.Context())
	if err != nil || !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, want) }) {
		t.Errorf("got %q, %v, want a warning %q", warnings, err, want)
	}
	rows := two.Preflight(t.Context(), maxOffset)
	if states(rows)["replicas"] != preflight.Fail || !strings.Contains(says(rows, "replicas"), want) {
		t.Errorf("got %s, want it to fail and to say %q", says(rows, "replicas"), want)
	}
	if states(rows)["exclusion"] != preflight.Fail || !strings.Contains(says(rows, "exclusion"), "not by enough replicas") {
		t.Errorf("got %s, want it to fail for lack of replicas", says(rows, "exclusion"))
	}
	r.Master.Do(t, "CONFIG", "SET", "min-replicas-to-write", "1")
	rows = one.Preflight(t.Context(), maxOffset)
	if got := states(rows); got["replicas"] != preflight.OK || got["exclusion"] != preflight.OK {
		t.Errorf("one of one: got %v", rows)
	}
}

func TestAServerWithoutWaitAOFIsRefused(t *testing.T) {
	t.Parallel()
	r := replicated(t, 1)
	rdb := redis.NewClient(redislease.Options(r.Master.Addr, try))
	defer rdb.Close()
	s, err := redislease.New(rdb, "solocron", "test", try, redislease.Wait{Replicas: 1, Timeout: patience, AOF: true})
	if err != nil {
		t.Fatal(err)
	}
	r.Master.Do(t, "CONFIG", "SET", "appendonly", "no")
	if _, err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot wait for append-only files") {
		t.Errorf("Check: got error %v, want one about append-only files", err)
	}
	if rows := s.Preflight(t.Context(), maxOffset); states(rows)["waitaof"] != preflight.Fail {
		t.Errorf("got %s, want it to fail", says(rows, "waitaof"))
	}
	if a := ask(t, s, request(1)); a.Answer == election.Granted {
		t.Errorf("a claim: got %+v, want none granted", a)
	}
}
