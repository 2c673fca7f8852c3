package election

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Leader is a leadership that lasts: one of all processes that Run it leads, for
// as long as it can renew. It is started like a run of a job, so that nobody
// follows a leader that died before Config.LockDelay has passed.
type Leader struct {
	locks *Locks
	key   Key
	name  string
	err   error

	mu   sync.Mutex
	runs bool
	grip *grip // nil while somebody else leads, or nobody
}

// Callbacks is what a Leader calls, one at a time, from the goroutine of Run.
type Callbacks struct {
	// Elected is the work of the leader. Its context ends with the leadership,
	// cause ErrLeaseLost or ErrLeaseUncertain, or with that of Run. It must
	// return then, within Config.StopGrace: Run waits for it before it stands
	// again, and renews until it has. When it returns by itself it resigns.
	Elected func(ctx context.Context)
	// Resigned hears that Elected has returned and the leadership is given up:
	// the cause, nil if Elected returned by itself. It may be nil.
	Resigned func(cause error)
	// Observed hears who leads, whenever that is seen to have changed, and with
	// which token. What it hears is old: never decide by it. It must be quick. It
	// may be nil.
	Observed func(by string, token int64)
}

// Leader returns the leadership of key. A key that is no good shows in Run.
func (l *Locks) Leader(key Key) *Leader {
	return &Leader{locks: l, key: key, name: key.String() + "/leader", err: key.Validate()}
}

// Run stands for election until ctx ends, then returns nil; whoever is elected
// meanwhile works and is awaited, and its leadership is given up. A store that
// does not answer is asked again for ever. The error is that of a key that is no
// good, or of a second Run at the same time.
func (d *Leader) Run(ctx context.Context, c Callbacks) error {
	if d.err != nil {
		return d.err
	}
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	seen := observer{tell: c.Observed}
	for ctx.Err() == nil {
		g, err := d.campaign(ctx, seen.refused)
		if errors.Is(err, ErrBadClaim) {
			return err
		}
		if err == nil {
			seen.saw(d.locks.Holder(), g.lease.token)
			d.lead(ctx, g, c)
		}
		// Whoever has just resigned, or failed to start, lets others go first.
		await(ctx, nil, Backoff{First: d.locks.backoff.Max, Max: d.locks.backoff.Max}.Pause(1, jitter()))
	}
	return nil
}

// IsLeader reports whether this process may believe that it leads. It asks nobody.
func (d *Leader) IsLeader() bool {
	_, leads := d.Token()
	return leads
}

// Token is the fencing token of this process's leadership; false if it does not
// lead.
func (d *Leader) Token() (int64, bool) {
	d.mu.Lock()
	g := d.grip
	d.mu.Unlock()
	if g == nil || g.check() != nil {
		return 0, false
	}
	return g.lease.token, true
}

func (d *Leader) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.runs {
		return fmt.Errorf("leader %s: it runs already", d.key.Masked())
	}
	d.runs = true
	return nil
}

func (d *Leader) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.runs = false
}

// campaign waits until it is elected, and starts the lease.
func (d *Leader) campaign(ctx context.Context, refused func(*ClaimAnswer)) (*grip, error) {
	l := d.locks
	s := &seek{key: d.key, name: d.name, records: []string{d.name}, delay: l.elector.cfg.LockDelay}
	g, err := l.lock(ctx, s, patience{}, refused)
	if err != nil {
		return nil, err
	}
	a, sent := l.hold(context.WithoutCancel(ctx), l.elector.store.Start, &g.lease, l.elector.cfg.TTL)
	err = g.extended(&a, sent)
	if err == nil {
		err = g.check() // there may be too little left of it
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("leader %s: start: %w", d.key.Masked(), err), g.outer.Unlock())
	}
	return g, nil
}

// lead works and gives up, also when Elected panics.
func (d *Leader) lead(ctx context.Context, g *grip, c Callbacks) {
	d.set(g)
	var cause error
	defer func() {
		d.set(nil)
		_ = g.outer.Unlock() // what is lost is known as cause, or to the next who leads
		if c.Resigned != nil {
			c.Resigned(cause)
		}
	}()
	err := g.outer.Do(ctx, func(ctx context.Context) error {
		c.Elected(ctx)
		cause = context.Cause(ctx)
		return nil
	})
	if err != nil { // lost before it began
		cause = err
	}
}

func (d *Leader) set(g *grip) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.grip = g
}

// An observer tells of leaders once each.
type observer struct {
	tell  func(by string, token int64)
	token int64
}

func (o *observer) refused(a *ClaimAnswer) {
	if a.Answer == Held {
		o.saw(a.By, a.Token)
	}
}

func (o *observer) saw(by string, token int64) {
	if o.tell != nil && token != o.token {
		o.token = token
		o.tell(by, token)
	}
}
