package election_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
)

// terse is a store that leaves out the last answer of each request, from when it
// is told to, as nobody's should.
type terse struct {
	election.Store
	mute bool
}

func (s *terse) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	return but(s.Store.Claim(ctx, claims), s.mute)
}

func (s *terse) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return but(s.Store.Start(ctx, holds), s.mute)
}

func (s *terse) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return but(s.Store.Renew(ctx, holds), s.mute)
}

func (s *terse) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	return but(s.Store.Release(ctx, ends), s.mute)
}

func but[T any](answers []T, last bool) []T {
	if last {
		return answers[:len(answers)-1]
	}
	return answers
}

func TestWhatAStoreLeavesOutIsUnknownAndNeverARightToWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &terse{Store: new(memlease.Store)}
		e := newElector(t, store, "a")
		wishes := []election.Wish{{Key: "one", Mode: election.ForRequest}, {Key: "two", Mode: election.ForRequest}}
		granted := e.Claim(t.Context(), wishes)
		store.mute = true
		// The memory of the grants before must not speak for what is left out.
		memory := []election.Reply{granted[0], granted[1]}
		again := e.ClaimInto(t.Context(), []election.Wish{{Key: "three", Mode: election.ForRequest}, {Key: "four", Mode: election.ForRequest}}, memory)
		if r := again[1]; again[0].Answer != election.Granted || r.Answer != election.Unknown || r.Lease != nil || r.Err == nil || r.Owner == "" {
			t.Errorf("claims: got %+v, want the second unknown, with its owner and an error", again)
		}
		leases := []*election.Lease{granted[0].Lease, granted[1].Lease}
		started := e.StartInto(t.Context(), leases, []election.Started{{}, {}})
		if started[0].Err != nil || started[1].Err == nil {
			t.Errorf("starts: got %+v, want an error for the second", started)
		}
		ctx, stop := leases[0].Keep(t.Context())
		defer stop()
		<-ctx.Done()
		if cause := context.Cause(ctx); !errors.Is(cause, election.ErrLeaseUncertain) {
			t.Errorf("a lease whose renewals are left out ended with %v, want %v", cause, election.ErrLeaseUncertain)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := leases[0].Release(short, election.OutcomeSucceeded); err == nil {
			t.Error("a release without an answer passed for one")
		}
	})
}
