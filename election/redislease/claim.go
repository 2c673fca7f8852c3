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
	parts := s.divide(len(claims), func(i int) (string, bool) {
		answers[i].Err = check.Claim(&claims[i])
		return claims[i].Key, answers[i].Err == nil
	})
	calls := make([]*call, len(parts))
	for n, items := range parts {
		calls[n] = s.claimCall(claims, items)
	}
	s.replicate(ctx, calls)
	for _, c := range calls {
		c.each(func(i int32, err error) { answers[i].Err = err },
			func(i int32, now time.Time, reply []string) { answers[i] = claimAnswer(&claims[i], now, reply[0]) })
	}
	s.withdraw(ctx, claims, answers, calls)
	return answers
}

func (s *Store) claimCall(claims []election.Claim, items []int32) *call {
	terms := newTerms(items, func(i int32) term {
		c := &claims[i]
		return term{c.TTL, c.LockDelay, c.Retention, c.Holder}
	})
	key := func(i int32) string { return claims[i].Key }
	return s.newCall(s.scripts.claim, items, key, terms, func(t *text, n int, i int32) {
		writeClaim(t, &claims[i], terms.at(n))
	})
}

// writeClaim writes an item of claim.lua.
func writeClaim(t *text, c *election.Claim, term int16) {
	t.WriteString(string(c.Owner))
	t.WriteByte(kind(c))
	t.number(int64(term), 3)
	t.number(check.Millis(c.Tick), 13)
	t.number(c.Epoch, 16)
	t.number(c.Floor.Token, 16)
	t.number(check.Millis(c.Floor.Tick), 13)
	t.number(int64(len(c.Def)), 2)
	t.WriteString(c.Def)
	t.end()
}

// kind is the letter for what c asks for.
func kind(c *election.Claim) byte {
	switch {
	case c.Mode == election.ForRequest:
		return 'R'
	case c.Mode == election.Forfeit:
		return 'F'
	case c.Overlap == election.QueueOverlap:
		return 'Q'
	}
	return 'T'
}

// claimAnswer reads the answer to one claim. Whatever is not understood is an
// error, never a grant.
func claimAnswer(c *election.Claim, now time.Time, reply string) election.ClaimAnswer {
	letter, cur, err := begin(reply, string(c.Owner[:8]))
	if err != nil {
		return election.ClaimAnswer{Err: err, Now: now}
	}
	a := election.ClaimAnswer{Answer: answer(letter), Started: letter == 'R', Now: now}
	if letter == 'N' {
		a.Token, a.Decided = cur.number(), check.Time(cur.number())
		a.Remaining, a.By, a.Tick, a.Attempt = c.TTL, c.Holder, check.Time(check.Millis(c.Tick)), 1
	} else {
		cur.standing(&a)
	}
	if cur.wrong || a.Answer == election.Unknown {
		return election.ClaimAnswer{Err: errShape, Now: now}
	}
	return a
}

// standing reads an answer that tells how the record stands: see tell in claim.lua.
func (c *cursor) standing(a *election.ClaimAnswer) {
	a.Remaining = time.Duration(c.number()) * time.Millisecond
	attempt := int(c.number())
	a.Token, a.Tick, a.Decided = c.number(), check.Time(c.number()), check.Time(c.number())
	c.number() // length of the definition, which is not sent
	a.By = c.cut(c.number())
	if a.Answer != election.Granted {
		return
	}
	a.Attempt = attempt
	if c.rest != "" {
		a.Prev = &election.Abandoned{Token: c.number(), Tick: check.Time(c.number()), Attempt: int(c.number())}
		a.Prev.By = c.rest
	}
}

func answer(letter byte) election.Answer {
	switch letter {
	case 'N', 'G': // new, or given again
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
