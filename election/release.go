package election

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// lastWord is by how much a Release may outlive its context.
const lastWord = 50 * time.Millisecond

// Release ends l and records outcome in its record. It tries until the store
// gives a definite answer or ctx ends; call it with a context that survives
// shutdown. What the record says about the run afterwards is returned: outcome,
// OutcomeAbandoned if another had found the run without a holder, or
// OutcomeNone if the lease was revoked or its record lost.
func (l *Lease) Release(ctx context.Context, outcome Outcome) (Outcome, error) {
	type answer struct {
		kept Outcome
		err  error
	}
	told := make(chan answer, 1)
	l.End(ctx, outcome, func(kept Outcome, err error) { told <- answer{kept, err} })
	select {
	case a := <-told:
		return a.kept, a.err
	case <-ctx.Done():
	}
	select {
	case a := <-told: // it ends with ctx, too, and knows what the store said last
		return a.kept, a.err
	case <-time.After(lastWord): // but a try that is on its way takes its time
		return OutcomeNone, fmt.Errorf("release: %w", context.Cause(ctx))
	}
}

// End is Release without the wait: it calls told with what Release would have
// returned, from another goroutine. What ends together goes to the store
// together; told must be quick, as others wait behind it.
func (l *Lease) End(ctx context.Context, outcome Outcome, told func(kept Outcome, err error)) {
	l.elector.releases.add(ending{lease: l, outcome: outcome, ctx: ctx, told: told})
}

// An ending is a lease on its way to be released.
type ending struct {
	lease   *Lease
	outcome Outcome
	tries   int
	ctx     context.Context // until when it is tried
	told    func(kept Outcome, err error)
}

// release sends what ends together in one request.
func (e *Elector) release(endings []ending) []HoldAnswer {
	e.ends = e.ends[:0]
	for i := range endings {
		l := endings[i].lease
		e.ends = append(e.ends, End{
			Key: l.key, Owner: l.owner, Token: l.token, Outcome: endings[i].outcome, Retention: e.cfg.keeps(),
		})
	}
	ctx, cancel := context.WithTimeout(context.Background(), e.cfg.Try)
	defer cancel()
	return complete(e.store.Release(ctx, e.ends), len(endings), HoldAnswer{Err: errLeftOut})
}

// released takes the answer to a release: it tells, or tries again in a while.
func (e *Elector) released(x ending, a HoldAnswer) {
	if kept, ok, err := settled(a, x.outcome); ok {
		x.told(kept, err)
		return
	}
	go e.endAgain(x, a.Err) // ends with x.ctx at the latest
}

// endAgain repeats a release that was not answered, unless its context ends.
func (e *Elector) endAgain(x ending, unheard error) {
	x.tries++
	pause := Backoff{First: e.cfg.Try / 10, Max: 2 * e.cfg.Try}
	if err := sleep(x.ctx, pause.Pause(x.tries, jitter())); err != nil {
		x.told(OutcomeNone, fmt.Errorf("release: %w: %w", err, unheard))
		return
	}
	e.releases.add(x)
}

// settled reads the answer to a release: what the record keeps, and whether the
// answer is definite.
func settled(a HoldAnswer, outcome Outcome) (kept Outcome, ok bool, err error) {
	switch a.Standing {
	case Good:
		return outcome, true, nil
	case AlreadyReleased:
		return a.Outcome, true, nil
	case Lapsed, Lost:
		return OutcomeNone, true, nil
	}
	if errors.Is(a.Err, ErrBadClaim) {
		return OutcomeNone, true, fmt.Errorf("release: %w", a.Err)
	}
	return OutcomeNone, false, nil
}

// sleep waits for d or until ctx ends, whichever is first; the error is ctx's cause.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
