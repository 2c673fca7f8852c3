package redislease_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
)

// TestOlderOutcomesAreStillKnown asks for every outcome again, through the
// place where the newest stand and the one where the older do.
func TestOlderOutcomesAreStillKnown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Hour)
		s, _ := mini(t)
		letters := []election.Outcome{election.OutcomeFailed, election.OutcomeTimedOut, election.OutcomeCancelled}
		var ends []election.End
		for n := range 45 {
			c := request(n)
			a := s.Claim(t.Context(), []election.Claim{c})[0]
			s.Start(t.Context(), []election.Hold{{Key: c.Key, Owner: c.Owner, Token: a.Token, TTL: c.TTL, Retention: c.Retention}})
			e := election.End{Key: c.Key, Owner: c.Owner, Token: a.Token, Outcome: letters[n%3], Retention: c.Retention}
			if got := s.Release(t.Context(), []election.End{e})[0]; got.Standing != election.Good {
				t.Fatalf("release %d: got %+v", n, got)
			}
			ends = append(ends, e)
		}
		for n, a := range s.Release(t.Context(), ends) {
			want := election.AlreadyReleased
			if len(ends)-n > 32 {
				want = election.Lost
			}
			if a.Standing != want || want == election.AlreadyReleased && a.Outcome != ends[n].Outcome {
				t.Errorf("release %d again: got %+v, want standing %d with outcome %c", n, a, want, ends[n].Outcome)
			}
		}
	})
}
