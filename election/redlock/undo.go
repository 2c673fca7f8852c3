package redlock

import (
	"context"

	"github.com/solocron/solocron/election"
)

// A fate is what became of the claims of a round, for answers that come later.
type fate struct {
	known chan struct{} // closed when won is
	won   []int64       // by claim: the token that was told; 0: it was not granted
}

func newFate(claims int) *fate {
	return &fate{known: make(chan struct{}), won: make([]int64, claims)}
}

// wasted reports whether a node's grant is of no use: the claim was not granted, or
// is about to start with a lower token than the node's, which it would refuse.
func (f *fate) wasted(i int, v *vote) bool {
	return v.Answer == election.Granted && v.Token > 0 && (f.won[i] == 0 || v.Token > f.won[i])
}

// undoVotes gives back, at every node, what it has granted in vain. If the claims
// are to be made again it waits for that: rivals must find the nodes free.
func (s *Store) undoVotes(ctx context.Context, claims []election.Claim, votes [][]vote, f *fate, wait bool) {
	ends, work := make([][]election.End, len(votes)), false
	for i := range votes {
		ends[i] = undone(claims, votes[i], f)
		work = work || len(ends[i]) > 0
	}
	if !work {
		return
	}
	if wait {
		s.toEach(ctx, ends) // who does not hear it keeps the claim until it lapses
		return
	}
	s.crew.run(func() { s.toEach(context.WithoutCancel(ctx), ends) })
}

// undone are the ends of what one node has granted in vain.
func undone(claims []election.Claim, votes []vote, f *fate) []election.End {
	var ends []election.End
	for k := range votes {
		if c := &claims[k]; f.wasted(k, &votes[k]) {
			ends = append(ends, election.End{
				Key: c.Key, Owner: c.Owner, Token: votes[k].Token, Outcome: election.OutcomeUndone, Retention: c.Retention,
			})
		}
	}
	return ends
}

// undoLate gives back what node i has granted after everything was decided.
func (s *Store) undoLate(i int, claims []election.Claim, votes []vote, f *fate) {
	<-f.known // closed by who asked, without waiting for anybody
	ends := undone(claims, votes, f)
	if len(ends) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.nodeTimeout(context.Background()))
	defer cancel()
	s.nodes[i].releaseAt(ctx, ends)
}

// toEach releases at each node what is meant for it.
func (s *Store) toEach(ctx context.Context, ends [][]election.End) {
	poll(ctx, s, question[election.HoldAnswer]{
		n:    1,
		skip: func(i int) bool { return len(ends[i]) == 0 },
		ask: func(ctx context.Context, i int, n *node) []election.HoldAnswer {
			return n.Store.Release(ctx, ends[i])[:1]
		},
		silence: silentHold,
		spoke:   spokeHold,
	})
}
