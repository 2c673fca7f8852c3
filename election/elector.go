package election

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	mrand "math/rand/v2"
	"time"
)

// Elector claims keys on behalf of one holder and keeps what it is granted.
// It is safe for concurrent use.
type Elector struct {
	store  Store
	holder string
	cfg    Config

	floors   floors
	releases batch[End, HoldAnswer]
	kennel   kennel
}

// New returns an Elector that claims on store as holder, a name for people that
// should be unique among the replicas. It refuses a Config that does not work.
func New(store Store, holder string, cfg Config) (*Elector, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("lease: %w", err)
	}
	e := &Elector{store: store, holder: holder, cfg: cfg.WithDefaults()}
	e.releases.send = e.release
	e.kennel.cfg, e.kennel.renew = e.cfg, e.renew
	return e, nil
}

// Holder returns the name that e claims under.
func (e *Elector) Holder() string { return e.holder }

// Config returns the Config of e with nothing left zero.
func (e *Elector) Config() Config { return e.cfg }

// Wish is a claim as a caller makes it. A wish that was answered Unknown is made
// again with the Owner of its Reply, so that the store recognises it.
type Wish struct {
	Key     string
	Owner   Owner // "": a new one
	Mode    Mode
	Overlap Overlap
	Tick    time.Time
	Epoch   int64
	Def     string
}

// Reply is the answer to a Wish. Lease is set if and only if it was Granted.
type Reply struct {
	ClaimAnswer
	Owner Owner
	Lease *Lease
}

// Claim asks for all wishes in one request. It returns within Config.Try, with
// Unknown for those that were not answered.
func (e *Elector) Claim(ctx context.Context, wishes []Wish) []Reply {
	claims := e.claims(wishes)
	ctx, cancel := context.WithTimeout(ctx, e.cfg.Try)
	defer cancel()
	sent := e.cfg.Clock()
	answers := e.store.Claim(ctx, claims)
	e.learn(claims, answers)

	replies := make([]Reply, len(wishes))
	for i, a := range answers {
		replies[i] = Reply{ClaimAnswer: a, Owner: claims[i].Owner}
		if a.Answer == Granted {
			replies[i].Lease = e.lease(claims[i], a, sent)
		}
	}
	return replies
}

func (e *Elector) claims(wishes []Wish) []Claim {
	owners := newOwners(len(wishes))
	claims := make([]Claim, len(wishes))
	e.floors.mu.Lock()
	defer e.floors.mu.Unlock()
	for i, w := range wishes {
		claims[i] = Claim{
			Key: w.Key, Owner: w.Owner, Mode: w.Mode, Overlap: w.Overlap, Tick: w.Tick,
			TTL: e.cfg.claimTTL(), LockDelay: e.cfg.LockDelay, Retention: e.cfg.Retention,
			Epoch: w.Epoch, Floor: e.floors.seen[w.Key], Holder: e.holder, Def: w.Def,
		}
		if w.Owner == "" {
			claims[i].Owner = owners[i]
		}
	}
	return claims
}

// learn raises the floors by what the answers prove.
func (e *Elector) learn(claims []Claim, answers []ClaimAnswer) {
	e.floors.mu.Lock()
	defer e.floors.mu.Unlock()
	if e.floors.seen == nil {
		e.floors.seen = make(map[string]Floor, len(claims))
	}
	for i, a := range answers {
		if a.Answer != Unknown {
			key := claims[i].Key
			e.floors.seen[key] = e.floors.seen[key].raised(a.Token, a.decidedBy(claims[i].Tick))
		}
	}
}

func (e *Elector) lease(c Claim, a ClaimAnswer, sent time.Duration) *Lease {
	return &Lease{
		elector: e,
		hold: Hold{
			Key: c.Key, Owner: c.Owner, Token: a.Token, Tick: c.Tick,
			TTL: e.cfg.TTL, Retention: e.cfg.Retention, Holder: e.holder,
		},
		attempt: a.Attempt,
		term:    term{}.extend(sent, a.Remaining),
	}
}

// Start marks the ticks of leases as started, in one request. Only after a nil
// error may the work begin; the answer also says which tick was decided before.
// An error that matches ErrLeaseLost or ErrLeaseUncertain is final; after any
// other the same leases may be started again.
func (e *Elector) Start(ctx context.Context, leases []*Lease) ([]time.Time, []error) {
	holds := make([]Hold, len(leases))
	for i, l := range leases {
		holds[i] = l.hold
	}
	ctx, cancel := context.WithTimeout(ctx, e.cfg.Try)
	defer cancel()
	sent := e.cfg.Clock()
	answers := e.store.Start(ctx, holds)
	answered := reading{e.cfg.Clock(), time.Now()}

	decided, errs := make([]time.Time, len(leases)), make([]error, len(leases))
	for i, a := range answers {
		decided[i], errs[i] = a.Decided, leases[i].started(a, sent, answered)
	}
	e.floors.started(leases, errs)
	return decided, errs
}

func (e *Elector) renew(holds []Hold) ([]HoldAnswer, time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), e.cfg.Try)
	defer cancel()
	sent := e.cfg.Clock()
	return e.store.Renew(ctx, holds), sent
}

func (e *Elector) release(ends []End) []HoldAnswer {
	ctx, cancel := context.WithTimeout(context.Background(), e.cfg.Try)
	defer cancel()
	return e.store.Release(ctx, ends)
}

// newOwners draws n owners from one read of the system's randomness.
func newOwners(n int) []Owner {
	raw := make([]byte, 16*n)
	rand.Read(raw) // never fails: it ends the process instead
	text := hex.EncodeToString(raw)
	owners := make([]Owner, n)
	for i := range owners {
		owners[i] = Owner(text[32*i : 32*i+32])
	}
	return owners
}

func jitter() float64 { return mrand.Float64() }
