package memlease

import (
	"slices"

	"github.com/solocron/solocron/election"
)

const ringSize = 32

// record is what the store knows of one key. Moments are milliseconds since
// 1970 on the store's clock.
type record struct {
	owner   election.Owner
	token   int64
	expires int64
	state   election.State
	tick    int64 // of the holder, now or last
	decided int64 // last tick decided
	before  int64 // decided, as it was before the holder's start
	done    int64 // last tick completed with success
	attempt int
	crashes int64
	late    int64
	epoch   int64
	def     string
	holder  string
	delay   int64 // lock delay of the last claim
	keep    int64 // retention of the last claim
	prev    *election.Abandoned
	refused []refusal       // newest first, at most maxRefused
	ring    []election.Past // newest first
	gate    gate
	gone    int64 // when the record vanishes
	stored  bool  // it stands in the store's map
}

// maxRefused is how many refusals a record remembers: as many ticks as may be
// decided while one replica waits for an answer.
const maxRefused = 8

// refusal is a tick decided without a run, so that the claim that decided it
// gets the same answer when it is repeated.
type refusal struct {
	owner  election.Owner
	tick   int64
	answer election.Answer
	before int64 // decided, as it was before
}

// refusal returns the one that owner was given for tick, if it is remembered.
func (r *record) refusal(owner election.Owner, tick int64) (refusal, bool) {
	for _, x := range r.refused {
		if x.owner == owner && x.tick == tick {
			return x, true
		}
	}
	return refusal{}, false
}

func (r *record) live(now int64) bool { return r.owner != "" && r.expires > now }

func (r *record) abandoned(now int64) bool {
	return r.owner != "" && r.state == election.StateRunning && r.expires <= now
}

func (r *record) mine(owner election.Owner, token int64) bool {
	return r.owner != "" && r.owner == owner && r.token == token
}

// left is how long the lease, or the closed time after it, still lasts.
func (r *record) left(now int64) int64 { return max(r.expires-now, 0) }

func (r *record) push(token int64, outcome election.Outcome) {
	r.ring = slices.Insert(r.ring, 0, election.Past{Token: token, Outcome: outcome})
	r.ring = r.ring[:min(len(r.ring), ringSize)]
}

func (r *record) outcome(token int64) (election.Outcome, bool) {
	for _, p := range r.ring {
		if p.Token == token {
			return p.Outcome, true
		}
	}
	return election.OutcomeNone, false
}
