package redlock

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

// errMute is why the start of a node does not count.
var errMute = errors.New("the node may have lost its data and does not vote yet")

func silentHold(err error) election.HoldAnswer { return election.HoldAnswer{Err: err} }

func faultOf(a *election.HoldAnswer) *error { return &a.Err }

func spokeHold(a *election.HoldAnswer) bool {
	return a.Standing != election.Uncertain || !a.Now.IsZero() || errors.Is(a.Err, election.ErrBadClaim)
}

func good(a *election.HoldAnswer) bool { return a.Standing == election.Good }

// had reports whether the lease is the caller's at the node.
func had(a *election.HoldAnswer) bool { return good(a) || a.Standing == election.Reinstated }

// gone reports whether the lease certainly is not the caller's at the node.
func gone(a *election.HoldAnswer) bool {
	return a.Standing == election.Lost || a.Standing == election.Lapsed || a.Standing == election.AlreadyReleased
}

func faulty(a *election.HoldAnswer) bool { return errors.Is(a.Err, election.ErrBadClaim) }

func countHolds(answers []election.HoldAnswer, such func(*election.HoldAnswer) bool) int {
	n := 0
	for i := range answers {
		if such(&answers[i]) {
			n++
		}
	}
	return n
}

func goodAt(answers []election.HoldAnswer) []bool {
	at := make([]bool, len(answers))
	for i := range answers {
		at[i] = had(&answers[i])
	}
	return at
}

// weighStart decides a start by the answers of all nodes: Good if a quorum is.
func weighStart(answers []election.HoldAnswer, q int, h *election.Hold) election.HoldAnswer {
	if countHolds(answers, good) < q {
		return weighLoss(answers, q)
	}
	a := election.HoldAnswer{Standing: election.Good, Token: h.Token, Remaining: lasts(answers, q, good), Now: middle(answers)}
	// As with a claim, what a quorum may have decided. A node that was told of the
	// lease by a renewal has the tick itself as the one before, and does not know.
	var before []time.Time
	for i := range answers {
		if x := &answers[i]; good(x) && (h.Tick.IsZero() || x.Decided.Before(h.Tick)) {
			before = append(before, x.Decided)
		}
	}
	slices.SortFunc(before, func(x, y time.Time) int { return y.Compare(x) })
	if n := max(1, q-(len(answers)-len(before))); n <= len(before) {
		a.Decided = before[n-1]
	}
	return a
}

// weighRenewal decides a renewal by the answers of all nodes. The lease has the token
// that was granted, also where the nodes have each their own until it is started.
func weighRenewal(answers []election.HoldAnswer, q int, token int64) election.HoldAnswer {
	if countHolds(answers, had) < q {
		return weighLoss(answers, q)
	}
	a := election.HoldAnswer{Standing: election.Good, Token: token, Remaining: lasts(answers, q, had), Now: middle(answers)}
	if countHolds(answers, good) < q {
		a.Standing = election.Reinstated
	}
	return a
}

// weighLoss is the answer to a holder that has no quorum: what is certain, or that
// nothing is. A lease is gone when a quorum says so: the rest is none.
func weighLoss(answers []election.HoldAnswer, q int) election.HoldAnswer {
	switch {
	case countHolds(answers, faulty) >= q:
		i := slices.IndexFunc(answers, func(a election.HoldAnswer) bool { return faulty(&a) })
		return election.HoldAnswer{Err: answers[i].Err, Now: middle(answers)}
	case countHolds(answers, gone) >= q:
		return loss(answers, q)
	}
	return unsure(answers, q)
}

// loss is Lost or Lapsed, as most of the nodes say: Lapsed promises that nobody else
// has the lease, so it takes a clear majority of those that know.
func loss(answers []election.HoldAnswer, q int) election.HoldAnswer {
	lapsed := countHolds(answers, func(a *election.HoldAnswer) bool { return a.Standing == election.Lapsed })
	a := election.HoldAnswer{Standing: election.Lost, Now: middle(answers)}
	if 2*lapsed > countHolds(answers, gone) {
		a.Standing = election.Lapsed
	}
	var tokens []int64
	var by *election.HoldAnswer
	for i := range answers {
		x := &answers[i]
		if !gone(x) {
			continue
		}
		tokens = append(tokens, x.Token)
		if x.By != "" && (by == nil || x.Token > by.Token) {
			by = x
		}
	}
	slices.SortFunc(tokens, func(x, y int64) int { return cmp.Compare(y, x) })
	a.Token = tokens[min(q, len(tokens))-1] // at least so many nodes have it
	if by != nil && a.Standing == election.Lost {
		a.By = by.By
	}
	return a
}

// unsure is the answer when there is none. It says that nothing was done only if
// that is so everywhere.
func unsure(answers []election.HoldAnswer, q int) election.HoldAnswer {
	errs, idle, spoke := []error{errVotes}, 0, 0
	for i := range answers {
		x := &answers[i]
		if x.Err != nil {
			errs = append(errs, x.Err)
			if errors.Is(x.Err, election.ErrNotApplied) {
				idle++
			}
		}
		if !x.Now.IsZero() {
			spoke++
		}
	}
	a := election.HoldAnswer{Err: fmt.Errorf("redlock: %w", hide(errs, idle == len(answers)))}
	if spoke >= q {
		a.Now = middle(answers)
	}
	return a
}

// lasts is for how long q nodes have the lease: the q-th best of their times.
func lasts(answers []election.HoldAnswer, q int, such func(*election.HoldAnswer) bool) time.Duration {
	var all []time.Duration
	for i := range answers {
		if such(&answers[i]) {
			all = append(all, answers[i].Remaining)
		}
	}
	slices.Sort(all)
	return all[len(all)-q]
}

// middle is the middle of the clocks of the nodes that answered.
func middle(answers []election.HoldAnswer) time.Time {
	var all []time.Time
	for i := range answers {
		if !answers[i].Now.IsZero() {
			all = append(all, answers[i].Now)
		}
	}
	return median(all)
}
