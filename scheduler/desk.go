package scheduler

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	pollEvery = time.Second     // so that a request is seen that nobody told of
	pollLimit = 256             // requests in one look
	pollTry   = 2 * time.Second //
	minPoll   = 20 * time.Millisecond
)

// A desk serves the requests of the journal and passes on the wishes to stop.
// Only the goroutine of Scheduler.serve touches it.
type desk struct {
	owners map[string]election.Owner // of claims that were not answered, by request
	live   []string                  // at the last look
}

// left reports whether somebody has gone since the last look.
func (d *desk) left(live []string) bool {
	gone := slices.ContainsFunc(d.live, func(id string) bool { return !slices.Contains(live, id) })
	d.live = live
	return gone
}

// serve looks at what waits in the journal, regularly and whenever the bell
// rings, until ctx ends.
func (s *Scheduler) serve(ctx context.Context) {
	d := &desk{owners: make(map[string]election.Owner)}
	timer := time.NewTimer(s.attend(ctx, d))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.bell:
		case <-timer.C:
		}
		timer.Reset(s.attend(ctx, d))
	}
}

// attend does what there is to do now, and returns when to look again.
func (s *Scheduler) attend(ctx context.Context, d *desk) time.Duration {
	if d.left(s.live()) {
		ring(s.departed) // what they ran is to be looked after
	}
	asking, cancel := context.WithTimeout(ctx, pollTry)
	defer cancel()
	inbox, err := s.cfg.Journal.Poll(asking, pollLimit)
	if err != nil {
		return s.cfg.Poll
	}
	for _, stop := range inbox.Stops {
		if x := s.crew.find(stop.Run); x != nil {
			x.halt(stop)
		}
	}
	again := s.take(ctx, d, inbox)
	if inbox.Next > 0 {
		again = min(again, inbox.Next)
	}
	return max(again, minPoll)
}

// explain adds to the error of a run that was stopped who wanted it.
func (s *Stop) explain(err error) error {
	if s.Note == "" {
		return fmt.Errorf("stopped by %s: %w", s.By, err)
	}
	return fmt.Errorf("stopped by %s (%s): %w", s.By, s.Note, err)
}

// halt tells x to stop, once.
func (x *execution) halt(stop Stop) {
	if !x.stopped.CompareAndSwap(nil, &stop) {
		return
	}
	cause := ErrCancelled
	if stop.Reason == ReasonReplaced {
		cause = ErrReplaced
	}
	x.lease.Cancel(cause)
}
