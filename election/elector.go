package election

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Elector claims keys on behalf of one holder and keeps what it is granted.
// It is safe for concurrent use.
type Elector struct {
	store  Store
	holder string
	cfg    Config

	recycler Recycler // nil: the store is none
	floors   floors
	releases batch[ending, HoldAnswer]
	ends     []End // of the one release under way
	sheets   sync.Pool
	kennel   kennel
}

// New returns an Elector that claims on store as holder, a name for people that
// should be unique among the replicas. It refuses a Config that does not work.
func New(store Store, holder string, cfg Config) (*Elector, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("lease: %w", err)
	}
	e := &Elector{store: store, holder: holder, cfg: cfg.WithDefaults()}
	e.recycler, _ = store.(Recycler)
	e.releases.send, e.releases.told = e.release, e.released
	if e.recycler != nil {
		e.releases.over = func(answers []HoldAnswer) { e.recycler.Recycle(nil, answers) }
	}
	e.sheets.New = func() any { return new(sheet) }
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

// Forget drops what e knows of key, for a key that will not be claimed again:
// else e would know more of them for as long as it lives. A key that is claimed
// after all is judged by its record alone, as by a replica that has just begun.
func (e *Elector) Forget(key string) { e.floors.forget(key) }

// A sheet is what requests are written on, one at a time, again and again: for
// many items they are long enough to matter. No store keeps them: see Store.
type sheet struct {
	claims []Claim
	floors []*Floor // of the claims' keys
	holds  []Hold
}

// Claim asks for all wishes in one request. It returns within Config.Try, with
// Unknown for those that were not answered.
func (e *Elector) Claim(ctx context.Context, wishes []Wish) []Reply {
	return e.ClaimInto(ctx, wishes, nil)
}

// ClaimInto is Claim that writes the replies over those given, if they have room:
// for who claims thousands at a time, again and again.
func (e *Elector) ClaimInto(ctx context.Context, wishes []Wish, replies []Reply) []Reply {
	s := e.sheets.Get().(*sheet)
	defer e.sheets.Put(s)
	e.write(s, wishes)
	ctx, cancel := context.WithTimeout(ctx, e.cfg.Try)
	defer cancel()
	sent := e.cfg.Clock()
	answers := complete(e.store.Claim(ctx, s.claims), len(wishes), ClaimAnswer{Err: errLeftOut})
	e.floors.learn(s.floors, s.claims, answers)

	replies = slices.Grow(replies[:0], len(wishes))[:len(wishes)]
	for i := range answers {
		r := &replies[i]
		*r = Reply{ClaimAnswer: answers[i], Owner: s.claims[i].Owner}
		if r.Answer == Granted {
			r.Lease = e.lease(&s.claims[i], &answers[i], sent)
			r.Lease.floor = s.floors[i]
		}
	}
	if e.recycler != nil {
		e.recycler.Recycle(answers, nil)
	}
	return replies
}

// write makes the claims of wishes.
func (e *Elector) write(s *sheet, wishes []Wish) {
	s.claims = slices.Grow(s.claims[:0], len(wishes))[:len(wishes)]
	s.floors = slices.Grow(s.floors[:0], len(wishes))[:len(wishes)]
	ttl, owners := e.cfg.claimTTL(), newOwners(len(wishes))
	e.floors.mu.Lock()
	defer e.floors.mu.Unlock()
	for i := range wishes {
		w, floor := &wishes[i], e.floors.of(wishes[i].Key)
		s.floors[i] = floor
		s.claims[i] = Claim{
			Key: w.Key, Owner: w.Owner, Mode: w.Mode, Overlap: w.Overlap, Tick: w.Tick,
			TTL: ttl, LockDelay: e.cfg.LockDelay, Retention: e.cfg.keeps(),
			Epoch: w.Epoch, Holder: e.holder, Def: w.Def,
		}
		if e.cfg.Retention != NoRetention { // else a record that has vanished would pass for a lost one
			s.claims[i].Floor = *floor
		}
		if w.Owner == "" {
			s.claims[i].Owner = owners.at(i)
		}
	}
}

func (e *Elector) lease(c *Claim, a *ClaimAnswer, sent time.Duration) *Lease {
	return &Lease{
		elector: e, key: c.Key, owner: c.Owner, token: a.Token, tick: c.Tick, attempt: a.Attempt,
		term: term{}.extend(sent, a.Remaining),
	}
}

// Started is the answer to one lease of Start.
type Started struct {
	Decided time.Time // the tick that was decided before
	Err     error     // nil: the work may begin
}

// Start marks the ticks of leases as started, in one request. Only after a nil
// error may the work begin. An error that matches ErrLeaseLost or
// ErrLeaseUncertain is final; after any other the same leases may be started again.
func (e *Elector) Start(ctx context.Context, leases []*Lease) []Started {
	return e.StartInto(ctx, leases, nil)
}

// StartInto is Start as ClaimInto is Claim.
func (e *Elector) StartInto(ctx context.Context, leases []*Lease, started []Started) []Started {
	s := e.sheets.Get().(*sheet)
	defer e.sheets.Put(s)
	s.holds = s.holds[:0]
	for _, l := range leases {
		s.holds = append(s.holds, l.hold())
	}
	ctx, cancel := context.WithTimeout(ctx, e.cfg.Try)
	defer cancel()
	sent := e.cfg.Clock()
	answers := complete(e.store.Start(ctx, s.holds), len(leases), HoldAnswer{Err: errLeftOut})
	answered := e.cfg.Clock()

	started = slices.Grow(started[:0], len(leases))[:len(leases)]
	for i := range answers {
		started[i] = Started{answers[i].Decided, leases[i].started(&answers[i], sent, answered)}
	}
	e.floors.started(leases, started)
	if e.recycler != nil {
		e.recycler.Recycle(nil, answers)
	}
	return started
}

// renew asks for the leases of dogs to be extended; it returns the clock before
// it asked, too.
func (e *Elector) renew(dogs []*watchdog) ([]HoldAnswer, time.Duration) {
	s := e.sheets.Get().(*sheet)
	defer e.sheets.Put(s)
	s.holds = s.holds[:0]
	for _, d := range dogs {
		s.holds = append(s.holds, d.lease.hold())
	}
	ctx, cancel := context.WithTimeout(context.Background(), e.cfg.Try)
	defer cancel()
	sent := e.cfg.Clock()
	return complete(e.store.Renew(ctx, s.holds), len(dogs), HoldAnswer{Err: errLeftOut}), sent
}

var errLeftOut = errors.New("the lease store left this answer out")

// complete makes n answers of what a store has given. Of an item that it leaves out,
// against its contract, nothing is known; least of all that it was granted.
func complete[T any](answers []T, n int, unknown T) []T {
	for len(answers) < n {
		answers = append(answers, unknown)
	}
	return answers[:n]
}

func jitter() float64 { return rand.Float64() }
