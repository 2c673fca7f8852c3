package election

import (
	"context"
	"time"
)

// Store keeps the records that decide who holds what. A method takes many
// items and answers each alone, in the same order: the failure of one never
// touches another. An answer whose Err is set says what is known about the
// item: errors.Is(err, ErrNotApplied) means the store certainly did not act;
// any other error means it may have. A store neither changes nor keeps a slice
// that it is given: the caller uses it again. Every implementation passes
// leasetest.
type Store interface {
	// Claim asks for leases. A grant is not yet a start: see Start.
	Claim(ctx context.Context, claims []Claim) []ClaimAnswer
	// Start marks the ticks of granted claims as started and extends their leases.
	// It may raise their tokens: see Hold.
	Start(ctx context.Context, holds []Hold) []HoldAnswer
	// Renew extends leases. It never shortens one.
	Renew(ctx context.Context, holds []Hold) []HoldAnswer
	// Release ends leases and records how the runs went.
	Release(ctx context.Context, ends []End) []HoldAnswer
}

// A Recycler is a Store that takes back answers which nobody looks at any more,
// to answer with them again: a burst of claims then needs little fresh memory.
// Nobody has to give anything back.
type Recycler interface {
	Recycle(claims []ClaimAnswer, holds []HoldAnswer)
}

// Overseer is what people, not replicas, ask of a store.
type Overseer interface {
	// Revoke takes the lease of key away: its token is raised, its holder is
	// told by its next renewal, and nobody else is let in until the old lease
	// has surely ended.
	Revoke(ctx context.Context, r Revocation) (Record, error)
	// SetGate opens or closes key for ticks. What the gate before it has closed
	// stays closed: see Gate.
	SetGate(ctx context.Context, key string, gate Gate) error
	// Read returns the record of key; the zero Record if there is none. What
	// it returns is old when it arrives: never decide a run by it.
	Read(ctx context.Context, keys []string) ([]Record, error)
}

// Owner names one acquisition: 128 random bits in hexadecimal, made before the
// first try and kept through every try of the same claim, so that a claim
// repeated after a lost answer is recognised.
type Owner string

// Mode says on behalf of what a claim is made.
type Mode uint8

// The modes of a claim.
const (
	ForTick    Mode = iota // a scheduled moment: checked against the ledger, and spends it at Start
	ForRequest             // a wish outside the schedule: needs the lease only
	Forfeit                // nobody ran the tick in time: decide it as missed, take no lease
)

// Overlap says what becomes of a tick while an older run holds the lease.
type Overlap uint8

// The ways to treat an overlap.
const (
	SkipOverlap  Overlap = iota // the tick is decided as skipped
	QueueOverlap                // the tick stays claimable
)

// Claim asks for the lease of Key.
type Claim struct {
	Key       string        // the job
	Owner     Owner         // 32 hexadecimal digits
	Mode      Mode          // what the claim is for
	Overlap   Overlap       // for ForTick only
	Tick      time.Time     // nominal moment, whole milliseconds; for ForRequest the zero time
	TTL       time.Duration // length of the granted claim, 100 ms to 24 h, whole milliseconds
	LockDelay time.Duration // how long after its expiry an abandoned lease stays closed
	Retention time.Duration // how long the record outlives the lease; 0: it vanishes with the lease
	Epoch     int64         // generation of the job's definition; a lower one than the record's is refused
	Floor     Floor         // what this replica knows the record must at least hold
	Holder    string        // who asks, for people: the replica's id
	Def       string        // fingerprint of the schedule the tick was computed from
}

// Floor is the least a record may say without having lost data.
type Floor struct {
	Token int64
	Tick  time.Time // last decided tick
}

// Answer is what a store says to a claim.
type Answer uint8

// The answers to a claim. Each is a definite statement about the record at ClaimAnswer.Now.
const (
	Unknown    Answer = iota // no answer arrived: ClaimAnswer.Err says why; never start
	Granted                  // the lease is the caller's, for Remaining
	Held                     // somebody holds the lease and the tick is not decided: By, Tick, Remaining
	Skipped                  // an older run holds the lease; this claim decided the tick as skipped
	Spent                    // the tick was decided before
	Closed                   // a gate closes the tick; this claim decided it as skipped
	Superseded               // a newer definition of the job is in force; nothing was decided
	Early                    // the tick lies Remaining ahead of the store's clock
	Delayed                  // an abandoned or revoked lease has surely ended only in Remaining
	Quarantine               // the record has lost data; closed for Remaining
	Missed                   // Forfeit only, no gate closes the tick: this claim decided it as missed
)

// ClaimAnswer is the store's answer to one Claim.
type ClaimAnswer struct {
	Answer    Answer
	Started   bool          // Held: the holder's run has started
	Err       error         // set with Unknown, or when the claim itself is at fault (ErrBadClaim)
	Token     int64         // of the record: with Granted the fencing token
	Remaining time.Duration // see Answer
	By        string        // holder of the record's lease, now or last
	Tick      time.Time     // tick of that holder; zero for a request
	Decided   time.Time     // last decided tick, before this claim
	Attempt   int           // Granted: 1 for the first start of the tick
	Prev      *Abandoned    // Granted: the run found abandoned, if any; told until a claimant starts or releases
	Now       time.Time     // the store's clock
}

// Abandoned is a run that started and whose lease expired without an outcome.
type Abandoned struct {
	By      string
	Tick    time.Time // zero for a request
	Token   int64
	Attempt int
}

// Hold names a granted lease to Start or Renew.
//
// At Start the token may be higher than the one that was granted to the same
// owner, so that stores which decide together agree on one. The record then takes
// the higher one: to start again, renew and release go by that, and the next
// grant is above it. A lower one than the record's is Lost; one that lies more
// than a day ahead of the store's clock, in microseconds since 1970, is ErrBadClaim.
type Hold struct {
	Key       string
	Owner     Owner
	Token     int64
	Tick      time.Time // zero for a request
	TTL       time.Duration
	Retention time.Duration
	Holder    string // written back when a lost record is reinstated
}

// Standing is what a store says to the holder of a lease.
type Standing uint8

// The standings of a lease.
const (
	Uncertain       Standing = iota // no answer arrived: HoldAnswer.Err says why
	Good                            // the lease is the caller's for Remaining
	Reinstated                      // Renew: the store had lost the record and took the caller's word
	Lapsed                          // the lease expired; nobody else has it yet
	Lost                            // the lease is another's, or revoked
	AlreadyReleased                 // Release: this token was released before, with Outcome
)

// HoldAnswer is the store's answer to one Hold or End.
type HoldAnswer struct {
	Standing  Standing
	Outcome   Outcome // AlreadyReleased
	Err       error
	Remaining time.Duration
	Token     int64     // the record's
	By        string    // Lost: the holder, if any
	Decided   time.Time // Start: last decided tick before this one, the same when repeated
	Now       time.Time // the store's clock
}

// Outcome is how the run under a lease ended, as its record keeps it.
type Outcome byte

// The outcomes a record can hold.
const (
	OutcomeNone      Outcome = 0
	OutcomeSucceeded Outcome = 's'
	OutcomeFailed    Outcome = 'f'
	OutcomeTimedOut  Outcome = 't'
	OutcomeCancelled Outcome = 'c'
	OutcomeInterrupt Outcome = 'i'
	OutcomeLost      Outcome = 'l'
	OutcomeAbandoned Outcome = 'a' // found without a holder by a later claim, which has given the verdict
	OutcomeUndone    Outcome = 'u' // the claim was given back unstarted: the tick stays claimable
)

// End releases a lease.
type End struct {
	Key       string
	Owner     Owner
	Token     int64
	Outcome   Outcome
	Retention time.Duration
}

// Revocation takes a lease away.
type Revocation struct {
	Key       string
	Token     int64         // the token the caller saw; 0: whatever is there
	LockDelay time.Duration // added to the remaining time of the old lease
	Retention time.Duration
	By        string
	Reason    string
}

// Gate closes a key for ticks, or opens it again (the zero Gate). A tick is
// judged by its own moment, not by when it is claimed: a slow replica gets the
// same answer as a fast one. A gate in the place of another never lets a tick
// through that came due while the other closed it: those before the change stay
// closed, also if nobody has decided them yet, and are not made up for. What has
// been closed is kept in mind for a week, or as long as the record lives.
// Requests pass every gate; to forfeit a closed tick is answered Closed.
type Gate struct {
	Closed bool
	Until  time.Time // ticks before it are closed; zero: every tick. Whole milliseconds, the rest is cut off
	Reason string
	By     string
}

// Closes reports whether g closes a tick. It knows nothing of gates before g.
func (g Gate) Closes(tick time.Time) bool {
	return g.Closed && (g.Until.IsZero() || tick.Before(g.Until))
}

// State is where a record stands.
type State string

// The states of a record, as stored.
const (
	StateFree       State = ""
	StateClaimed    State = "claimed"
	StateRunning    State = "running"
	StateDone       State = "done"
	StateRevoked    State = "revoked"
	StateQuarantine State = "quarantine"
)

// Record is everything a store knows about a key, for people.
type Record struct {
	Key       string
	State     State
	Holder    string
	Token     int64
	Remaining time.Duration // until the lease, or the closed time after it, ends; 0 if it has
	Tick      time.Time     // of the holder, now or last; zero for a request
	Decided   time.Time     // last tick decided
	Completed time.Time     // last tick completed with success
	Attempt   int
	Crashes   int64 // runs found abandoned
	Late      int64 // releases that came after the lease was lost
	Epoch     int64
	Def       string
	Gate      Gate      // the zero Gate once its Until has passed
	Shut      time.Time // of a gate that is open by now: ticks before are closed all the same; zero: there is none
	Ring      []Past    // newest first, at most 32
	Now       time.Time
}

// Closes reports whether the gates of r, present and past, close a tick.
func (r *Record) Closes(tick time.Time) bool {
	return r.Gate.Closes(tick) || tick.Before(r.Shut)
}

// Past is one entry of a record's ring.
type Past struct {
	Token   int64
	Outcome Outcome
}
