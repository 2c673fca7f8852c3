package etcdlease_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/etcdlease"
	"github.com/solocron/solocron/internal/etcdtest"
)

// leads is the place of the member that leads.
func leads(t *testing.T, c *etcdtest.Cluster) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	leader, err := c.Leader(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range c.Members {
		if m == leader {
			return i
		}
	}
	t.Fatal("the leader is no member")
	return 0
}

func TestOneHungMemberOfThreeCostsOneRequest(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 3)
	const try = 6 * time.Second
	s := open(t, client(t, cluster.Endpoints(), try), "test", try)
	hung := (leads(t, cluster) + 1) % 3 // a follower: nobody has to be elected
	s.Ask(hung)
	if a := s.Claim(t.Context(), []election.Claim{request("before", 1)})[0]; a.Answer != election.Granted {
		t.Fatalf("got %+v, want a grant", a)
	}
	if err := cluster.Members[hung].Pause(); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		asked := time.Now()
		a := s.Claim(t.Context(), []election.Claim{request(fmt.Sprintf("job-%d", i), i+1)})[0]
		took := time.Since(asked)
		if a.Answer != election.Granted {
			t.Fatalf("claim %d: got %+v, want a grant", i, a)
		}
		if i == 0 && took < try/3 {
			t.Errorf("the first claim took %s: it did not meet the member that hangs", took)
		}
		if i > 0 && took > try/3 {
			t.Errorf("claim %d took %s: the member that hangs was asked again", i, took)
		}
	}
}

func elector(t *testing.T, s *etcdlease.Store, holder string, ttl time.Duration) *election.Elector {
	t.Helper()
	e, err := election.New(s, holder, election.Config{TTL: ttl})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// started claims key for a request and starts it. A machine under load may need
// more than one try.
func started(t *testing.T, e *election.Elector, key string) *election.Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	wish := election.Wish{Key: key, Mode: election.ForRequest}
	for {
		r := e.Claim(ctx, []election.Wish{wish})[0]
		wish.Owner = r.Owner
		if r.Lease != nil {
			if got := e.Start(ctx, []*election.Lease{r.Lease}); got[0].Err == nil {
				return r.Lease
			}
		}
		select {
		case <-ctx.Done():
			t.Fatalf("got %+v, want a grant and a start", r)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func TestARunIsKeptWhenTheLeaderOfEtcdIsKilled(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 3)
	w := watchRun(t, cluster)
	cluster.Members[leads(t, cluster)].Stop()
	w.beside(t, watchedTTL+watchedTTL/5)
}

// A leader that was frozen believes to lead still when it wakes, and that leases
// are over which its successor has prolonged.
func TestARunIsKeptWhenAFormerLeaderOfEtcdWakesUp(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 3)
	w := watchRun(t, cluster)
	frozen := cluster.Members[leads(t, cluster)]
	if err := frozen.Pause(); err != nil {
		t.Fatal(err)
	}
	w.beside(t, watchedTTL+watchedTTL/2)
	if err := frozen.Resume(); err != nil {
		t.Fatal(err)
	}
	w.beside(t, watchedTTL/2)
}

const watchedTTL = 10 * time.Second

// A watched is a run that nobody else may begin beside.
type watched struct {
	run   context.Context
	other *election.Elector
}

// watchRun keeps a run that talks to the leader of cluster.
func watchRun(t *testing.T, cluster *etcdtest.Cluster) watched {
	t.Helper()
	s := open(t, client(t, cluster.Endpoints(), time.Second), "test", time.Second)
	run, stop := started(t, elector(t, s, "holder", watchedTTL), "job").Keep(t.Context())
	t.Cleanup(stop)
	s.Ask(leads(t, cluster))
	o := open(t, client(t, cluster.Endpoints(), time.Second), "test", time.Second)
	return watched{run, elector(t, o, "other", watchedTTL)}
}

// beside has another try to get in for so long.
func (w watched) beside(t *testing.T, long time.Duration) {
	t.Helper()
	answered := 0
	for end := time.After(long); ; {
		select {
		case <-w.run.Done():
			t.Fatalf("the run ended: %v", context.Cause(w.run))
		case <-end:
			if answered == 0 {
				t.Error("the other was never answered")
			}
			return
		case <-time.After(200 * time.Millisecond):
		}
		switch r := w.other.Claim(t.Context(), []election.Wish{{Key: "job", Mode: election.ForRequest}})[0]; {
		case r.Answer == election.Held:
			answered++
		case r.Answer != election.Unknown:
			t.Fatalf("beside the holder: got %+v, want Held", r)
		}
	}
}

func TestARunEndsWhenEtcdIsAwayForATerm(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1)
	const ttl = 6 * time.Second
	s := open(t, client(t, cluster.Endpoints(), time.Second), "test", time.Second)
	lease := started(t, elector(t, s, "holder", ttl), "job")
	run, stop := lease.Keep(t.Context())
	defer stop()
	if err := cluster.Members[0].Pause(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-run.Done():
		if cause := context.Cause(run); !errors.Is(cause, election.ErrLeaseUncertain) {
			t.Errorf("got cause %v, want %v", cause, election.ErrLeaseUncertain)
		}
	case <-time.After(ttl):
		t.Error("after a term without etcd the run goes on")
	}
}

// contender runs ticks as a replica does: one after the other, each until it is decided.
type contender struct {
	e    *election.Elector
	runs []atomic.Int64 // of all contenders, by tick
	live *atomic.Int64  // runs under way
}

func (c *contender) tick(ctx context.Context, key string, i int, at time.Time) error {
	var owner election.Owner
	for {
		r := c.e.Claim(ctx, []election.Wish{{Key: key, Owner: owner, Tick: at, Overlap: election.QueueOverlap}})[0]
		owner = ""
		switch r.Answer {
		case election.Granted:
			if done, err := c.run(ctx, r.Lease, i); done || err != nil {
				return err
			}
		case election.Spent:
			return nil
		case election.Held:
		case election.Unknown:
			owner = r.Owner
		default:
			return fmt.Errorf("tick %d: got %+v", i, r)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("tick %d: %w", i, context.Cause(ctx))
		case <-time.After(2 * time.Millisecond):
		}
	}
}

func (c *contender) run(ctx context.Context, l *election.Lease, i int) (done bool, err error) {
	for {
		started := c.e.Start(ctx, []*election.Lease{l})
		if started[0].Err == nil {
			break
		}
		if final := errors.Is(started[0].Err, election.ErrLeaseLost) || errors.Is(started[0].Err, election.ErrLeaseUncertain); final || ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
	if n := c.live.Add(1); n != 1 {
		return false, fmt.Errorf("tick %d: %d runs at once", i, n)
	}
	c.runs[i].Add(1)
	c.live.Add(-1)
	_, err = l.Release(ctx, election.OutcomeSucceeded)
	return true, err
}

func TestFourContendersLoseNoTickAndRunNoneTwice(t *testing.T) {
	t.Parallel()
	endpoints := etcdtest.Start(t, 1).Endpoints()
	const ticks, contenders = 200, 4
	runs, live := make([]atomic.Int64, ticks), new(atomic.Int64)
	first := time.Now().Add(-ticks * time.Second).Truncate(time.Second)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for n := range contenders {
		s := open(t, client(t, endpoints, 2*time.Second), "test", 2*time.Second)
		c := &contender{e: elector(t, s, fmt.Sprintf("replica %d", n), 30*time.Second), runs: runs, live: live}
		wg.Go(func() {
			for i := range ticks {
				if err := c.tick(ctx, "job", i, first.Add(time.Duration(i)*time.Second)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	for i := range runs {
		if got := runs[i].Load(); got != 1 {
			t.Errorf("tick %d ran %d times, want 1", i, got)
		}
	}
}
