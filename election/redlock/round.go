package redlock

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

// A round is one vote about the claims that are left.
type round struct {
	store   *Store
	limit   time.Duration    // for one node
	claims  []election.Claim // not kept by the caller; not changed while a node may read it
	places  []int            // of the claims, in answers
	answers []election.ClaimAnswer
	prev    []*election.Abandoned // by place: found in a round before, and told to nobody yet
}

// run asks all nodes once and keeps those claims that are to be made again; it
// returns how long the answers took.
func (r *round) run(ctx context.Context) time.Duration {
	s, claims := r.store, r.claims
	fate := newFate(len(claims))
	began := time.Now()
	votes := poll(ctx, s, question[vote]{
		n:       len(claims),
		ask:     func(ctx context.Context, i int, n *node) []vote { return s.vote(ctx, i, n, claims) },
		silence: func(err error) vote { return vote{ClaimAnswer: election.ClaimAnswer{Err: err}} },
		spoke:   func(v *vote) bool { return v.answered() || !v.Now.IsZero() || errors.Is(v.Err, election.ErrBadClaim) },
		fault:   func(v *vote) *error { return &v.Err },
		decided: func(votes [][]vote, i int) bool {
			return tally(votes, i, (*vote).grants) >= s.quorum
		},
		late: func(i int, votes []vote) { s.undoLate(i, claims, votes, fate) },
	})
	took := time.Since(began)
	var again []int
	for i := range claims {
		if r.settle(i, column(votes, i), fate) {
			again = append(again, i)
		}
	}
	close(fate.known)
	s.undoVotes(ctx, claims, votes, fate, len(again) > 0)
	r.keep(again)
	return took
}

// settle decides claim i of the round by its votes; true if it is to be made again.
func (r *round) settle(i int, votes []vote, fate *fate) bool {
	c, place := &r.claims[i], r.places[i]
	ruling, a := weigh(votes, r.store.quorum, c.Tick)
	if ruling == granted {
		if a.Prev == nil {
			a.Prev = r.prev[place]
		}
		a.Token = r.store.agree(c, votes, max(a.Token, c.Floor.Token+1))
		fate.won[i] = a.Token
	} else if a.Token > 0 {
		told := a.Decided
		if (&vote{ClaimAnswer: a}).spends() {
			told = latest(told, c.Tick)
		}
		r.store.note(c.Key, note{token: a.Token, tick: told}, votes)
	}
	if ruling != granted {
		r.prev[place] = found(votes, len(votes)-r.store.quorum, r.prev[place])
	}
	r.answers[place] = a
	return ruling == contested
}

// found is the abandoned run that those who granted have told of. A grant that is
// undone takes the trace of it away, so it is kept for the next round.
func found(votes []vote, minority int, before *election.Abandoned) *election.Abandoned {
	var got []*vote
	for i := range votes {
		if votes[i].Answer == election.Granted {
			got = append(got, &votes[i])
		}
	}
	if prev := abandoned(got, minority); prev != nil {
		return prev
	}
	return before
}

// agree is the token of a granted claim: the highest, or the one that was told
// before if the same claim is answered again and a quorum can still be raised to it.
func (s *Store) agree(c *election.Claim, votes []vote, highest int64) int64 {
	n, ok := s.memory.of(c.Key)
	if ok && n.owner == c.Owner && !n.undone &&
		count(votes, func(v *vote) bool { return v.grants() && v.Token <= n.token }) >= s.quorum {
		return n.token
	}
	s.note(c.Key, note{owner: c.Owner, token: highest}, votes)
	return highest
}

// note remembers what each node said of key when n was told, if they differ.
func (s *Store) note(key string, n note, votes []vote) {
	n.tokens, n.ticks = make([]int64, len(votes)), make([]time.Time, len(votes))
	differ := n.owner != ""
	for i := range votes {
		v := &votes[i]
		n.tokens[i], n.ticks[i] = min(v.Token, n.token), v.Decided
		if v.Answer == election.Granted {
			n.tick = latest(n.tick, v.Decided)
		}
		differ = differ || v.Token < n.token || v.Decided.Before(n.tick)
	}
	if differ {
		s.memory.put(key, n)
	}
}

// keep goes on with these claims alone. Nodes that have not answered read the old.
func (r *round) keep(again []int) {
	claims, places := make([]election.Claim, len(again)), make([]int, len(again))
	for n, i := range again {
		claims[n], places[n] = r.claims[i], r.places[i]
	}
	r.claims, r.places = claims, places
}

// vote asks one node about claims, and at the same time, if it must, for how long
// it has been up.
func (s *Store) vote(ctx context.Context, i int, n *node, claims []election.Claim) []vote {
	type age struct {
		mute time.Duration
		err  error
	}
	told := make(chan age, 1)
	if n.ager == nil {
		told <- age{}
	} else {
		go func() { // ends with ctx, and is waited for below
			mute, err := n.mute(ctx)
			told <- age{mute, err}
		}()
	}
	answers := n.Store.Claim(ctx, s.bounded(i, claims))
	a := <-told
	votes := make([]vote, len(answers))
	for k := range answers {
		votes[k] = vote{ClaimAnswer: answers[k], mute: a.mute}
		if a.err != nil && votes[k].Answer == election.Granted {
			votes[k].mute = unknownAge
		}
	}
	return votes
}

// bounded is claims with the floors that node i is held to.
func (s *Store) bounded(i int, claims []election.Claim) []election.Claim {
	own, copied := claims, false
	for k := range claims {
		floor := s.memory.floor(claims[k].Key, claims[k].Floor, i)
		if floor == claims[k].Floor {
			continue
		}
		if !copied {
			own, copied = slices.Clone(claims), true
		}
		own[k].Floor = floor
	}
	return own
}
