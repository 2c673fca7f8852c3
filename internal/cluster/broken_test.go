package cluster

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
)

// Each rule here is broken on purpose; a world that cannot tell is no proof.

// noLedger asks for the lease alone, as a plain lock does.
type noLedger struct{ election.Store }

func (s noLedger) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	plain := make([]election.Claim, len(claims))
	for i, c := range claims {
		c.Mode, c.Tick, c.Floor = election.ForRequest, time.Time{}, election.Floor{}
		plain[i] = c
	}
	return s.Store.Claim(ctx, plain)
}

// credulous believes every lease for some seconds longer than it lasts, as one
// does who counts from the wrong instant.
type credulous struct {
	election.Store
	by time.Duration
}

func (s credulous) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.longer(s.Store.Start(ctx, holds))
}

func (s credulous) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.longer(s.Store.Renew(ctx, holds))
}

func (s credulous) longer(answers []election.HoldAnswer) []election.HoldAnswer {
	for i := range answers {
		if answers[i].Standing == election.Good {
			answers[i].Remaining += s.by
		}
	}
	return answers
}

// eager tells the store that nobody needs time to die.
type eager struct{ election.Store }

func (s eager) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	hasty := make([]election.Claim, len(claims))
	for i, c := range claims {
		c.LockDelay = 0
		hasty[i] = c
	}
	return s.Store.Claim(ctx, hasty)
}

func TestBrokenRulesAreCaught(t *testing.T) {
	t.Parallel()
	long := Job{Name: "long", Spec: "* * * * *", Takes: 10 * time.Minute, Deaf: 5900 * time.Millisecond}
	// Several jobs, so that the late replica is the first to ask for some.
	var some []Job
	for _, name := range []string{"one", "two", "three", "four", "five", "six"} {
		some = append(some, Job{Name: name, Spec: "* * * * *", Takes: 50 * time.Millisecond})
	}
	late := func(w *World) {
		w.Start("a", 0, some...)
		w.Start("b", 0, some...).Lag(400 * time.Millisecond)
		time.Sleep(10 * time.Minute)
	}
	cutOff := func(w *World) {
		for range 5 {
			a := w.Start("a", 0, long)
			time.Sleep(95 * time.Second)
			w.Start("b", 0, long)
			a.Cut(true)
			time.Sleep(3 * time.Minute)
			a.Cut(false)
			for _, r := range w.all {
				r.Stop()
			}
		}
	}
	// With the process also frozen for less than the lock delay before it dies.
	frozen := Job{Name: "long", Spec: "@every 1s", Takes: 10 * time.Minute, Deaf: 10 * time.Second}
	cutAndFrozen := func(w *World) {
		a := w.Start("a", 0, frozen)
		time.Sleep(95 * time.Second)
		w.Start("b", 0, frozen)
		a.Cut(true)
		time.Sleep(3 * time.Minute)
	}
	for name, x := range map[string]struct {
		wrap  func(election.Store) election.Store
		world func(*World)
		fault string
	}{
		"nothing is broken, one is late":   {nil, late, ""},
		"nothing is broken, one is cut":    {nil, cutOff, ""},
		"nothing is broken, one is frozen": {nil, cutAndFrozen, ""},
		"no ledger":                        {func(s election.Store) election.Store { return noLedger{s} }, late, "runs for the 2. time"},
		"deadline too late":                {func(s election.Store) election.Store { return credulous{s, 20 * time.Second} }, cutOff, "starts on b while"},
		"no lock delay":                    {func(s election.Store) election.Store { return eager{s} }, cutAndFrozen, "starts on b while"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := New(t, election.Config{})
				w.wrap = x.wrap
				x.world(w)
				faults := strings.Join(w.Broken(), "\n")
				w.Close()
				if x.fault == "" && faults != "" || !strings.Contains(faults, x.fault) {
					t.Errorf("faults seen: %q, want %q", faults, x.fault)
				}
			})
		})
	}
}
