package redlock

import (
	"context"
	"errors"
	"slices"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Release implements election.Store: at all nodes, for whatever each of them knows of
// the lease. It waits for every node that can be expected to answer, as nobody is
// in a hurry for it, and one that has not heard of it keeps the next run waiting.
func (s *Store) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	answers := make([]election.HoldAnswer, len(ends))
	if err := s.refused(ctx); err != nil {
		for i := range answers {
			answers[i].Err = err
		}
		return answers
	}
	asked, places := make([]election.End, 0, len(ends)), make([]int, 0, len(ends))
	for i := range ends {
		if answers[i].Err = check.End(&ends[i]); answers[i].Err == nil {
			asked, places = append(asked, ends[i]), append(places, i)
		}
	}
	if len(asked) == 0 {
		return answers
	}
	each := told(s, asked, ofEnd)
	all := poll(ctx, s, question[election.HoldAnswer]{
		n:       len(asked),
		ask:     func(ctx context.Context, i int, n *node) []election.HoldAnswer { return n.releaseAt(ctx, each[i]) },
		silence: silentHold,
		spoke:   spokeHold,
		fault:   faultOf,
	})
	for i, n := range s.nodes {
		if errors.Is(all[i][0].Err, errBusy) {
			n.unheard(each[i], all[i])
		}
	}
	for i := range asked {
		e := &asked[i]
		a := weighRelease(column(all, i), s.quorum, e)
		if a.Standing == election.Good && e.Outcome == election.OutcomeUndone {
			s.memory.undo(e.Key, e.Owner, e.Token)
		}
		answers[places[i]] = a
	}
	return answers
}

// told are the items for each node: of a claim that has not started everywhere, each
// is given the token that it knows. Of names what an item is about, and where its
// token is.
func told[T any](s *Store, items []T, of func(*T) (key string, owner election.Owner, token *int64)) [][]T {
	each := make([][]T, len(s.nodes))
	for n := range each {
		each[n] = items
	}
	for i := range items {
		key, owner, token := of(&items[i])
		known, ok := s.memory.mine(key, owner, *token)
		if !ok {
			continue
		}
		for n, its := range known.tokens {
			if its == 0 || its == *token {
				continue
			}
			if &each[n][0] == &items[0] {
				each[n] = slices.Clone(items)
			}
			_, _, token := of(&each[n][i])
			*token = its
		}
	}
	return each
}

func ofEnd(e *election.End) (string, election.Owner, *int64)   { return e.Key, e.Owner, &e.Token }
func ofHold(h *election.Hold) (string, election.Owner, *int64) { return h.Key, h.Owner, &h.Token }

// weighRelease decides a release by the answers of all nodes. A node at which it had
// been released with the same outcome counts as one that has done it now: the answer
// to the first try was lost. What other nodes keep instead counts if this has no
// quorum any more: most often that the run was found abandoned.
func weighRelease(answers []election.HoldAnswer, q int, e *election.End) election.HoldAnswer {
	already := func(a *election.HoldAnswer) bool { return a.Standing == election.AlreadyReleased }
	same := func(a *election.HoldAnswer) bool { return good(a) || already(a) && a.Outcome == e.Outcome }
	switch {
	case countHolds(answers, already) >= q:
		return kept(answers, q)
	case countHolds(answers, same) >= q:
		return election.HoldAnswer{Standing: election.Good, Token: e.Token, Now: middle(answers)}
	case countHolds(answers, gone) >= q:
		return kept(answers, q)
	}
	return weighLoss(answers, q)
}

// kept is what the records say of a lease that cannot be released: how most of those
// that know have it, or that it is lost.
func kept(answers []election.HoldAnswer, q int) election.HoldAnswer {
	votes := make(map[election.Outcome]int)
	most := election.OutcomeNone
	var token int64
	for i := range answers {
		if a := &answers[i]; a.Standing == election.AlreadyReleased {
			votes[a.Outcome]++
			token = max(token, a.Token)
			if votes[a.Outcome] > votes[most] || votes[a.Outcome] == votes[most] && a.Outcome == election.OutcomeAbandoned {
				most = a.Outcome
			}
		}
	}
	if most == election.OutcomeNone {
		return loss(answers, q)
	}
	return election.HoldAnswer{Standing: election.AlreadyReleased, Outcome: most, Token: token, Now: middle(answers)}
}
