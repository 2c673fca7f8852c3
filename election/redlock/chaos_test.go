package redlock_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/election/redlock"
	"github.com/solocron/solocron/internal/redistest"
)

// long reports whether the tests are to take their time.
func long() bool { return os.Getenv("SOLOCRON_CHAOS") == "1" }

// A replica is one that wants every tick, and how long its claims took.
type replica struct {
	*election.Elector
	mu   sync.Mutex
	took []time.Duration
}

// Claim measures a claim.
func (r *replica) Claim(ctx context.Context, claims []election.Claim, s election.Store) []election.ClaimAnswer {
	began := time.Now()
	answers := s.Claim(ctx, claims)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.took = append(r.took, time.Since(began))
	return answers
}

// measured is a store whose claims a replica measures.
type measured struct {
	election.Store
	by *replica
}

func (m measured) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	return m.by.Claim(ctx, claims, m.Store)
}

// replicas are n of them, each with connections of its own.
func replicas(t *testing.T, at []*redistest.Server, n int, cfg redlock.Config) []*replica {
	t.Helper()
	var all []*replica
	for i := range n {
		nodes, _ := clients(t, at, "chaos", true)
		r := new(replica)
		e, err := election.New(measured{open(t, cfg, nodes...), r}, fmt.Sprintf("r%d", i), election.Config{TTL: 20 * time.Second, Try: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		r.Elector = e
		all = append(all, r)
	}
	return all
}

// slowest is the longest claim since it was asked before.
func slowest(all []*replica) time.Duration {
	var most time.Duration
	for _, r := range all {
		r.mu.Lock()
		if len(r.took) > 0 {
			most = max(most, slices.Max(r.took))
		}
		r.took = nil
		r.mu.Unlock()
	}
	return most
}

// TestTicksGoOnWhileAMinorityIsFrozen freezes one of three and two of five servers, in
// turn, while three replicas want every tick.
func TestTicksGoOnWhileAMinorityIsFrozen(t *testing.T) {
	t.Parallel()
	const timeout = 700 * time.Millisecond
	for _, n := range []int{3, 5} {
		t.Run(fmt.Sprintf("%d of %d", n/2, n), func(t *testing.T) {
			t.Parallel()
			at := servers(t, n)
			all := replicas(t, at, 3, redlock.Config{NodeTimeout: timeout})
			c := new(contest)
			rounds, each := 2, 4
			if long() {
				rounds, each = 2*n, 20
			}
			ticks := c.play(t.Context(), all, each)
			slowest(all)
			for round := range rounds {
				frozen := make([]*redistest.Server, 0, n/2)
				for k := range n / 2 {
					frozen = append(frozen, at[(round+k)%n])
				}
				for _, s := range frozen {
					if err := s.Pause(); err != nil {
						t.Fatal(err)
					}
				}
				ticks = append(ticks, c.play(t.Context(), all, each)...)
				if most := slowest(all); most > 2*timeout { // on a busy machine
					t.Errorf("with a minority frozen a claim took %s, want about %s at most", most, timeout)
				}
				for _, s := range frozen {
					if err := s.Resume(); err != nil {
						t.Fatal(err)
					}
				}
				ticks = append(ticks, c.play(t.Context(), all, each)...)
			}
			lost, double := c.verdict(ticks)
			if lost != 0 || double != 0 || c.overlaps != 0 {
				t.Errorf("of %d ticks: got %d lost, %d doubled, %d overlaps, want none; the last that was answered:\n%s",
					len(ticks), lost, double, c.overlaps, strings.Join(c.story, "\n"))
			}
			if len(c.unsure) > 2 {
				t.Errorf("%d of %d starts were not answered by a quorum that was there", len(c.unsure), len(ticks))
			}
			if !c.tokensGrow() {
				t.Error("a run had a token that is not above those before it")
			}
		})
	}
}

// play has replicas play n ticks, in real time, one after the other.
func (c *contest) play(ctx context.Context, all []*replica, n int) (ticks []time.Time) {
	for range n {
		tick := time.Now().Truncate(time.Millisecond).UTC()
		ticks = append(ticks, tick)
		var wg sync.WaitGroup
		for _, r := range all {
			wg.Go(func() { c.pursue(ctx, r.Elector, tick, time.Minute) }) // a start that nobody heard of costs a term and the lock delay
		}
		wg.Wait()
	}
	return ticks
}

// A place is where a server is now.
type place struct{ addr atomic.Pointer[string] }

func (p *place) move(s *redistest.Server) { p.addr.Store(&s.Addr) }

// node reaches whatever server is at p.
func (p *place) node(t *testing.T, name string) redlock.Node {
	t.Helper()
	o := redislease.Options("127.0.0.1:6379", try)
	o.Dialer = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, *p.addr.Load())
	}
	rdb := redis.NewClient(o)
	t.Cleanup(func() { _ = rdb.Close() })
	s, err := redislease.New(rdb, "solocron", "restart", try)
	if err != nil {
		t.Fatal(err)
	}
	return redlock.Node{Name: name, Store: s}
}

// TestARestartedEmptyNodeDoesNotVoteForATerm: of three servers one has lost the data
// of a lease, and one restarts without any. The only one that knows it is no quorum.
func TestARestartedEmptyNodeDoesNotVoteForATerm(t *testing.T) {
	t.Parallel()
	const young = 4 * time.Second
	at := servers(t, 3)
	places := make([]*place, 3)
	for i := range places {
		places[i] = new(place)
		places[i].move(at[i])
	}
	opened := func(young time.Duration) *redlock.Store {
		var nodes []redlock.Node
		for i, p := range places {
			nodes = append(nodes, p.node(t, fmt.Sprintf("n%d", i+1)))
		}
		return open(t, redlock.Config{NodeTimeout: time.Second, Young: young}, nodes...)
	}
	careful, careless := opened(young), opened(-1)

	first := claimOf(1, 0)
	if a := careful.Claim(t.Context(), []election.Claim{first})[0]; a.Answer != election.Quarantine || a.Remaining > young {
		t.Fatalf("while all servers are new: got %+v, want quarantine for %s at most", a, young)
	}
	await(t, "the nodes to vote", 3*young, func() bool {
		return careful.Claim(t.Context(), []election.Claim{first})[0].Answer == election.Granted
	})
	running(t, careful, first)
	if err := at[2].Flush(); err != nil {
		t.Fatal(err)
	}
	at[0].Stop()
	places[0].move(redistest.Start(t))

	for range 5 {
		if a := careful.Claim(t.Context(), []election.Claim{claimOf(2, 0)})[0]; a.Answer == election.Granted {
			t.Fatalf("a rival: got %+v beside a run, want it not granted", a)
		}
	}
	if warnings, err := careful.Check(t.Context()); err != nil || !strings.Contains(strings.Join(warnings, "\n"), "node n1 has started just now") {
		t.Errorf("check: got %q, %v, want a warning that n1 does not vote", warnings, err)
	}
	// What the rule is good for.
	if a := careless.Claim(t.Context(), []election.Claim{claimOf(3, 0)})[0]; a.Answer != election.Granted {
		t.Errorf("a rival that counts the restarted node: got %+v, want it granted, or this test shows nothing", a)
	}
}

func await(t *testing.T, what string, limit time.Duration, ok func() bool) {
	t.Helper()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for until := time.Now().Add(limit); !ok(); <-poll.C {
		if time.Now().After(until) {
			t.Fatalf("waited %s in vain for %s", limit, what)
		}
	}
}

func TestRealServersThatAreNotIndependentAreRefused(t *testing.T) {
	t.Parallel()
	at := servers(t, 3)
	host, port, err := net.SplitHostPort(at[0].Addr)
	if err != nil {
		t.Fatal(err)
	}
	replica := redistest.Start(t, "--replicaof", host, port)
	member := redistest.Start(t, "--cluster-enabled", "yes")
	for name, c := range map[string]struct {
		at   []*redistest.Server
		want string
	}{
		"three servers": {at, ""},
		"one twice":     {[]*redistest.Server{at[0], at[1], at[0]}, "nodes n1 and n3 are the same server"},
		"a replica":     {[]*redistest.Server{at[0], at[1], replica}, `node n3 has the role "slave"`},
		"a member":      {[]*redistest.Server{at[0], member, at[2]}, "node n2 is part of a cluster"},
	} {
		nodes, _ := clients(t, c.at, "check", true)
		s := open(t, redlock.Config{NodeTimeout: try}, nodes...)
		_, err := s.Check(t.Context())
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", name, err, c.want)
		}
		if now, err := s.Clock(t.Context()); err != nil || time.Since(now).Abs() > 5*time.Second {
			t.Errorf("%s: clock: got %s, %v, want about now", name, now, err)
		}
	}
}
