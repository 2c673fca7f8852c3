package redislease

import (
	"context"
	"fmt"
	"iter"

	"github.com/solocron/solocron/election"
)

// withdraw takes back what claims were told that too few replicas have. What the
// record says about others may be told: it is only a reason not to run.
//
// A grant is undone, so that the job is free for whoever reaches a server with
// replicas. One that found an abandoned run is not: the record tells of that run
// once, to this owner, and must tell it again. A decision stands on this server,
// and the same owner is given it again.
func (s *Store) withdraw(ctx context.Context, claims []election.Claim, answers []election.ClaimAnswer, calls []*call) {
	var undo []int32
	var ends []election.End
	for c := range unreplicated(calls) {
		for _, i := range c.items {
			a, of := &answers[i], &claims[i]
			if !isPromise(a.Answer) {
				continue
			}
			if a.Answer == election.Granted && a.Prev == nil {
				undo = append(undo, i)
				ends = append(ends, election.End{
					Key: of.Key, Owner: of.Owner, Token: a.Token, Outcome: election.OutcomeUndone, Retention: of.Retention,
				})
			}
			*a = election.ClaimAnswer{Err: c.short, Now: a.Now}
		}
	}
	if len(undo) == 0 {
		return
	}
	// The caller's time may be up. With Timeout half a try, both take one.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.try()/2)
	defer cancel()
	for n, e := range s.release(ctx, ends, s.send) {
		if a := &answers[undo[n]]; e.Standing == election.Good {
			a.Err = fmt.Errorf("%w: undone: %w", election.ErrNotApplied, a.Err)
		}
	}
}

// isPromise reports whether an answer lets its receiver act: run a tick, or speak
// for it.
func isPromise(a election.Answer) bool {
	switch a {
	case election.Granted, election.Skipped, election.Closed, election.Missed:
		return true
	case election.Unknown, election.Held, election.Spent, election.Superseded, election.Early, election.Delayed, election.Quarantine:
	}
	return false
}

// doubt takes back what holders were told that too few replicas have: a run does
// not begin by it, and a term does not grow.
func doubt(answers []election.HoldAnswer, calls []*call) {
	for c := range unreplicated(calls) {
		for _, i := range c.items {
			if a := &answers[i]; a.Standing == election.Good || a.Standing == election.Reinstated {
				*a = election.HoldAnswer{Err: c.short, Now: a.Now}
			}
		}
	}
}

// unreplicated are those calls, or their parts, that were answered and that too few
// replicas have.
func unreplicated(calls []*call) iter.Seq[*call] {
	return func(yield func(*call) bool) {
		for _, c := range calls {
			whole := []*call{c}
			if c.parts != nil {
				whole = c.parts
			}
			for _, c := range whole {
				if c.err == nil && c.short != nil && !yield(c) {
					return
				}
			}
		}
	}
}
