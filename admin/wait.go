package admin

import (
	"context"
	"time"

	"github.com/solocron/solocron/scheduler"
)

const (
	maxWait    = time.Minute            // for the end of a run
	maxWaiters = 256                    // at once; others are answered without a wait
	waitPause  = 250 * time.Millisecond // between two looks
)

// span is how long to wait; 0: not at all.
func (p Patience) span() (time.Duration, error) {
	if p.Wait == "" || p.Wait == "0" || p.Wait == "0s" {
		return 0, nil
	}
	return length("query.wait", p.Wait, maxWait)
}

// await returns a run as it stands when it has ended, or when the wait, the client or
// this replica is at its end. A store that gives no answer meanwhile is asked again.
func (a *API) await(ctx context.Context, run Run, wait time.Duration) Run {
	if wait <= 0 || a.Memory == nil || run.State == scheduler.RunEnded {
		return run
	}
	select {
	case a.waiters <- struct{}{}:
		defer func() { <-a.waiters }()
	default:
		return run
	}
	patient(ctx, wait)
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	tick := time.NewTicker(waitPause)
	defer tick.Stop()
	for run.State != scheduler.RunEnded {
		select {
		case <-ctx.Done():
			return run
		case <-a.closing:
			return run
		case <-tick.C:
		}
		if row, known, err := a.look(ctx, run.ID); err == nil && known {
			run = runOf(row)
		}
	}
	a.past.cluster.forget() // who has waited for the end sees it wherever they look
	return run
}
