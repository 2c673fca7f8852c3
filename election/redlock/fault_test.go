package redlock_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/election/redlock"
)

const nodeTimeout = 400 * time.Millisecond

// bubble runs f in one, with a store over n nodes.
func bubble(t *testing.T, cfg redlock.Config, n int, f func(t *testing.T, s *redlock.Store, links []*link)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Hour)
		_, stores := memories(n)
		s, links := linked(t, cfg, stores)
		f(t, s, links)
	})
}

// claimOf is a claim of job for a tick that lies ago in the past.
func claimOf(who int, ago time.Duration) election.Claim {
	return election.Claim{
		Key: "job", Owner: election.Owner(fmt.Sprintf("%032x", who)), Mode: election.ForTick, Overlap: election.QueueOverlap,
		Tick: time.Now().Add(-ago).Truncate(time.Millisecond).UTC(), TTL: 5 * time.Second, LockDelay: time.Second,
		Retention: time.Hour, Holder: fmt.Sprintf("r%d", who),
	}
}

func holdOf(c election.Claim, a election.ClaimAnswer) election.Hold {
	return election.Hold{
		Key: c.Key, Owner: c.Owner, Token: a.Token, Tick: c.Tick, TTL: 30 * time.Second, Retention: c.Retention, Holder: c.Holder,
	}
}

func claimed(t *testing.T, s election.Store, c election.Claim, want election.Answer) election.ClaimAnswer {
	t.Helper()
	a := s.Claim(t.Context(), []election.Claim{c})[0]
	if a.Answer != want {
		t.Fatalf("claim of %s: got %+v, want answer %d", c.Holder, a, want)
	}
	return a
}

// running claims c and starts it.
func running(t *testing.T, s election.Store, c election.Claim) election.Hold {
	t.Helper()
	h := holdOf(c, claimed(t, s, c, election.Granted))
	if a := s.Start(t.Context(), []election.Hold{h})[0]; a.Standing != election.Good {
		t.Fatalf("start of %s: got %+v, want it good", c.Holder, a)
	}
	return h
}

func ended(t *testing.T, s election.Store, h election.Hold, o election.Outcome) {
	t.Helper()
	e := election.End{Key: h.Key, Owner: h.Owner, Token: h.Token, Outcome: o, Retention: h.Retention}
	if a := s.Release(t.Context(), []election.End{e})[0]; a.Standing != election.Good {
		t.Fatalf("release of %s: got %+v, want it good", h.Holder, a)
	}
}

func record(t *testing.T, m *memlease.Store) election.Record {
	t.Helper()
	records, err := m.Read(t.Context(), []string{"job"})
	if err != nil {
		t.Fatal(err)
	}
	return records[0]
}

func TestAHungNodeCostsAtMostItsTimeAndOnceItIsSuspectNothing(t *testing.T) {
	t.Parallel()
	bubble(t, redlock.Config{NodeTimeout: nodeTimeout}, 3, func(t *testing.T, s *redlock.Store, links []*link) {
		links[0].set(func(l *link) { l.cut = true })
		began := time.Now()
		h := running(t, s, claimOf(1, time.Second))
		if took := time.Since(began); took > 4*5*time.Millisecond {
			t.Errorf("a grant and its start took %s, want two rounds that linger at most", took)
		}
		began = time.Now()
		claimed(t, s, claimOf(2, 0), election.Held)
		if took := time.Since(began); took > nodeTimeout {
			t.Errorf("a refusal took %s, want at most %s", took, nodeTimeout)
		}
		began = time.Now()
		claimed(t, s, claimOf(3, 0), election.Held)
		if took := time.Since(began); took != 0 {
			t.Errorf("a refusal when the node is suspect took %s, want none", took)
		}
		ended(t, s, h, election.OutcomeSucceeded)
		links[0].set(func(l *link) { l.cut = false })
		running(t, s, claimOf(4, 0))
		time.Sleep(time.Second)
		if r := record(t, links[0].Store); r.State != election.StateRunning {
			t.Errorf("the node that answers again: got %+v, want it to be part of the lease", r)
		}
	})
}

// TestANodeThatIgnoresItsTimeIsLeftAlone: it would pile up goroutines.
func TestANodeThatIgnoresItsTimeIsLeftAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Hour)
		nodes, _ := memories(3)
		stuck := &stuck{NodeStore: nodes[2].Store, free: make(chan struct{})}
		nodes[2].Store = stuck
		s, err := redlock.New(nodes, redlock.Config{NodeTimeout: nodeTimeout})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 50 {
			h := running(t, s, claimOf(i+1, 0))
			ended(t, s, h, election.OutcomeSucceeded)
			time.Sleep(time.Second)
		}
		if n := stuck.calls.Load(); n > 8 {
			t.Errorf("got %d calls to a node that does not return, want a few", n)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Close(ctx); err == nil {
			t.Error("close: got nil while calls are under way")
		}
		close(stuck.free)
		if err := s.Close(t.Context()); err != nil {
			t.Errorf("close: got %v, want nil when all have returned", err)
		}
		a := s.Claim(t.Context(), []election.Claim{claimOf(99, 0)})[0]
		if !errors.Is(a.Err, election.ErrNotApplied) {
			t.Errorf("claim after close: got %v, want ErrNotApplied", a.Err)
		}
	})
}

// stuck claims never return before it is freed, whatever their context says.
type stuck struct {
	redlock.NodeStore
	free  chan struct{}
	calls atomic.Int64
}

func (n *stuck) Claim(context.Context, []election.Claim) []election.ClaimAnswer {
	n.calls.Add(1)
	<-n.free
	return nil
}

// TestWhatANodeGrantsTooLateIsUndone: the claimant has been refused by then.
func TestWhatANodeGrantsTooLateIsUndone(t *testing.T) {
	t.Parallel()
	bubble(t, redlock.Config{NodeTimeout: nodeTimeout}, 3, func(t *testing.T, s *redlock.Store, links []*link) {
		for _, l := range links[1:] {
			l.set(func(l *link) { l.cut = true })
		}
		links[0].set(func(l *link) { l.delay = func() time.Duration { return 150 * time.Millisecond } })
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(200*time.Millisecond, cancel) // the claimant goes; the node answers after 300 ms
		a := s.Claim(ctx, []election.Claim{claimOf(1, 0)})[0]
		if a.Answer != election.Unknown || a.Err == nil {
			t.Fatalf("got %+v, want no answer", a)
		}
		if r := record(t, links[0].Store); r.State != election.StateClaimed {
			t.Fatalf("the node that was slow: got %+v, want it claimed by now", r)
		}
		time.Sleep(time.Second)
		if r := record(t, links[0].Store); r.State != election.StateFree {
			t.Errorf("a second later: got %+v, want the claim undone long before it lapses", r)
		}
	})
}

// TestANodeThatMissedTheReleaseHearsOfItWhenItAnswersAgain: it would keep everybody
// out for the rest of the lease, while another node may fail.
func TestANodeThatMissedTheReleaseHearsOfItWhenItAnswersAgain(t *testing.T) {
	t.Parallel()
	bubble(t, redlock.Config{NodeTimeout: nodeTimeout}, 3, func(t *testing.T, s *redlock.Store, links []*link) {
		h := running(t, s, claimOf(1, time.Second))
		links[2].set(func(l *link) { l.cut = true })
		ended(t, s, h, election.OutcomeSucceeded)
		synctest.Wait() // until its call has given up
		if r := record(t, links[2].Store); r.State != election.StateRunning {
			t.Fatalf("the node that missed the release: got %+v, want it running", r)
		}
		links[2].set(func(l *link) { l.cut = false })
		if _, err := s.Read(t.Context(), []string{"job"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if r := record(t, links[2].Store); r.State != election.StateDone || !r.Completed.Equal(h.Tick) {
			t.Errorf("the node that answers again: got %+v, want it released", r)
		}
		links[0].set(func(l *link) { l.cut = true })
		running(t, s, claimOf(2, 0))
	})
}

// TestAnErrorNamesTheNodes: whoever reads it has to know which to look at.
func TestAnErrorNamesTheNodes(t *testing.T) {
	t.Parallel()
	bubble(t, redlock.Config{NodeTimeout: nodeTimeout}, 3, func(t *testing.T, s *redlock.Store, links []*link) {
		h := running(t, s, claimOf(1, time.Second))
		for _, l := range links[1:] {
			l.set(func(l *link) { l.cut = true })
		}
		end := election.End{Key: h.Key, Owner: h.Owner, Token: h.Token, Outcome: election.OutcomeFailed}
		for what, err := range map[string]error{
			"claim":   s.Claim(t.Context(), []election.Claim{claimOf(2, 0)})[0].Err,
			"start":   s.Start(t.Context(), []election.Hold{h})[0].Err,
			"renewal": s.Renew(t.Context(), []election.Hold{h})[0].Err,
			"release": s.Release(t.Context(), []election.End{end})[0].Err,
		} {
			if err == nil || !strings.Contains(err.Error(), "node n2: ") || !strings.Contains(err.Error(), "node n3: ") || strings.Contains(err.Error(), "n1") {
				t.Errorf("%s: got error %v, want it to name n2 and n3", what, err)
			}
		}
	})
}

// TestANodeThatMissedTheClaimHasTheTickInItsLedger: it is told at the start.
func TestANodeThatMissedTheClaimHasTheTickInItsLedger(t *testing.T) {
	t.Parallel()
	bubble(t, redlock.Config{NodeTimeout: nodeTimeout}, 3, func(t *testing.T, s *redlock.Store, links []*link) {
		links[2].set(func(l *link) { l.cut = true })
		c := claimOf(1, time.Second)
		h := holdOf(c, claimed(t, s, c, election.Granted))
		links[2].set(func(l *link) { l.cut = false })
		if a := s.Start(t.Context(), []election.Hold{h})[0]; a.Standing != election.Good {
			t.Fatalf("start: got %+v", a)
		}
		r := record(t, links[2].Store)
		if r.State != election.StateRunning || r.Token != h.Token || !r.Decided.Equal(c.Tick) {
			t.Errorf("the node that missed the claim: got %+v, want it running with token %d", r, h.Token)
		}
		// So the lease survives the loss of another node.
		links[0].set(func(l *link) { l.cut = true })
		if a := s.Renew(t.Context(), []election.Hold{h})[0]; a.Standing != election.Good {
			t.Errorf("renewal without another node: got %+v, want it good", a)
		}
	})
}

// TestAStartThatComesShortIsGivenUpAndItsTickStaysRunnable: the nodes forgot the
// claim, but for one.
func TestAStartThatComesShortIsGivenUpAndItsTickStaysRunnable(t *testing.T) {
	t.Parallel()
	bubble(t, redlock.Config{NodeTimeout: nodeTimeout}, 3, func(t *testing.T, s *redlock.Store, links []*link) {
		c := claimOf(1, time.Second)
		h := holdOf(c, claimed(t, s, c, election.Granted))
		links[1].Forget()
		links[2].Forget()
		if a := s.Start(t.Context(), []election.Hold{h})[0]; a.Standing != election.Lost {
			t.Fatalf("start: got %+v, want it lost", a)
		}
		synctest.Wait()
		if r := record(t, links[0].Store); r.State != election.StateDone || r.Token != h.Token {
			t.Errorf("the node that had started it: got %+v, want it given up", r)
		}
		other := claimOf(2, 0)
		other.Tick = c.Tick
		a := claimed(t, s, other, election.Granted)
		if a.Prev != nil {
			t.Errorf("the next claim of the tick: got %+v, want no trace of a run that never was", a)
		}
	})
}

// TestFloorsPutNoNodeInQuarantineForATokenThatItNeverHad: before it starts, a claim
// has another token at each node, and the replica is told the highest.
func TestFloorsPutNoNodeInQuarantineForATokenThatItNeverHad(t *testing.T) {
	t.Parallel()
	bubble(t, redlock.Config{}, 3, func(t *testing.T, s *redlock.Store, links []*link) {
		mine, theirs := elector(t, s, "mine"), elector(t, s, "theirs")
		wish := []election.Wish{{Key: "job", Mode: election.ForRequest}}
		for range 3 {
			r := mine.Claim(t.Context(), wish)[0]
			if r.Answer != election.Granted {
				t.Fatalf("claim: got %+v", r.ClaimAnswer)
			}
			if other := theirs.Claim(t.Context(), wish)[0]; other.Answer != election.Held || other.Token != r.Token {
				t.Fatalf("claim beside it: got %+v, want it held with token %d", other.ClaimAnswer, r.Token)
			}
			if _, err := r.Lease.Release(t.Context(), election.OutcomeUndone); err != nil {
				t.Fatal(err)
			}
		}
		// A node whose data was lost is in quarantine all the same.
		r := theirs.Claim(t.Context(), wish)[0]
		if got := theirs.Start(t.Context(), []*election.Lease{r.Lease}); got[0].Err != nil {
			t.Fatal(got[0].Err)
		}
		if _, err := r.Lease.Release(t.Context(), election.OutcomeSucceeded); err != nil {
			t.Fatal(err)
		}
		links[0].Forget()
		links[1].Forget()
		if r := theirs.Claim(t.Context(), wish)[0]; r.Answer != election.Quarantine {
			t.Errorf("after the loss: got %+v, want quarantine", r.ClaimAnswer)
		}
	})
}

// TestANodeThatWasAwayVotesAsSoonAsItIsBack: it has missed ticks, and lost nothing.
func TestANodeThatWasAwayVotesAsSoonAsItIsBack(t *testing.T) {
	t.Parallel()
	bubble(t, redlock.Config{NodeTimeout: nodeTimeout}, 3, func(t *testing.T, s *redlock.Store, links []*link) {
		e := elector(t, s, "mine")
		run := func() election.Answer {
			time.Sleep(time.Second)
			r := e.Claim(t.Context(), []election.Wish{{Key: "job", Mode: election.ForTick, Tick: time.Now().Truncate(time.Millisecond).UTC()}})[0]
			if r.Answer != election.Granted {
				return r.Answer
			}
			if got := e.Start(t.Context(), []*election.Lease{r.Lease}); got[0].Err != nil {
				t.Fatal(got[0].Err)
			}
			if _, err := r.Lease.Release(t.Context(), election.OutcomeSucceeded); err != nil {
				t.Fatal(err)
			}
			return r.Answer
		}
		run()
		links[2].set(func(l *link) { l.cut = true })
		run()
		run()
		links[2].set(func(l *link) { l.cut = false })
		links[0].set(func(l *link) { l.cut = true })
		if got := run(); got != election.Granted {
			t.Errorf("with the node that is back, and another one away: got answer %d, want a grant", got)
		}
	})
}

// TestANodeThatMayHaveForgottenALeaseDoesNotVote: a run holds nodes 1 and 2, and
// node 1 comes back without its data.
func TestANodeThatMayHaveForgottenALeaseDoesNotVote(t *testing.T) {
	t.Parallel()
	const young = 31 * time.Second
	for name, c := range map[string]struct {
		cfg  redlock.Config
		want election.Answer
	}{
		"it does not vote":         {redlock.Config{NodeTimeout: nodeTimeout, Young: young}, election.Quarantine},
		"without the rule it does": {redlock.Config{NodeTimeout: nodeTimeout, Young: -1}, election.Granted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, c.cfg, 3, func(t *testing.T, s *redlock.Store, links []*link) {
				links[2].set(func(l *link) { l.cut = true })
				running(t, s, claimOf(1, time.Second))
				links[2].set(func(l *link) { l.cut = false })
				links[0].Forget()
				restarted := time.Now()
				links[0].set(func(l *link) { l.age = func() time.Duration { return time.Since(restarted) } })
				links[1].set(func(l *link) { l.cut = true }) // the one that knows is out of reach for a rival

				a := claimed(t, s, claimOf(2, 0), c.want)
				if c.want == election.Granted {
					return
				}
				if a.Remaining > young || a.Remaining < young-time.Second {
					t.Errorf("got closed for %s, want %s", a.Remaining, young)
				}
				synctest.Wait()
				if r := record(t, links[2].Store); r.State == election.StateClaimed {
					t.Errorf("the claim is left at another node: %+v", r)
				}
			})
		})
	}
}

func TestAMinorityThatIsOutOfReachStopsNeitherRevocationsNorGates(t *testing.T) {
	t.Parallel()
	bubble(t, redlock.Config{NodeTimeout: nodeTimeout}, 3, func(t *testing.T, s *redlock.Store, links []*link) {
		h := running(t, s, claimOf(1, time.Second))
		links[0].set(func(l *link) { l.cut = true })
		if err := s.SetGate(t.Context(), "job", election.Gate{Closed: true, By: "ada"}); err != nil {
			t.Fatalf("gate: %v", err)
		}
		if _, err := s.Revoke(t.Context(), election.Revocation{Key: "job", Token: h.Token, LockDelay: time.Second, Retention: time.Hour}); err != nil {
			t.Fatalf("revoke: %v", err)
		}
		links[0].set(func(l *link) { l.cut = false })
		time.Sleep(time.Second)
		if a := s.Renew(t.Context(), []election.Hold{h})[0]; a.Standing != election.Lost {
			t.Errorf("renewal after the revocation: got %+v, want it lost", a)
		}
		claimed(t, s, claimOf(2, 0), election.Closed)
		for _, l := range links[:2] {
			l.set(func(l *link) { l.cut = true })
		}
		_, read := s.Read(t.Context(), []string{"job"})
		_, revoke := s.Revoke(t.Context(), election.Revocation{Key: "job", Retention: time.Hour})
		for what, err := range map[string]error{
			"gate": s.SetGate(t.Context(), "job", election.Gate{}), "read": read, "revoke": revoke,
		} {
			if err == nil || !strings.Contains(err.Error(), "1 of 3 nodes") || !strings.Contains(err.Error(), "node n2") {
				t.Errorf("%s without a quorum: got %v, want an error that names the nodes", what, err)
			}
		}
	})
}
