package scheduler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

var (
	// ErrStopping means that the replica starts nothing more.
	ErrStopping = errors.New("the replica is shutting down")
	// ErrNoAnswer means that the lease store gave no answer in time.
	ErrNoAnswer = errors.New("the lease store gave no answer")
)

// triggerPatience is how long Trigger asks a store that does not answer.
const triggerPatience = 5 * time.Second

// Trigger starts job now, outside its schedule, on this replica, through the
// same lease as its ticks, and returns when the run has started. The error
// matches ErrUnknownJob, election.ErrHeld (see election.HeldError), ErrStopping
// or ErrNoAnswer. A trigger moves no tick.
func (s *Scheduler) Trigger(ctx context.Context, job, by string) (jobs.Run, error) {
	e, err := s.book.find(job)
	if err != nil {
		return jobs.Run{}, err
	}
	if !s.crew.reserve(1) {
		return jobs.Run{}, fmt.Errorf("job %q: %w", job, ErrStopping)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, triggerPatience, ErrNoAnswer)
	defer cancel()
	lease, owner, err := s.claimNow(ctx, e)
	if err == nil {
		err = s.startNow(ctx, lease)
	}
	if err != nil {
		s.crew.unreserve()
		return jobs.Run{}, fmt.Errorf("job %q: %w", job, err)
	}
	tick := Tick{Job: job, At: s.cfg.Now().UTC().Truncate(time.Millisecond), Manual: true, By: by, Key: string(owner[:8])}
	x := s.execution(e, lease, tick)
	s.crew.begin(x)
	return x.run, nil
}

// claimNow claims the lease of e for a request.
func (s *Scheduler) claimNow(ctx context.Context, e *entry) (*election.Lease, election.Owner, error) {
	wish := election.Wish{Key: e.job.Name, Mode: election.ForRequest, Def: e.group.def}
	for tries := 1; ; tries++ {
		a := s.elector.Claim(ctx, []election.Wish{wish})[0]
		switch a.Answer {
		case election.Granted:
			s.bury(e, a.Prev)
			return a.Lease, a.Owner, nil
		case election.Held, election.Delayed, election.Quarantine:
			return nil, "", &election.HeldError{By: a.By, Tick: a.Tick, Remaining: a.Remaining}
		}
		if errors.Is(a.Err, election.ErrBadClaim) {
			return nil, "", a.Err
		}
		wish.Owner = a.Owner
		if err := pauseFor(ctx, tries); err != nil {
			return nil, "", errors.Join(err, a.Err)
		}
	}
}

// startNow starts a lease that was claimed for a request.
func (s *Scheduler) startNow(ctx context.Context, lease *election.Lease) error {
	for tries := 1; ; tries++ {
		_, errs := s.elector.Start(ctx, []*election.Lease{lease})
		if errs[0] == nil || isFinal(errs[0]) {
			return errs[0]
		}
		if err := pauseFor(ctx, tries); err != nil {
			return errors.Join(err, errs[0])
		}
	}
}

func pauseFor(ctx context.Context, tries int) error {
	t := time.NewTimer(retryPause.Pause(tries, rand.Float64()))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
