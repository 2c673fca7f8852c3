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
	parts := s.divide(len(holds), func(i int) (string, bool) {
		answers[i].Err = check.Hold(&holds[i])
		return holds[i].Key, answers[i].Err == nil
	})
	calls := make([]*call, len(parts))
	for n, items := range parts {
		calls[n] = s.holdCall(script, holds, items)
	}
	s.replicate(ctx, calls)
	for _, c := range calls {
		c.each(func(i int32, err error) { answers[i].Err = err },
			func(i int32, now time.Time, reply []string) { answers[i] = holdAnswer(holds[i].Owner, now, reply[0]) })
	}
	doubt(answers, calls)
	return answers
}

func (s *Store) holdCall(script *script, holds []election.Hold, items []int32) *call {
	terms := newTerms(items, func(i int32) term {
		h := &holds[i]
		return term{ttl: h.TTL, keep: h.Retention, holder: h.Holder}
	})
	key := func(i int32) string { return holds[i].Key }
	return s.newCall(script, items, key, terms, func(t *text, n int, i int32) {
		h := &holds[i]
		t.WriteString(string(h.Owner))
		t.number(h.Token, 16)
		t.number(check.Millis(h.Tick), 13)
		t.number(int64(terms.at(n)), 3)
		t.end()
	})
}

// Release implements election.Store. With Wait it gives the replicas the time to
// hear of it, but too few of them change no answer. The holder has stopped, so that
// nothing runs on the strength of what it is told; to ask again would prove no more,
// as the record says by then that it was released. If another takes the server's place
// that has not heard of it, the lease lapses there and the run is found abandoned, as
// after a crash.
func (s *Store) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	return s.release(ctx, ends, s.replicate)
}

func (s *Store) release(ctx context.Context, ends []election.End, send func(context.Context, []*call)) []election.HoldAnswer {
	answers := make([]election.HoldAnswer, len(ends))
	parts := s.divide(len(ends), func(i int) (string, bool) {
		answers[i].Err = check.End(&ends[i])
		return ends[i].Key, answers[i].Err == nil
	})
	calls := make([]*call, len(parts))
	for n, items := range parts {
		calls[n] = s.releaseCall(ends, items)
	}
	send(ctx, calls)
	for _, c := range calls {
		c.each(func(i int32, err error) { answers[i].Err = err },
			func(i int32, now time.Time, reply []string) { answers[i] = holdAnswer(ends[i].Owner, now, reply[0]) })
	}
	return answers
}

func (s *Store) releaseCall(ends []election.End, items []int32) *call {
	terms := newTerms(items, func(i int32) term { return term{keep: ends[i].Retention} })
	key := func(i int32) string { return ends[i].Key }
	return s.newCall(s.scripts.release, items, key, terms, func(t *text, n int, i int32) {
		e := &ends[i]
		t.WriteString(string(e.Owner))
		t.number(e.Token, 16)
		t.WriteByte(byte(e.Outcome))
		t.number(int64(terms.at(n)), 3)
		t.end()
	})
}

// holdAnswer reads the string of one hold or end. Whatever is not understood is
// an error, never a lease.
func holdAnswer(owner election.Owner, now time.Time, reply string) election.HoldAnswer {
	letter, cur, err := begin(reply, string(owner[:8]))
	if err != nil {
		return election.HoldAnswer{Err: err, Now: now}
	}
	a := election.HoldAnswer{Standing: standing(letter), Now: now}
	a.Remaining = time.Duration(cur.number()) * time.Millisecond
	a.Decided = check.Time(cur.number())
	a.Token = cur.number()
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
