package redlock

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

// A ruling is what becomes of a claim after a round of votes.
type ruling uint8

const (
	undecided ruling = iota // too few nodes answered, or the claimant has decided the tick at too few: ask again as the same owner
	granted                 // a quorum has granted it
	refused                 // the answer stands, whoever has not answered yet
	contested               // the votes are split among claims of which none has a quorum: undo, and try again soon
)

// errVotes is what the Err of an undecided claim is at least.
var errVotes = errors.New("no quorum for any answer")

// A vote is what one node answers to a claim.
type vote struct {
	election.ClaimAnswer
	mute time.Duration // the node does not vote for so long: its grant does not count
}

// grants reports whether the vote counts for the claimant.
func (v *vote) grants() bool { return v.Answer == election.Granted && v.mute == 0 }

// own reports whether this very claim decided its tick at the node.
func (v *vote) own() bool {
	switch v.Answer {
	case election.Skipped, election.Closed, election.Missed:
		return true
	}
	return false
}

// spends reports whether the tick is decided at the node.
func (v *vote) spends() bool { return v.own() || v.Answer == election.Spent }

// answered reports whether the node said what it knows of the record.
func (v *vote) answered() bool { return v.Answer != election.Unknown }

// count is how many votes are such.
func count(votes []vote, such func(*vote) bool) int {
	n := 0
	for i := range votes {
		if such(&votes[i]) {
			n++
		}
	}
	return n
}

// weigh decides a claim for tick, zero for a request, by the votes of all nodes, of
// which q are a quorum. The first rule that matches counts:
//
//  1. A quorum grants: granted, whatever the others say. What a minority has
//     decided, or still holds, no quorum stood behind.
//  2. A quorum finds the claim at fault: so do all that could.
//  3. At a quorum the tick is decided: it can never be granted again. See word.
//  4. A quorum knows a newer definition: Superseded.
//  5. A quorum holds the lease for one other claim: Held. That one has won.
//  6. This claim has decided the tick at some node, but there is no quorum for it:
//     the claimant must ask again under the same name until there is, as that node
//     says Spent to everybody else. Meanwhile a quorum may still run the tick.
//  7. The claim has to wait: see pivot. If it is for a claim that has not started
//     and, by rule 5, has no quorum either, nobody has won.
//  8. Nothing is known.
func weigh(votes []vote, q int, tick time.Time) (ruling, election.ClaimAnswer) {
	has := func(such func(*vote) bool) bool { return count(votes, such) >= q }
	switch {
	case has((*vote).grants):
		return granted, grant(votes, q)
	case has(func(v *vote) bool { return errors.Is(v.Err, election.ErrBadClaim) }):
		return refused, fault(votes)
	case has((*vote).spends):
		return refused, word(votes, q, tick)
	case has(func(v *vote) bool { return v.Answer == election.Superseded }):
		return refused, tell(votes, q, election.Superseded)
	}
	mine := count(votes, (*vote).own) > 0
	if winner := winner(votes, q); winner != nil && !mine {
		return refused, held(votes, q, winner)
	}
	first := pivot(votes, q)
	switch {
	case mine:
		return undecided, unknown(votes, q)
	case first == nil:
		return undecided, unknown(votes, q)
	case first.Answer == election.Held && !first.Started:
		return contested, held(votes, q, first)
	case first.Answer == election.Held:
		return refused, held(votes, q, first)
	}
	kind := first.Answer
	if kind == election.Granted { // by a node that may have lost data and does not vote yet
		kind = election.Quarantine
	}
	a := tell(votes, q, kind)
	a.Remaining = opens(first)
	return refused, a
}

// word is the answer to a claim whose tick is decided at a quorum. One claimant
// must be told that it was the one, so that it gives the verdict: the first in the
// order of the nodes where the tick is decided says who. All claimants see the same
// node there while all of them reach it. If one does not, two may be told, and give
// the same verdict under the same name: that is better than none. But a tick that a
// quorum has started, or passed over for a later one, has its verdict from whoever
// did: a node that missed it, and decided it alone, says nothing.
func word(votes []vote, q int, tick time.Time) election.ClaimAnswer {
	for i := range votes {
		started := count(votes, func(v *vote) bool {
			return v.Answer == election.Spent && v.Token == votes[i].Token && !v.Tick.Before(tick)
		})
		if started >= q {
			return tell(votes, q, election.Spent)
		}
	}
	i := slices.IndexFunc(votes, func(v vote) bool { return v.spends() })
	return tell(votes, q, votes[i].Answer)
}

// winner is a vote for the one other claim that holds a quorum; nil if there is none.
func winner(votes []vote, q int) *vote {
	for i := range votes {
		w := &votes[i]
		if w.Answer == election.Held && count(votes, func(v *vote) bool { return sameHolder(v, w) }) >= q {
			return w
		}
	}
	return nil
}

func sameHolder(a, b *vote) bool {
	return a.Answer == election.Held && b.Answer == election.Held && a.By == b.By && a.Tick.Equal(b.Tick)
}

// pivot is the vote of the node that must open for a quorum to be open, if each
// opens when it says: before that a claim is in vain. Nil: a quorum never opens.
func pivot(votes []vote, q int) *vote {
	var open []*vote
	for i := range votes {
		if v := &votes[i]; opens(v) >= 0 {
			open = append(open, v)
		}
	}
	if len(open) < q {
		return nil
	}
	slices.SortStableFunc(open, func(a, b *vote) int { return cmp.Compare(opens(a), opens(b)) })
	return open[q-1]
}

// opens is how long a node stays closed for the claim, as far as it says; negative:
// for ever, or nobody knows.
func opens(v *vote) time.Duration {
	switch v.Answer {
	case election.Granted:
		return v.mute
	case election.Held, election.Early, election.Delayed, election.Quarantine:
		return max(v.Remaining, v.mute)
	}
	return -1
}

// fault is the answer to a claim that cannot be granted for what it says.
func fault(votes []vote) election.ClaimAnswer {
	i := slices.IndexFunc(votes, func(v vote) bool { return errors.Is(v.Err, election.ErrBadClaim) })
	return election.ClaimAnswer{Err: votes[i].Err, Now: now(votes)}
}

// unknown is the answer when there is none. It says that nothing was done only if
// that is so everywhere. Its Now is set if a quorum answered.
func unknown(votes []vote, q int) election.ClaimAnswer {
	errs := []error{errVotes}
	idle := 0
	for i := range votes {
		if v := &votes[i]; v.Err != nil {
			errs = append(errs, v.Err)
			if errors.Is(v.Err, election.ErrNotApplied) {
				idle++
			}
		}
	}
	a := election.ClaimAnswer{Err: fmt.Errorf("redlock: %w", hide(errs, idle == len(votes)))}
	if count(votes, (*vote).answered) >= q {
		a.Now = now(votes)
	}
	return a
}
