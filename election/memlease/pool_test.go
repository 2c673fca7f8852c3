package memlease_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
)

// TestWhatIsAnsweredInRecycledMemoryIsTheSame plays one story on two stores, one of
// which is given its answers back, and spoilt.
func TestWhatIsAnsweredInRecycledMemoryIsTheSame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		plain, recycled := new(memlease.Store), new(memlease.Store)
		for round, n := range []int{1, 40, 3, 40, 7, 1, 41} {
			at := time.Now().Truncate(time.Second).UTC()
			var claims []election.Claim
			for i := range n {
				claims = append(claims, election.Claim{
					Key: fmt.Sprint("job-", i), Owner: election.Owner(fmt.Sprintf("%032x", 100*round+i)), Tick: at,
					TTL: 10 * time.Second, LockDelay: time.Second, Retention: time.Hour, Holder: "a",
				})
			}
			want, got := plain.Claim(t.Context(), claims), recycled.Claim(t.Context(), claims)
			if !slices.Equal(got, want) {
				t.Fatalf("round %d: claims are answered %+v, want %+v", round, got, want)
			}
			var holds []election.Hold
			var ends []election.End
			for i, c := range claims {
				holds = append(holds, election.Hold{
					Key: c.Key, Owner: c.Owner, Token: got[i].Token, Tick: at, TTL: c.TTL, Retention: c.Retention, Holder: "a",
				})
				ends = append(ends, election.End{
					Key: c.Key, Owner: c.Owner, Token: got[i].Token, Outcome: election.OutcomeSucceeded, Retention: c.Retention,
				})
			}
			for i := range got {
				got[i].By, got[i].Answer = "spoilt", election.Held
			}
			recycled.Recycle(got, nil)
			same(t, "starts", plain.Start(t.Context(), holds), recycled.Start(t.Context(), holds), recycled)
			same(t, "releases", plain.Release(t.Context(), ends), recycled.Release(t.Context(), ends), recycled)
			time.Sleep(time.Second)
		}
	})
}

func same(t *testing.T, what string, want, got []election.HoldAnswer, s *memlease.Store) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s are answered %+v, want %+v", what, got, want)
	}
	for i := range got {
		got[i].By, got[i].Standing = "spoilt", election.Lost
	}
	s.Recycle(nil, got)
}
