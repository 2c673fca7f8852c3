package redislease

import (
	"context"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Claim implements election.Store.
func (s *Store) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := make([]election.ClaimAnswer, len(claims))
	parts := byShard(len(claims), func(i int) (string, bool) {
		answers[i].Err = check.Claim(&claims[i])
		return claims[i].Key, answers[i].Err == nil
	})
	calls := make([]*call, len(parts))
	for n, items := range parts {
		calls[n] = s.claimCall(claims, items)
	}
	s.send(ctx, calls)
	for _, c := range calls {
		c.each(func(i int32, err error) { answers[i].Err = err },
			func(i int32, now time.Time, reply []string) { answers[i] = claimAnswer(&claims[i], now, reply) })
	}
	return answers
}

// term is what many claims of one call have in common.
type term struct {
	ttl, delay, keep time.Duration
	holder           string
}

func (s *Store) claimCall(claims []election.Claim, items []int32) *call {
	terms := make([]term, 0, 4)
	numbers := make([]int64, 0, 3*len(items)) // never grows: arguments point into it
	for _, i := range items {
		c := &claims[i]
		var at int
		terms, at = place(terms, term{c.TTL, c.LockDelay, c.Retention, c.Holder})
		code := 8*int64(at) + 2*int64(c.Mode) + int64(c.Overlap)
		numbers = append(numbers, code, check.Millis(c.Tick), check.Millis(c.Floor.Tick))
	}
	call := s.newCall(s.scripts.claim, items, 1+4*len(terms)+7*len(items), func(i int32) string { return claims[i].Key })
	call.args = append(call.args, len(terms))
	for n := range terms {
		t := &terms[n]
		call.args = append(call.args, t.ttl.Milliseconds(), t.delay.Milliseconds(), t.keep.Milliseconds(), &t.holder)
	}
	for n, i := range items {
		c, numbers := &claims[i], numbers[3*n:]
		call.args = append(call.args, (*string)(&c.Owner), &numbers[0], &numbers[1], &c.Epoch, &c.Floor.Token, &numbers[2], &c.Def)
	}
	return call
}

// place finds t in terms or adds it; the place counts from 1.
func place[T comparable](terms []T, t T) ([]T, int) {
	for n := len(terms); n > 0; n-- {
		if terms[n-1] == t {
			return terms, n
		}
	}
	return append(terms, t), len(terms) + 1
}

// claimAnswer reads the two strings of one claim. Whatever is not understood is
// an error, never a grant.
func claimAnswer(c *election.Claim, now time.Time, reply []string) election.ClaimAnswer {
	letter, cur, err := begin(reply[0], string(c.Owner[:8]))
	if err != nil {
		return election.ClaimAnswer{Err: err, Now: now}
	}
	a := election.ClaimAnswer{Answer: answer(letter), Started: letter == 'R', Now: now}
	a.Token = cur.number()
	a.Remaining = time.Duration(cur.number()) * time.Millisecond
	a.Tick = check.Time(cur.number())
	a.Decided = check.Time(cur.number())
	a.Attempt = int(cur.number())
	a.By = cur.rest
	if reply[1] != "" {
		prev := cursor{rest: reply[1]}
		a.Prev = &election.Abandoned{Token: prev.number(), Tick: check.Time(prev.number()), Attempt: int(prev.number()), By: prev.rest}
		cur.wrong = cur.wrong || prev.wrong
	}
	if cur.wrong || a.Answer == election.Unknown {
		return election.ClaimAnswer{Err: errShape, Now: now}
	}
	return a
}

func answer(letter byte) election.Answer {
	switch letter {
	case 'G':
		return election.Granted
	case 'H', 'R':
		return election.Held
	case 'K':
		return election.Skipped
	case 'S':
		return election.Spent
	case 'C':
		return election.Closed
	case 'U':
		return election.Superseded
	case 'E':
		return election.Early
	case 'D':
		return election.Delayed
	case 'Q':
		return election.Quarantine
	case 'M':
		return election.Missed
	}
	return election.Unknown
}
