package memlease

import (
	"context"
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// Claim implements election.Store.
func (s *Store) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := make([]election.ClaimAnswer, len(claims))
	if err := refused(ctx); err != nil {
		for i := range answers {
			answers[i].Err = err
		}
		return answers
	}
	now := s.open()
	defer s.mu.Unlock()
	var c ask // one for all: it is large
	for i := range claims {
		if err := check.Claim(&claims[i]); err != nil {
			answers[i].Err = err
			continue
		}
		c = newAsk(&claims[i], now)
		s.claim(&c, &answers[i])
	}
	return answers
}

// claim decides c and fills a.
func (s *Store) claim(c *ask, a *election.ClaimAnswer) {
	r, _ := s.find(c.Key, c.now)
	decide := s.weigh
	if decide == nil {
		decide = weigh
	}
	verdict := decide(r, c)
	a.Now = c.now.at
	if verdict == stepFault {
		a.Err = fmt.Errorf("%w: floor more than %s ahead of the store's clock", election.ErrBadClaim, check.MaxAhead)
		return
	}
	a.Decided = check.Time(r.decided)
	s.act(verdict, r, c, a)
	a.Token, a.By, a.Tick = r.token, r.holder, check.Time(r.tick)
}

// act does what verdict asks for. The record's token, holder and tick are
// filled in by the caller afterwards.
func (s *Store) act(verdict step, r *record, c *ask, a *election.ClaimAnswer) {
	now := c.now.ms
	switch verdict {
	case stepLostData:
		s.quarantine(r, c)
		a.Answer, a.Remaining = election.Quarantine, millis(r.left(now))
	case stepReplay:
		s.replay(r, c, a)
	case stepSuperseded:
		a.Answer = election.Superseded
	case stepRepeat:
		said, _ := r.refusal(c.Owner, c.tick)
		a.Answer, a.Decided = said.answer, check.Time(said.before)
		if a.Answer == election.Skipped {
			a.Remaining = millis(r.left(now))
		}
	case stepSpent:
		a.Answer = election.Spent
	case stepEarly:
		a.Answer, a.Remaining = election.Early, millis(c.tick-now)
	case stepHeldClaim:
		a.Answer, a.Remaining = election.Held, millis(r.left(now))
	case stepHeldRun:
		a.Answer, a.Remaining, a.Started = election.Held, millis(r.left(now)), true
	case stepMiss:
		s.refuse(r, c, election.Missed, a)
	case stepClose:
		s.refuse(r, c, election.Closed, a)
	case stepSkip:
		s.refuse(r, c, election.Skipped, a)
		a.Remaining = millis(r.left(now))
	case stepDelay:
		a.Answer, a.Remaining = election.Delayed, millis(r.left(now))
		if r.state == election.StateRunning {
			a.Remaining = millis(r.expires + c.delay - now)
		}
	case stepQuarantine:
		a.Answer, a.Remaining = election.Quarantine, millis(r.left(now))
	case stepGrant:
		s.grant(r, c, a)
	}
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
