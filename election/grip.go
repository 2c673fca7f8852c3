package election

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// maxNested bounds the handles within one lock: more is a recursion gone wrong.
const maxNested = 32

var errUnlocked = fmt.Errorf("%w: unlocked by its holder", ErrLeaseLost)

// A grip is one acquisition. All handles that its holder has of it share it.
type grip struct {
	locks *Locks
	key   Key
	name  string
	lease Lease
	outer Handle // the handle that releases

	mu     sync.Mutex
	nested int
	runs   []*run
	over   bool  // the outer handle was unlocked
	cause  error // why the lease may not be believed any more, whatever the clock says
}

// A run is work under a grip, with a context to end.
type run struct{ cancel context.CancelCauseFunc }

// grip is what a grant comes to.
func (l *Locks) grip(s *seek, record string, a *claimed) *grip {
	g := &grip{locks: l, key: s.key, name: s.name}
	g.outer.grip = g
	g.lease = Lease{
		elector: l.elector, key: record, owner: s.owner, token: a.Token, attempt: a.Attempt,
		term: term{}.extend(a.sent, a.Remaining),
	}
	return g
}

// nest returns another handle for the holder.
func (g *grip) nest() (*Handle, error) {
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("lock %s again: %w", g.key.Masked(), err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.nested == maxNested {
		return nil, fmt.Errorf("lock %s again: %w: %d times", g.key.Masked(), ErrNested, maxNested)
	}
	g.nested++
	return &Handle{grip: g}, nil
}

// check is Lease.Check for all handles.
func (g *grip) check() error {
	g.mu.Lock()
	err := g.cause
	g.mu.Unlock()
	if err != nil {
		return err
	}
	return g.lease.Check()
}

// bark ends all work under g; what is not called back by then is not believed.
func (g *grip) bark(cause error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cause == nil {
		g.cause = cause
	}
	for _, r := range g.runs {
		r.cancel(cause)
	}
}

// unlocked reports whether the outer handle was given up.
func (g *grip) unlocked() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.over
}

// enter begins work: its context ends with the lease, which is renewed for as
// long as there is any.
func (g *grip) enter(ctx context.Context) (context.Context, *run) {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &run{cancel: cancel}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.runs = append(g.runs, r); len(g.runs) == 1 {
		g.lease.dog.lease = &g.lease
		g.lease.elector.kennel.add(&g.lease.dog, g.bark, g.lease.renewAt(), 0, nil)
	}
	if g.cause != nil {
		cancel(g.cause)
	}
	return ctx, r
}

// leave ends work. With the last the renewals end, too; none is in flight after it.
func (g *grip) leave(r *run) {
	if round := g.drop(r); round != nil {
		<-round
	}
	r.cancel(context.Canceled)
}

func (g *grip) drop(r *run) (round <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.runs, r)
	if g.runs = slices.Delete(g.runs, i, i+1); len(g.runs) > 0 {
		return nil
	}
	_, round = g.lease.elector.kennel.part(&g.lease.dog)
	return round
}

// do runs fn as work of h. If fn failed after the lease had, the error says both.
func (g *grip) do(ctx context.Context, h *Handle, fn func(context.Context) error) error {
	if err := h.Check(); err != nil {
		return fmt.Errorf("lock %s: %w", g.key.Masked(), err)
	}
	ctx, r := g.enter(ctx)
	defer g.leave(r)
	err := fn(NewContext(ctx, h))
	cause := context.Cause(ctx)
	if err == nil || errors.Is(err, cause) || !errors.Is(cause, ErrLeaseLost) && !errors.Is(cause, ErrLeaseUncertain) {
		return err
	}
	return fmt.Errorf("%w: %w", cause, err)
}
