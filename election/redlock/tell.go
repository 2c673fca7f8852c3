package redlock

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solocron/solocron/election"
)

// grant is the answer to a claim that a quorum grants. Its token is the highest
// that was given, which Start raises the others to; its time what q nodes have.
func grant(votes []vote, q int) election.ClaimAnswer {
	var got []*vote
	a := election.ClaimAnswer{Answer: election.Granted, Now: now(votes)}
	for i := range votes {
		v := &votes[i]
		if v.Answer != election.Granted {
			continue
		}
		a.Token = max(a.Token, v.Token) // also of those that do not vote: they are raised, too
		if v.mute == 0 {
			got = append(got, v)
		}
	}
	a.By, a.Tick = got[0].By, got[0].Tick
	slices.SortFunc(got, func(x, y *vote) int { return cmp.Compare(y.Remaining, x.Remaining) })
	a.Remaining = got[q-1].Remaining
	for _, v := range got {
		a.Attempt = max(a.Attempt, v.Attempt)
	}
	a.Prev = abandoned(got, len(votes)-q)
	a.Decided = likely(votes, q, func(v *vote) time.Time { return v.Decided }, time.Time.Compare)
	return a
}

// abandoned is the run that a quorum has started and nobody ended. One node is
// enough to know of it, as the rest of its quorum may be out of reach; but not if
// so many have no trace of it that a quorum cannot have started it. Minority is how
// many nodes are no quorum's business.
func abandoned(got []*vote, minority int) *election.Abandoned {
	var last *election.Abandoned
	for _, v := range got {
		if v.Prev != nil && (last == nil || v.Prev.Token > last.Token) {
			last = v.Prev
		}
	}
	if last == nil {
		return nil
	}
	without := 0
	for _, v := range got {
		if v.Prev == nil || v.Prev.Token != last.Token {
			without++
		}
	}
	if without > minority {
		return nil
	}
	return last
}

// likely is the highest value that a quorum may have: at least q nodes have it, if
// those that did not answer do.
func likely[T any](votes []vote, q int, of func(*vote) T, compare func(T, T) int) T {
	return highest(votes, max(1, q-(len(votes)-count(votes, (*vote).answered))), of, compare)
}

// sure is the highest value that q nodes have at least. The floors of a replica
// come from it: a higher one would make a node that never had it look as if it had
// lost data.
func sure[T any](votes []vote, q int, of func(*vote) T, compare func(T, T) int) T {
	return highest(votes, q, of, compare)
}

// highest is the n-th highest value that a node answered; zero if there are fewer.
func highest[T any](votes []vote, n int, of func(*vote) T, compare func(T, T) int) T {
	var all []T
	for i := range votes {
		if votes[i].answered() {
			all = append(all, of(&votes[i]))
		}
	}
	if len(all) < n {
		var none T
		return none
	}
	slices.SortFunc(all, func(a, b T) int { return compare(b, a) })
	return all[n-1]
}

// tell is the answer of a kind, in the words of the first node that gave it.
func tell(votes []vote, q int, kind election.Answer) election.ClaimAnswer {
	a := election.ClaimAnswer{Answer: kind}
	for i := range votes {
		if v := &votes[i]; v.Answer == kind {
			a = v.ClaimAnswer
			break
		}
	}
	a.Now = now(votes)
	a.Token = sure(votes, q, func(v *vote) int64 { return v.Token }, cmp.Compare)
	if own := (&vote{ClaimAnswer: a}).own(); !own {
		a.Decided = sure(votes, q, func(v *vote) time.Time { return v.Decided }, time.Time.Compare)
	}
	return a
}

// held is the answer that somebody holds the lease: the holder of first, with the
// highest of its tokens, which the others are raised to if it starts.
func held(votes []vote, q int, first *vote) election.ClaimAnswer {
	a := tell(votes, q, election.Held)
	a.By, a.Tick, a.Started, a.Remaining, a.Token = first.By, first.Tick, first.Started, opens(first), 0
	for i := range votes {
		v := &votes[i]
		if !sameHolder(v, first) {
			continue
		}
		if v.Started && !a.Started { // what has started says which token counts
			a.Started, a.Token = true, 0
		}
		if v.Started == a.Started {
			a.Token = max(a.Token, v.Token)
		}
	}
	return a
}

// now is the middle of the clocks of the nodes that answered.
func now(votes []vote) time.Time {
	var all []time.Time
	for i := range votes {
		if !votes[i].Now.IsZero() {
			all = append(all, votes[i].Now)
		}
	}
	return median(all)
}

func median(all []time.Time) time.Time {
	if len(all) == 0 {
		return time.Time{}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all[(len(all)-1)/2]
}

// hide returns errs in words, without what they wrap: that one node certainly did
// nothing is not true of all. If it is, idle, the whole says so.
func hide(errs []error, idle bool) error {
	var words []string
	for _, err := range errs {
		words = append(words, err.Error())
	}
	said := strings.Join(words, "; ")
	if idle {
		return fmt.Errorf("%w: %s", election.ErrNotApplied, said)
	}
	return errors.New(said)
}
