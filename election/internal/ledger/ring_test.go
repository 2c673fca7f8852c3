package ledger_test

import (
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/ledger"
)

// TestARingHoldsTheNewestOutcomesAndNoSpareRoom: the first outcome of a job is
// made in the burst of its first tick, so it takes one place, not room for more.
func TestARingHoldsTheNewestOutcomesAndNoSpareRoom(t *testing.T) {
	t.Parallel()
	var r ledger.Record
	for n := int64(1); n <= 3*ledger.MaxRing; n++ {
		r.Owner, r.Token, r.State = "me", n, election.StateRunning
		e := election.End{Owner: "me", Token: n, Outcome: election.OutcomeSucceeded, Retention: time.Hour}
		var a election.HoldAnswer
		ledger.Release(&r, true, &e, ledger.Instant{}, &a)
		if want := min(n, ledger.MaxRing); a.Standing != election.Good || int64(len(r.Ring)) != want {
			t.Fatalf("release %d: got %+v and %d outcomes, want Good and %d", n, a, len(r.Ring), want)
		}
		for i, p := range r.Ring {
			if p.Token != n-int64(i) {
				t.Fatalf("after release %d: got %v, want the newest first", n, r.Ring)
			}
		}
		if room := cap(r.Ring); n == 1 && room != 1 || room > ledger.MaxRing {
			t.Fatalf("release %d: got room for %d outcomes, want 1 at first and never more than %d", n, room, ledger.MaxRing)
		}
	}
}
