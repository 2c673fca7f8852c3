package election

import (
	"context"
	"fmt"
	"time"
)

// LocksConfig is how Locks hold and wait. The zero LocksConfig is a good one.
type LocksConfig struct {
	// Lease is how a lock is held. Its LockDelay is for a Leader only; a
	// Retention of 0 is NoRetention here: a lock leaves nothing behind.
	Lease Config
	// MaxWait bounds how long Lock and Acquire wait; 0: as long as their context lasts.
	MaxWait time.Duration
	// Backoff is the pause between two looks of one who waits; the zero Backoff
	// is one from 10 ms to 500 ms.
	Backoff Backoff
	// Hints wake those who wait before their pause is over; nil: there are none.
	Hints Hints
}

// Locks makes locks for code that is not a job: an order handler, a bot, a
// webhook. All of them are leases on one Store; the keys of jobs are never
// theirs. Locks is safe for concurrent use and has no goroutine of its own.
type Locks struct {
	elector *Elector
	maxWait time.Duration
	backoff Backoff
	hints   Hints
	claims  bus[Claim, claimed]
	ends    bus[End, HoldAnswer]
	curfew  curfew
}

// claimed is an answer, and the clock before it was asked for.
type claimed struct {
	ClaimAnswer
	sent time.Duration
}

// NewLocks returns Locks on store for holder, a name for people that should be
// unique among the processes. It refuses a Config that does not work.
func NewLocks(store Store, holder string, cfg LocksConfig) (*Locks, error) {
	if cfg.Lease.Retention == 0 {
		cfg.Lease.Retention = NoRetention
	}
	if cfg.Backoff == (Backoff{}) {
		cfg.Backoff = Backoff{First: 10 * time.Millisecond, Max: 500 * time.Millisecond}
	}
	if cfg.MaxWait < 0 || cfg.Backoff.First <= 0 || cfg.Backoff.Max < cfg.Backoff.First {
		return nil, fmt.Errorf("locks: maxWait %s and backoff from %s to %s: none may be negative, and a pause not nothing",
			cfg.MaxWait, cfg.Backoff.First, cfg.Backoff.Max)
	}
	e, err := New(store, holder, cfg.Lease)
	if err != nil {
		return nil, fmt.Errorf("locks: %w", err)
	}
	l := &Locks{elector: e, maxWait: cfg.MaxWait, backoff: cfg.Backoff, hints: cfg.Hints, curfew: curfew{after: e.cfg.Try}}
	l.claims.send, l.ends.send = l.sendClaims, l.sendEnds
	return l, nil
}

// Holder returns the name that l claims under.
func (l *Locks) Holder() string { return l.elector.holder }

// Config returns how l holds its leases, with nothing left zero.
func (l *Locks) Config() Config { return l.elector.cfg }

// Reverify makes the renewal of every lock that is being renewed due at once:
// see Elector.Reverify.
func (l *Locks) Reverify() { l.elector.Reverify() }

func (l *Locks) ring(name string) {
	if l.hints != nil {
		l.hints.Ring(name)
	}
}

// claimOf is the claim of s for a record, for ttl.
func (l *Locks) claimOf(s *seek, record string, ttl time.Duration) Claim {
	e := l.elector
	return Claim{
		Key: record, Owner: s.owner, Mode: ForRequest, TTL: ttl, LockDelay: s.delay,
		Retention: e.cfg.keeps(), Holder: e.holder,
	}
}

// claim asks for records: for one together with what others ask for meanwhile,
// for many in a request of their own.
func (l *Locks) claim(s *seek, records []string, ttl time.Duration) []claimed {
	if len(records) == 1 {
		s.answers[0] = l.claims.ride(l.claimOf(s, records[0], ttl))
		return s.answers[:]
	}
	claims := make([]Claim, len(records))
	for i, record := range records {
		claims[i] = l.claimOf(s, record, ttl)
	}
	answers := make([]claimed, len(claims))
	l.sendClaims(claims, answers)
	return answers
}

// sendClaims asks for claims in one request.
func (l *Locks) sendClaims(claims []Claim, answers []claimed) {
	ctx := l.curfew.leave()
	defer ctx.back()
	sent := l.elector.cfg.Clock()
	for i, a := range complete(l.elector.store.Claim(ctx, claims), len(claims), ClaimAnswer{Err: errLeftOut}) {
		answers[i] = claimed{a, sent}
	}
}

// hold asks for one lease to be started or renewed, for ttl.
func (l *Locks) hold(ctx context.Context, ask func(context.Context, []Hold) []HoldAnswer, lease *Lease, ttl time.Duration) (HoldAnswer, time.Duration) {
	h := lease.hold()
	h.TTL = ttl
	ctx, cancel := context.WithTimeout(ctx, l.elector.cfg.Try)
	defer cancel()
	sent := l.elector.cfg.Clock()
	return complete(ask(ctx, []Hold{h}), 1, HoldAnswer{Err: errLeftOut})[0], sent
}

// sendEnds asks for leases to be released, in one request.
func (l *Locks) sendEnds(ends []End, answers []HoldAnswer) {
	ctx := l.curfew.leave()
	defer ctx.back()
	copy(answers, complete(l.elector.store.Release(ctx, ends), len(ends), HoldAnswer{Err: errLeftOut}))
}
