package redlock

import (
	"context"
	"errors"
	"slices"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Start implements election.Store. It is the second round of a claim: the token of
// each hold, which is the highest that the claim was granted, becomes that of every
// node which granted it. It is Good if a quorum says so; then the tick is spent.
//
// A node that has no part in the lease, as it was out of reach or has missed an
// earlier start, is told of it by a renewal before Start returns: so it has the
// tick in its ledger, too, and one more node may fail. If the start comes short for
// good, the nodes that have started it give the lease up; their tick stays spent,
// which is no quorum's.
func (s *Store) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	answers, asked, places := s.sift(ctx, holds, s.undone)
	if len(asked) == 0 {
		return answers
	}
	all := poll(ctx, s, question[election.HoldAnswer]{
		n: len(asked),
		ask: func(ctx context.Context, _ int, n *node) []election.HoldAnswer {
			return s.startAt(ctx, n, asked)
		},
		silence: silentHold,
		spoke:   spokeHold,
		fault:   faultOf,
		decided: func(all [][]election.HoldAnswer, i int) bool { return tally(all, i, good) >= s.quorum },
	})
	for i := range asked {
		answers[places[i]] = weighStart(column(all, i), s.quorum, &asked[i])
	}
	s.repair(ctx, asked, all)
	for i := range asked {
		switch h, a := &asked[i], column(all, i); answers[places[i]].Standing {
		case election.Good:
			s.memory.started(h, goodAt(a))
		case election.Lost, election.Lapsed:
			s.giveUp(ctx, h, a)
		}
	}
	return answers
}

// startAt starts holds at one node. One that may have lost its data does not count:
// it is asked after it granted, so that it cannot have restarted in between unnoticed.
func (s *Store) startAt(ctx context.Context, n *node, holds []election.Hold) []election.HoldAnswer {
	mute, err := n.mute(ctx)
	answers := n.Store.Start(ctx, holds)
	if err == nil && mute == 0 {
		return answers
	}
	for i := range answers {
		if answers[i].Standing == election.Good {
			answers[i] = election.HoldAnswer{Err: errMute, Now: answers[i].Now}
		}
	}
	return answers
}

// repair tells the nodes that lack a lease, which a quorum has just started, of it.
// What they answer takes the place of what they said before.
func (s *Store) repair(ctx context.Context, holds []election.Hold, all [][]election.HoldAnswer) {
	lacking, places := make([][]election.Hold, len(all)), make([][]int, len(all))
	work := false
	for i := range holds {
		if tally(all, i, good) < s.quorum {
			continue
		}
		for n := range all {
			if a := &all[n][i]; a.Standing == election.Lost && a.Token < holds[i].Token {
				lacking[n], places[n] = append(lacking[n], holds[i]), append(places[n], i)
				work = true
			}
		}
	}
	if !work {
		return
	}
	told := poll(ctx, s, question[[]election.HoldAnswer]{
		n:    1,
		skip: func(n int) bool { return len(lacking[n]) == 0 },
		ask: func(ctx context.Context, i int, n *node) [][]election.HoldAnswer {
			return [][]election.HoldAnswer{n.Store.Renew(ctx, lacking[i])}
		},
		silence: func(error) []election.HoldAnswer { return nil },
		spoke:   func(a *[]election.HoldAnswer) bool { return len(*a) > 0 && spokeHold(&(*a)[0]) },
	})
	for n := range told {
		if len(told[n][0]) == len(places[n]) {
			for k, i := range places[n] {
				all[n][i] = told[n][0][k]
			}
		}
	}
}

// giveUp ends a lease that too few nodes have started, where it was.
func (s *Store) giveUp(ctx context.Context, h *election.Hold, answers []election.HoldAnswer) {
	ends := make([][]election.End, len(answers))
	work := false
	for i := range answers {
		if a := &answers[i]; good(a) || errors.Is(a.Err, errMute) {
			ends[i] = []election.End{{
				Key: h.Key, Owner: h.Owner, Token: h.Token, Outcome: election.OutcomeCancelled, Retention: h.Retention,
			}}
			work = true
		}
	}
	if work {
		s.crew.run(func() { s.toEach(context.WithoutCancel(ctx), ends) })
	}
}

// Renew implements election.Store. It is Good, or Reinstated if that takes nodes
// that had lost the lease, when a quorum says so, for as long as a quorum has it; and
// Lost or Lapsed when no quorum can say so any more. Else it is Uncertain.
// A claim that has not started, as a plain lock never does, is renewed at each node
// by the token that the node gave.
func (s *Store) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	answers, asked, places := s.sift(ctx, holds, s.undone)
	if len(asked) == 0 {
		return answers
	}
	each := told(s, asked, ofHold)
	all := poll(ctx, s, question[election.HoldAnswer]{
		n:       len(asked),
		ask:     func(ctx context.Context, i int, n *node) []election.HoldAnswer { return n.Store.Renew(ctx, each[i]) },
		silence: silentHold,
		spoke:   spokeHold,
		fault:   faultOf,
		decided: func(all [][]election.HoldAnswer, i int) bool {
			return tally(all, i, had) >= s.quorum || tally(all, i, gone) >= s.quorum
		},
	})
	for i := range asked {
		answers[places[i]] = weighRenewal(column(all, i), s.quorum, asked[i].Token)
	}
	return answers
}

// undone answers a hold that was given back here: the nodes, which were not told of
// its token, may not know it.
func (s *Store) undone(h *election.Hold) (election.HoldAnswer, bool) {
	n, ok := s.memory.mine(h.Key, h.Owner, h.Token)
	return election.HoldAnswer{Standing: election.Lost, Token: h.Token}, ok && n.undone
}

// sift answers the holds that need no node, and returns a copy of the others with
// their places.
func (s *Store) sift(ctx context.Context, holds []election.Hold, known func(*election.Hold) (election.HoldAnswer, bool),
) (answers []election.HoldAnswer, asked []election.Hold, places []int) {
	answers = make([]election.HoldAnswer, len(holds))
	if err := s.refused(ctx); err != nil {
		for i := range answers {
			answers[i].Err = err
		}
		return answers, nil, nil
	}
	asked = make([]election.Hold, 0, len(holds))
	for i := range holds {
		if answers[i].Err = check.Hold(&holds[i]); answers[i].Err != nil {
			continue
		}
		if a, ok := known(&holds[i]); ok {
			answers[i] = a
			continue
		}
		asked, places = append(asked, holds[i]), append(places, i)
	}
	return answers, slices.Clip(asked), places
}
