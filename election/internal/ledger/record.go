package ledger

import (
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	// MaxRing is how many outcomes a record remembers.
	MaxRing = 32
	// MaxRefused is how many refusals a record remembers: as many ticks as may be
	// decided while one replica waits for an answer.
	MaxRefused = 8
)

// Instant is one reading of a store's clock. US is what new tokens are made
// from and what floors and raised tokens are measured by; it may run ahead of MS
// in a store that knows of tokens from a faster clock.
type Instant struct {
	At time.Time // whole milliseconds
	MS int64     // At in milliseconds since 1970
	US int64     // microseconds since 1970
}

// At is the Instant of one reading.
func At(t time.Time) Instant {
	us := t.UnixMicro()
	return Instant{At: time.UnixMilli(us / 1000).UTC(), MS: us / 1000, US: us}
}

// Record is what a store knows of one key. Moments are milliseconds since 1970
// on the store's clock, 0 for none; times are milliseconds.
type Record struct {
	Owner   election.Owner // of the lease; "" when nobody has it
	Token   int64
	Expires int64 // end of the lease, or without an owner of the closed time
	State   election.State
	Tick    int64 // of the holder, now or last
	Decided int64 // last tick decided
	Before  int64 // Decided, as it was before the holder's start
	Done    int64 // last tick completed with success
	Attempt int
	Crashes int64
	Late    int64
	Epoch   int64
	Def     string
	Holder  string
	Delay   int64 // lock delay of the last claim
	Keep    int64 // retention of the last request
	Prev    *election.Abandoned
	Refused []Refusal       // newest first, at most MaxRefused
	Ring    []election.Past // newest first, at most MaxRing
	Gate    Gate
}

// Refusal is a tick decided without a run, so that the claim that decided it
// gets the same answer when it is repeated.
type Refusal struct {
	Owner  election.Owner
	Tick   int64
	Answer election.Answer
	Before int64 // Decided, as it was before
}

// refusal returns the one that owner was given for tick, if it is remembered.
func (r *Record) refusal(owner election.Owner, tick int64) (Refusal, bool) {
	for _, x := range r.Refused {
		if x.Owner == owner && x.Tick == tick {
			return x, true
		}
	}
	return Refusal{}, false
}

// Live reports whether somebody holds the lease at now, in milliseconds.
func (r *Record) Live(now int64) bool { return r.Owner != "" && r.Expires > now }

// abandoned reports whether a run is left without a holder and without an outcome.
func (r *Record) abandoned(now int64) bool {
	return r.Owner != "" && r.State == election.StateRunning && r.Expires <= now
}

// Left is how long the lease, or the closed time in its place, still lasts.
func (r *Record) Left(now int64) int64 { return max(r.Expires-now, 0) }

func (r *Record) push(token int64, outcome election.Outcome) {
	room := r.Ring[:min(len(r.Ring), MaxRing-1)] // without the oldest, before it is doubled for one more
	r.Ring = slices.Insert(room, 0, election.Past{Token: token, Outcome: outcome})
}

func (r *Record) outcome(token int64) (election.Outcome, bool) {
	for _, p := range r.Ring {
		if p.Token == token {
			return p.Outcome, true
		}
	}
	return election.OutcomeNone, false
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
