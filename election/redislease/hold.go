package redislease

import (
	"context"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Start implements election.Store.
func (s *Store) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.hold(ctx, s.scripts.start, holds)
}

// Renew implements election.Store.
func (s *Store) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return s.hold(ctx, s.scripts.renew, holds)
}

func (s *Store) hold(ctx context.Context, script *script, holds []election.Hold) []election.HoldAnswer {
	answers := make([]election.HoldAnswer, len(holds))
	parts := byShard(len(holds), func(i int) (string, bool) {
		answers[i].Err = check.Hold(&holds[i])
		return holds[i].Key, answers[i].Err == nil
	})
	calls := make([]*call, len(parts))
	for n, items := range parts {
		calls[n] = s.holdCall(script, holds, items)
	}
	s.send(ctx, calls)
	for _, c := range calls {
		c.each(func(i int32, err error) { answers[i].Err = err },
			func(i int32, now time.Time, reply []string) { answers[i] = holdAnswer(holds[i].Owner, now, reply[0]) })
	}
	return answers
}

func (s *Store) holdCall(script *script, holds []election.Hold, items []int32) *call {
	terms := make([]term, 0, 4)
	numbers := make([]int64, 0, 2*len(items)) // never grows: arguments point into it
	for _, i := range items {
		h := &holds[i]
		var at int
		terms, at = place(terms, term{ttl: h.TTL, keep: h.Retention, holder: h.Holder})
		numbers = append(numbers, check.Millis(h.Tick), int64(at))
	}
	call := s.newCall(script, items, 1+3*len(terms)+4*len(items), func(i int32) string { return holds[i].Key })
	call.args = append(call.args, len(terms))
	for n := range terms {
		t := &terms[n]
		call.args = append(call.args, t.ttl.Milliseconds(), t.keep.Milliseconds(), &t.holder)
	}
	for n, i := range items {
		h, numbers := &holds[i], numbers[2*n:]
		call.args = append(call.args, (*string)(&h.Owner), &h.Token, &numbers[0], &numbers[1])
	}
	return call
}

// Release implements election.Store.
func (s *Store) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	answers := make([]election.HoldAnswer, len(ends))
	parts := byShard(len(ends), func(i int) (string, bool) {
		answers[i].Err = check.End(&ends[i])
		return ends[i].Key, answers[i].Err == nil
	})
	calls := make([]*call, len(parts))
	for n, items := range parts {
		call := s.newCall(s.scripts.release, items, 4*len(items), func(i int32) string { return ends[i].Key })
		for _, i := range items {
			e := &ends[i]
			call.args = append(call.args, (*string)(&e.Owner), &e.Token, string(rune(e.Outcome)), e.Retention.Milliseconds())
		}
		calls[n] = call
	}
	s.send(ctx, calls)
	for _, c := range calls {
		c.each(func(i int32, err error) { answers[i].Err = err },
			func(i int32, now time.Time, reply []string) { answers[i] = holdAnswer(ends[i].Owner, now, reply[0]) })
	}
	return answers
}

// holdAnswer reads the string of one hold or end. Whatever is not understood is
// an error, never a lease.
func holdAnswer(owner election.Owner, now time.Time, reply string) election.HoldAnswer {
	letter, cur, err := begin(reply, string(owner[:8]))
	if err != nil {
		return election.HoldAnswer{Err: err, Now: now}
	}
	a := election.HoldAnswer{Standing: standing(letter), Now: now}
	a.Token = cur.number()
	a.Remaining = time.Duration(cur.number()) * time.Millisecond
	a.Decided = check.Time(cur.number())
	outcome := cur.word()
	a.By = cur.rest
	if cur.wrong || len(outcome) != 1 || a.Standing == election.Uncertain {
		return election.HoldAnswer{Err: errShape, Now: now}
	}
	if outcome != "-" {
		a.Outcome = election.Outcome(outcome[0])
	}
	return a
}

func standing(letter byte) election.Standing {
	switch letter {
	case 'G':
		return election.Good
	case 'I':
		return election.Reinstated
	case 'P':
		return election.Lapsed
	case 'L':
		return election.Lost
	case 'A':
		return election.AlreadyReleased
	}
	return election.Uncertain
}
