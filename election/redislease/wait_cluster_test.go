package redislease_test

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

// waitingOnCluster opens a store on a cluster that waits for a replica of each master.
func waitingOnCluster(t *testing.T, c *redistest.Cluster, namespace string) *redislease.Store {
	t.Helper()
	addrs := make([]string, len(c.Nodes))
	for i, n := range c.Nodes {
		addrs[i] = n.Addr
	}
	rdb := redis.NewClusterClient(redislease.ClusterOptions(addrs, try))
	t.Cleanup(func() { _ = rdb.Close() })
	s, err := redislease.New(rdb, "solocron", namespace, try, redislease.Wait{Replicas: 1, Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// spreadOut is a claim for each of some jobs on every shard.
func spreadOut(prefix string) []election.Claim {
	claims := make([]election.Claim, 64)
	for i := range claims {
		claims[i] = due(prefix+"-"+strconv.Itoa(i), i)
	}
	return claims
}

// warmUp claims until the replicas of all masters answer.
func warmUp(t *testing.T, s *redislease.Store) {
	t.Helper()
	claims := spreadOut("warm-up")
	for end := time.Now().Add(20 * time.Second); ; {
		var last election.ClaimAnswer
		for _, a := range s.Claim(t.Context(), claims) {
			if a.Answer != election.Granted {
				last = a
			}
		}
		if last.Now.IsZero() && last.Err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no cluster to test with: %+v", last)
		}
	}
}

func TestEachMasterOfAClusterWaitsForItsOwnReplicas(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 3)
	s := waitingOnCluster(t, c, "test")
	warmUp(t, s)
	pause(t, c.ReplicaOf(c.Nodes[0]))
	claims := spreadOut("job")
	began := time.Now()
	answers := s.Claim(t.Context(), claims)
	if took := time.Since(began); took > patience+abundance {
		t.Errorf("the answers took %v, want little more than %v", took, patience)
	}
	short := 0
	for i, a := range answers {
		master, _ := c.Owner(s.RedisKey(claims[i].Key))
		switch {
		case master == c.Nodes[0]:
			short++
			if a.Answer != election.Unknown {
				t.Errorf("without the replica: got %+v, want unknown", a)
			}
			wantUnreplicated(t, a.Err, true)
		case a.Answer != election.Granted:
			t.Errorf("on another master: got %+v, want a grant", a)
		}
	}
	if short == 0 || short == len(claims) {
		t.Errorf("%d of %d jobs live on the master whose replica is away", short, len(claims))
	}
}

func TestWaitFollowsASlotToAnotherMaster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 3)
	warmUp(t, waitingOnCluster(t, c, "test"))
	s := waitingOnCluster(t, c, "moving")
	from, slot := c.Owner(s.RedisKey("job"))
	to := c.Nodes[0]
	if to == from {
		to = c.Nodes[1]
	}
	number := strconv.Itoa(slot)
	to.Do(t, "CLUSTER", "SETSLOT", number, "IMPORTING", from.ID(t))
	from.Do(t, "CLUSTER", "SETSLOT", number, "MIGRATING", to.ID(t))
	cl := due("job", 1)
	a := granted(t, s, cl) // asked for there
	if h := s.Start(t.Context(), []election.Hold{claimed(cl, a)})[0]; h.Standing != election.Good {
		t.Errorf("start on the way: got %+v, want good", h)
	}
	for _, n := range []*redistest.Server{to, from} {
		n.Do(t, "CLUSTER", "SETSLOT", number, "NODE", to.ID(t))
	}
	h := s.Renew(t.Context(), []election.Hold{claimed(cl, a)})[0] // moved there
	if h.Standing != election.Good {
		t.Errorf("renewal after the move: got %+v, want good", h)
	}
	pause(t, c.ReplicaOf(to))
	if h = s.Renew(t.Context(), []election.Hold{claimed(cl, a)})[0]; h.Standing != election.Uncertain || !errors.Is(h.Err, election.ErrUnreplicated) {
		t.Errorf("renewal without its replica there: got %+v, want unreplicated", h)
	}
}
