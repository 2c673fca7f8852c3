package redlock_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redlock"
)

const contenders = 8

// play has eight contenders on five nodes, as spoil leaves them, play n ticks.
func play(t *testing.T, n int, spoil func(redlock.Node) redlock.Node, weaken func(*redlock.Store)) (c *contest, ticks []time.Time) {
	t.Helper()
	c = new(contest)
	time.Sleep(time.Hour)
	_, memories := memories(5)
	var stores []*redlock.Store
	for range contenders {
		var nodes []redlock.Node
		for i, m := range memories {
			l := &link{Store: m, delay: upTo3ms}
			nodes = append(nodes, spoil(redlock.Node{Name: fmt.Sprintf("n%d", i+1), Store: l}))
		}
		s := open(t, redlock.Config{}, nodes...)
		weaken(s)
		stores = append(stores, s)
	}
	return c, c.hold(t.Context(), t, stores, n)
}

func sound(n redlock.Node) redlock.Node { return n }

func strong(*redlock.Store) {}

func TestEightContendersOnFiveNodesLoseNoTickAndRunNoneTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, ticks := play(t, 450, sound, strong)
		lost, double := c.verdict(ticks)
		if lost != 0 || double != 0 || c.overlaps != 0 {
			t.Errorf("of %d ticks: got %d lost, %d doubled, %d overlaps, want none", len(ticks), lost, double, c.overlaps)
		}
		if len(c.unsure) > 0 {
			t.Errorf("got %d starts that were not answered, want none", len(c.unsure))
		}
		if !c.tokensGrow() {
			t.Error("a run had a token that is not above those before it")
		}
	})
}

// onePhase marks a tick as started with the claim itself.
type onePhase struct{ redlock.NodeStore }

func (n onePhase) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := n.NodeStore.Claim(ctx, claims)
	for i := range answers {
		if c := &claims[i]; answers[i].Answer == election.Granted {
			n.Start(ctx, []election.Hold{{
				Key: c.Key, Owner: c.Owner, Token: answers[i].Token, Tick: c.Tick, TTL: c.TTL, Retention: c.Retention,
			}})
		}
	}
	return answers
}

// noUndo keeps what it has granted.
type noUndo struct{ redlock.NodeStore }

func (n noUndo) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	answers := make([]election.HoldAnswer, len(ends))
	for i, e := range ends {
		if e.Outcome == election.OutcomeUndone {
			answers[i] = election.HoldAnswer{Standing: election.Good, Token: e.Token, Now: time.Now()}
			continue
		}
		answers[i] = n.NodeStore.Release(ctx, ends[i:i+1])[0]
	}
	return answers
}

// TestTheContestNoticesEveryMissingRule: what proves a rule must fail without it.
func TestTheContestNoticesEveryMissingRule(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		spoil  func(redlock.Node) redlock.Node
		weaken func(*redlock.Store)
		seen   func(lost, double, overlaps int) bool
	}{
		"two phases": {
			func(n redlock.Node) redlock.Node { n.Store = onePhase{n.Store}; return n }, strong,
			func(lost, _, _ int) bool { return lost > 0 },
		},
		"undo": {
			func(n redlock.Node) redlock.Node { n.Store = noUndo{n.Store}; return n }, strong,
			func(lost, _, _ int) bool { return lost > 0 },
		},
		"a quorum is more than half": {
			sound, func(s *redlock.Store) { redlock.SetQuorum(s, 2) },
			func(_, double, overlaps int) bool { return double > 0 && overlaps > 0 },
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c0, ticks := play(t, 40, c.spoil, c.weaken)
				lost, double := c0.verdict(ticks)
				t.Logf("of %d ticks: %d lost, %d doubled, %d overlaps", len(ticks), lost, double, c0.overlaps)
				if !c.seen(lost, double, c0.overlaps) {
					t.Errorf("nodes without the rule %q pass the contest", rule)
				}
			})
		})
	}
}
