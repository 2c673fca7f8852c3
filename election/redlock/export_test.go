package redlock

import (
	"time"

	"github.com/solocron/solocron/election"
)

// Vote is what one node answers to a claim.
type Vote = vote

// NewVote is the answer of a node that votes only after mute.
func NewVote(a election.ClaimAnswer, mute time.Duration) Vote {
	return vote{ClaimAnswer: a, mute: mute}
}

// The rulings.
const (
	Undecided = undecided
	Granted   = granted
	Refused   = refused
	Contested = contested
)

// Who is what a node says of itself.
type Who = who

// NewWho is what a node says of itself; with id "" it does not say who it is.
func NewWho(name, id, role string, cluster bool, mute time.Duration, err error, warnings ...string) Who {
	return who{name: name, err: err, warnings: warnings, told: id != "", id: id, role: role, cluster: cluster, mute: mute}
}

// SetQuorum makes s a store that takes fewer nodes for a quorum than it must.
func SetQuorum(s *Store, q int) { s.quorum = q }

// The pure decisions.
var (
	Weigh        = weigh
	WeighStart   = weighStart
	WeighRenewal = weighRenewal
	WeighRelease = weighRelease
	Merge        = merge
	Judge        = judge
	Backoff      = backoff
)

// Memory is what a store remembers of keys.
type Memory = memory

// Note makes a note of a claim that was granted.
func (m *memory) Note(key string, owner election.Owner, token int64, tokens ...int64) {
	m.put(key, note{owner: owner, token: token, tokens: tokens, ticks: make([]time.Time, len(tokens))})
}

// Floor is what a node has to know at least.
func (m *memory) Floor(key string, token int64, node int) int64 {
	return m.floor(key, election.Floor{Token: token}, node).Token
}

// Len is how many notes there are.
func (m *memory) Len() int { return len(m.notes) }

// MaxNotes bounds a memory.
const MaxNotes = maxNotes
