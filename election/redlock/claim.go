package redlock

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// maxRounds is how often a claim is made within one call while no claimant has a
// quorum.
const maxRounds = 20

// leastPause is what the pause before another round is counted in, if the nodes
// are faster.
const leastPause = time.Millisecond

// unknownAge is for how long a node does not vote that does not tell its age: then it
// is asked again.
const unknownAge = time.Second

// Claim implements election.Store. A grant is one that a quorum of the nodes gave
// and that lasts, at a quorum, for Remaining.
//
// Whatever is not granted is undone at every node that granted it, also at those
// that answer later: by the token that each has told. A node whose answer never
// comes may have granted the claim and cannot be told to undo it, as nobody knows
// the token: it keeps others out until the claim lapses, which is why claims are
// short, and one node is no quorum. A claim that is undone too late cannot do harm:
// each grant has a token of its own, so that an old undo finds nothing to undo, or,
// if the same claimant was told the same grant again, takes that vote away before
// Start has counted it; and what has started cannot be undone.
//
// While the votes are split so that nobody has a quorum, the claim is undone and
// made again, with the same owner, after a random pause, unless half of the time that
// one node may take is over.
func (s *Store) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := make([]election.ClaimAnswer, len(claims))
	if err := s.refused(ctx); err != nil {
		for i := range answers {
			answers[i].Err = err
		}
		return answers
	}
	r := round{store: s, limit: s.nodeTimeout(ctx), answers: answers}
	for i := range claims {
		if answers[i].Err = check.Claim(&claims[i]); answers[i].Err == nil {
			r.claims, r.places = append(r.claims, claims[i]), append(r.places, i)
		}
	}
	r.prev = make([]*election.Abandoned, len(claims))
	began := time.Now()
	for n := 1; len(r.claims) > 0; n++ {
		took := r.run(ctx)
		rest := backoff(n, min(took, r.limit/16), rand.Float64())
		if len(r.claims) == 0 || n == maxRounds || time.Since(began)+rest > r.limit/2 || !pause(ctx, rest) {
			break
		}
	}
	return answers
}

// backoff is the pause after so many rounds of which the last took so long. It
// grows, and is random from the first, so that rivals fall out of step. Waiting for
// a node that hangs must not count in took: Claim cuts it off.
func backoff(rounds int, took time.Duration, jitter float64) time.Duration {
	return time.Duration(jitter * float64(min(rounds, 6)*3) * float64(max(took, leastPause)))
}

// pause waits for d; false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
