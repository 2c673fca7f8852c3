package matrix_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/internal/redistest"
)

// nodesOf are the settings of a client of c.
func nodesOf(c *redistest.Cluster, try time.Duration) redisclient.Settings {
	return redisclient.Settings{Addrs: c.Addrs(), Cluster: true, Try: try}
}

// company are keys of which three live in one slot, and the others elsewhere.
func company() []string { return append(together(3), "a", "b") }

func TestATickRunsOnceWhileAClusterFailsOverInOrder(t *testing.T) {
	t.Parallel()
	cl := redistest.StartCluster(t, 3, 3)
	c := launch(t, nodesOf(cl, 0), append(company(), longKey)...)
	c.more(2, goOn)
	for range 2 * rounds() { // there and back
		old, _ := cl.Owner(redisKey("crew", c.keys[0]))
		heir := cl.ReplicaOf(old)
		takeOver(t, heir)
		c.book.change()
		c.more(2, goOn)
		cl.Settle()
	}
	c.remembered(goOn)
}

// takeOver lets a replica take its master's place in order. A cluster gives that up
// without a word after five seconds, as when a machine stands still, and must be told
// again.
func takeOver(t *testing.T, heir *redistest.Server) {
	t.Helper()
	const givenUp = 6 * time.Second
	var told time.Time
	await(t, "the replica to take over", 2*failover, func() bool {
		if heir.Holds("master\n", "ROLE") {
			return true
		}
		if time.Since(told) > givenUp {
			reply, err := heir.Call("CLUSTER", "FAILOVER")
			t.Logf("told the replica to take over: %s %v", reply, err)
			told = time.Now()
		}
		return false
	})
}

func TestATickRunsOnceAlthoughAMasterOfAClusterIsReplaced(t *testing.T) {
	t.Parallel()
	for _, b := range []blow{killed(), frozen()} {
		for round := range rounds() {
			t.Run(fmt.Sprint(b.name, " ", round), func(t *testing.T) {
				t.Parallel()
				replaceOwner(t, b)
			})
		}
	}
}

// replaceOwner ends the service of the master whose slot is in use.
func replaceOwner(t *testing.T, b blow) {
	t.Helper()
	cl := redistest.StartCluster(t, 3, 3)
	c := launch(t, nodesOf(cl, 0), append(company(), longKey)...)
	c.more(2, goOn)
	old, _ := cl.Owner(redisKey("crew", c.keys[0]))
	heir := cl.ReplicaOf(old)
	c.still(func() {
		inStep(t, old, 1)
		c.hit(b, old)
	})
	began := time.Now()
	await(t, "the replica to take over", failover, func() bool { return heir.Holds("master\n", "ROLE") })
	t.Logf("replaced after %s", time.Since(began).Round(10*time.Millisecond))
	c.more(2, goOn)
	if b.name == frozen().name {
		if err := old.Resume(); err != nil {
			t.Fatal(err)
		}
		cl.Settle()
		c.more(2, goOn)
	}
	c.remembered(goOn)
}

func TestATickRunsOnceWhileItsSlotMoves(t *testing.T) {
	t.Parallel()
	cl := redistest.StartCluster(t, 3, 0)
	c := launch(t, nodesOf(cl, 0), append(company(), longKey)...)
	c.more(2, goOn)
	for range 2 * rounds() {
		m := newMove(t, cl, redisKey("crew", c.keys[0]))
		m.begin()
		c.more(1, goOn)
		m.carry(1)
		c.more(2, goOn)
		m.carry(100)
		c.more(1, goOn)
		m.end()
		c.more(2, goOn)
	}
	c.remembered(goOn)
}

// A batch has keys that have moved, that have not, and that are new.
func TestABatchOfASlotThatMovesIsAnswered(t *testing.T) {
	t.Parallel()
	cl := redistest.StartCluster(t, 3, 0)
	s := open(t, connect(t, nodesOf(cl, patience)), "crew", patience)
	keys := together(40)
	first := claims(keys[:20])
	tokens := grants(t, s, first)
	m := newMove(t, cl, redisKey("crew", keys[0]))
	m.begin()
	m.carry(7)
	grants(t, s, claims(keys))

	var ends []election.End
	for i, c := range first {
		ends = append(ends, election.End{Key: c.Key, Owner: c.Owner, Token: tokens[i], Outcome: election.OutcomeUndone, Retention: c.Retention})
	}
	for i, a := range s.Release(t.Context(), ends) {
		if a.Err != nil || a.Standing != election.Good {
			t.Errorf("release of %s: got %+v", ends[i].Key, a)
		}
	}
	records, err := s.Read(t.Context(), keys)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		if claimed := r.State == election.StateClaimed; claimed != (i >= len(first)) {
			t.Errorf("record of %s: got state %q", keys[i], r.State)
		}
	}
	m.carry(100)
	m.end()
	grants(t, s, claims(keys)[20:])
}

// claims are those of requests for keys, the same each time.
func claims(keys []string) []election.Claim {
	list := make([]election.Claim, len(keys))
	for i, key := range keys {
		list[i] = election.Claim{
			Key: key, Owner: election.Owner(fmt.Sprintf("%08x%024x", i, i)), Mode: election.ForRequest,
			TTL: time.Minute, Retention: time.Hour, Holder: "replica",
		}
	}
	return list
}

// grants makes claims that must be granted, and returns the tokens.
func grants(t *testing.T, s election.Store, list []election.Claim) []int64 {
	t.Helper()
	tokens := make([]int64, len(list))
	for i, a := range s.Claim(t.Context(), list) {
		if a.Answer != election.Granted {
			t.Errorf("claim of %s: got %+v, want a grant", list[i].Key, a)
		}
		tokens[i] = a.Token
	}
	return tokens
}

func TestAHungMasterOfAClusterCostsTheOthersNoAnswer(t *testing.T) {
	t.Parallel()
	const try = time.Second
	cl := redistest.StartCluster(t, 3, 0)
	s := open(t, connect(t, nodesOf(cl, try)), "crew", try)
	list := claims(apart())
	grants(t, s, list)
	hung, _ := cl.Owner(redisKey("crew", list[0].Key))
	silent := make([]bool, len(list))
	for i, c := range list {
		owner, _ := cl.Owner(redisKey("crew", c.Key))
		silent[i] = owner == hung
	}
	if err := hung.Pause(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := hung.Resume(); err != nil {
			t.Error(err)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), try) // as an elector asks
	defer cancel()
	began := time.Now()
	answers := s.Claim(ctx, list)
	if took := time.Since(began); took > try+try/2 {
		t.Errorf("the answers took %s, want at most the time of a try, %s, and some", took, try)
	}
	for i, a := range answers {
		if want := silent[i]; (a.Answer == election.Unknown) != want {
			t.Errorf("claim of %s: got %+v, want silence: %v", list[i].Key, a, want)
		}
		if errors.Is(a.Err, election.ErrNotApplied) {
			t.Errorf("claim of %s: got %v, but the server may have it", list[i].Key, a.Err)
		}
	}
}

// A move takes a slot from one master to another.
type move struct {
	t        *testing.T
	cluster  *redistest.Cluster
	from, to *redistest.Server
	slot     string
}

func newMove(t *testing.T, c *redistest.Cluster, key string) *move {
	t.Helper()
	from, slot := c.Owner(key)
	to := c.Nodes[(slices.Index(c.Nodes, from)+1)%3]
	return &move{t: t, cluster: c, from: from, to: to, slot: strconv.Itoa(slot)}
}

func (m *move) begin() {
	m.t.Helper()
	m.to.Do(m.t, "CLUSTER", "SETSLOT", m.slot, "IMPORTING", m.from.ID(m.t))
	m.from.Do(m.t, "CLUSTER", "SETSLOT", m.slot, "MIGRATING", m.to.ID(m.t))
}

// carry moves up to n keys.
func (m *move) carry(n int) {
	m.t.Helper()
	keys := strings.Fields(m.from.Do(m.t, "CLUSTER", "GETKEYSINSLOT", m.slot, strconv.Itoa(n)))
	if len(keys) == 0 {
		m.t.Fatalf("slot %s has no keys to move", m.slot)
	}
	host, port, _ := strings.Cut(m.to.Addr, ":")
	m.from.Do(m.t, append([]string{"MIGRATE", host, port, "", "0", "5000", "KEYS"}, keys...)...)
	m.t.Logf("%d keys of slot %s have moved", len(keys), m.slot)
}

func (m *move) end() {
	m.t.Helper()
	if left := m.from.Do(m.t, "CLUSTER", "COUNTKEYSINSLOT", m.slot); left != "0" {
		m.t.Errorf("%s keys are left behind in slot %s", left, m.slot)
	}
	for _, n := range append([]*redistest.Server{m.to, m.from}, m.cluster.Nodes...) {
		n.Do(m.t, "CLUSTER", "SETSLOT", m.slot, "NODE", m.to.ID(m.t))
	}
	m.cluster.Settle()
}
