package memlease

import (
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

// quarantine takes the caller's word for what the record has forgotten, and
// keeps everybody out until a lease it may have forgotten too has ended.
func (s *Store) quarantine(r *record, c *ask) {
	r.token = max(r.token, c.Floor.Token)
	r.decided = max(r.decided, c.floorTick)
	r.owner, r.state = "", election.StateQuarantine
	r.expires = max(r.expires, c.now.ms+c.ttl+c.delay)
	r.delay, r.keep = c.delay, c.keep
	s.save(c.Key, r, c.now, r.left(c.now.ms)+c.delay+c.keep)
}

// replay gives the first answer again to a claim whose answer was lost.
func (s *Store) replay(r *record, c *ask, a *election.ClaimAnswer) {
	r.expires = max(r.expires, c.now.ms+c.ttl)
	s.save(c.Key, r, c.now, r.left(c.now.ms)+c.delay+c.keep)
	a.Answer, a.Remaining, a.Attempt, a.Prev = election.Granted, millis(r.left(c.now.ms)), r.attempt, r.prev
	if r.state == election.StateRunning {
		a.Decided = check.Time(r.before)
	}
}

// refuse decides the tick of c without a run.
func (s *Store) refuse(r *record, c *ask, answer election.Answer, a *election.ClaimAnswer) {
	said := refusal{owner: c.Owner, tick: c.tick, answer: answer, before: r.decided}
	r.refused = append([]refusal{said}, r.refused[:min(len(r.refused), maxRefused-1)]...)
	r.decided = c.tick
	s.save(c.Key, r, c.now, r.left(c.now.ms)+c.delay+c.keep)
	a.Answer = answer
}

// grant gives the lease to c. The ledger is left alone: that is Start's to write.
func (s *Store) grant(r *record, c *ask, a *election.ClaimAnswer) {
	r.prev = nil
	if r.abandoned(c.now.ms) {
		r.prev = &election.Abandoned{By: r.holder, Tick: check.Time(r.tick), Token: r.token, Attempt: r.attempt}
		r.push(r.token, election.OutcomeAbandoned)
		r.crashes++
	}
	r.token = max(r.token+1, c.now.us, c.Floor.Token+1)
	r.owner, r.state, r.holder = c.Owner, election.StateClaimed, c.Holder
	r.expires, r.tick, r.attempt = c.now.ms+c.ttl, c.tick, 1
	r.epoch, r.def = max(r.epoch, c.Epoch), c.Def
	r.delay, r.keep = c.delay, c.keep
	s.save(c.Key, r, c.now, r.left(c.now.ms)+c.delay+c.keep)
	a.Answer, a.Remaining, a.Attempt, a.Prev = election.Granted, millis(c.ttl), r.attempt, r.prev
}
