package scheduler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/solocron/solocron/election"
)

var (
	// ErrStopping means that the replica starts nothing more.
	ErrStopping = errors.New("the replica is shutting down")
	// ErrFull means that the replica has no place for another run.
	ErrFull = errors.New("as many runs as allowed are on")
	// ErrNoAnswer means that the lease store gave no answer in time.
	ErrNoAnswer = errors.New("the lease store gave no answer")
)

// triggerPatience is how long Trigger asks a store that does not answer.
const triggerPatience = 5 * time.Second

// triggerHere starts e now, on this replica, through the same lease as its
// ticks, and returns when the run has started: there is nobody to keep the wish.
func (s *Scheduler) triggerHere(ctx context.Context, e *entry, o Order) (Row, error) {
	job := e.job.Name
	if s.crew.book(1) == 0 {
		if s.crew.isShut() {
			return Row{}, fmt.Errorf("job %q: %w", job, ErrStopping)
		}
		return Row{}, fmt.Errorf("job %q: %w", job, ErrFull)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, triggerPatience, ErrNoAnswer)
	defer cancel()
	lease, owner, err := s.claimNow(ctx, e)
	if err == nil {
		err = s.startNow(ctx, lease)
	}
	if err != nil {
		s.crew.unbook(1)
		return Row{}, fmt.Errorf("job %q: %w", job, err)
	}
	tick := Tick{Job: job, At: o.about(s.cfg.Now().UTC().Truncate(time.Millisecond)), Manual: true, By: o.By, Key: string(owner[:8])}
	x := s.execution(e, lease, tick)
	x.run.Params, _ = e.job.ResolveParams(o.Params) // checked before
	row := Row{
		ID: x.run.ID, Job: job, Tick: tick.At, Cause: ByHand, By: o.By, Note: o.Note, Params: o.Params, State: RunRunning,
		Attempt: x.run.Attempt, Replica: s.cfg.Replica, Token: x.run.Token,
	}
	s.crew.begin(x)
	return row, nil
}

// claimNow claims the lease of e for a request.
func (s *Scheduler) claimNow(ctx context.Context, e *entry) (*election.Lease, election.Owner, error) {
	wish := election.Wish{Key: e.job.Name, Mode: election.ForRequest, Epoch: e.epoch.Load(), Def: e.group.def}
	for tries := 1; ; tries++ {
		a := s.elector.Claim(ctx, []election.Wish{wish})[0]
		switch a.Answer {
		case election.Granted:
			s.bury(e, a.Prev)
			return a.Lease, a.Owner, nil
		case election.Held, election.Delayed, election.Quarantine:
			return nil, "", &BusyError{Run: heldRun(e, &a.ClaimAnswer), By: a.By, Remaining: a.Remaining}
		}
		if errors.Is(a.Err, election.ErrBadClaim) {
			return nil, "", a.Err
		}
		wish.Owner = a.Owner
		if !pauseFor(ctx, retryPause.Pause(tries, rand.Float64())) {
			return nil, "", errors.Join(context.Cause(ctx), a.Err)
		}
	}
}

// startNow starts a lease that was claimed for a request.
func (s *Scheduler) startNow(ctx context.Context, lease *election.Lease) error {
	for tries := 1; ; tries++ {
		err := s.elector.Start(ctx, []*election.Lease{lease})[0].Err
		if err == nil || isFinal(err) {
			return err
		}
		if !pauseFor(ctx, retryPause.Pause(tries, rand.Float64())) {
			return errors.Join(context.Cause(ctx), err)
		}
	}
}

// heldRun is the run that holds the lease of e, as far as a claim tells.
func heldRun(e *entry, a *election.ClaimAnswer) string {
	if x := e.running.Load(); x != nil && x.run.Token == a.Token {
		return x.run.ID
	}
	if a.Tick.IsZero() {
		return ""
	}
	return Tick{Job: e.job.Name, At: a.Tick}.ID()
}

// pauseFor waits; false if ctx ended first.
func pauseFor(ctx context.Context, pause time.Duration) bool {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
