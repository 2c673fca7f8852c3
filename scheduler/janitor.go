package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	sweepEach = 15 // looks at the journal between two sweeps, with as much jitter as a third of it
	sweepTry  = 10 * time.Second
	// sweepAge is how old a row must be, and for how long a watermark must have
	// stood still, before the janitor wonders: whoever dealt with a tick writes in a
	// moment.
	sweepAge = 20 * time.Second
	// janitorKey is the lease of the one that sweeps. No job's name has a slash.
	janitorKey = "janitor/"
)

// A janitor finds what died with its replica: runs without a holder, requests
// that were begun and never run, and ticks that nobody has said anything of.
type janitor struct {
	s *Scheduler
	// suspects are what looked dead in the last sweep, and the token of each: only
	// what still does is dealt with.
	suspects map[string]int64
	// next is when to sweep again, if that is soon; 0: at the usual time.
	next time.Duration
	// lags are the jobs that were behind in the last sweep.
	lags map[string]lag
	// estate is what is known of the jobs that nobody has any more.
	estate estate
}

// A lag is that the journal has not been told of all that is decided of a job.
type lag struct {
	told  time.Time // its watermark
	upto  time.Time // what was decided when that was first seen
	since time.Time // when it was
}

// sweep cleans up regularly, on one replica at a time, until ctx ends.
func (s *Scheduler) sweep(ctx context.Context) {
	j := &janitor{s: s}
	every := sweepEach * s.cfg.Poll
	for {
		pause := every + rand.N(every/3)
		if j.next > 0 {
			pause = min(pause, j.next)
		}
		j.next = 0
		select {
		case <-ctx.Done():
			return
		case <-s.departed:
		case <-time.After(pause):
		}
		if err := j.once(ctx); err != nil && ctx.Err() == nil {
			s.observe(Event{Phase: Waiting, Err: fmt.Errorf("sweep: %w", err), Retry: every, Note: "what died with its replica is not looked for"})
		}
	}
}

// once sweeps if nobody else does.
func (j *janitor) once(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, sweepTry)
	defer cancel()
	reply := j.s.elector.Claim(ctx, []election.Wish{{Key: janitorKey, Mode: election.ForRequest}})[0]
	if reply.Answer != election.Granted {
		return reply.Err
	}
	// The claim is long enough for a sweep and is not started: nothing here is
	// wrong if two sweep at once, it is only done twice.
	defer func() { _, _ = reply.Lease.Release(context.WithoutCancel(ctx), election.OutcomeUndone) }()

	inbox, err := j.s.cfg.Journal.Poll(ctx, pollLimit)
	if err != nil {
		return err
	}
	rows, err := j.s.cfg.Journal.Open(ctx)
	if err != nil {
		return err
	}
	if err := j.settleEstate(ctx, inbox); err != nil {
		return err
	}
	if err := j.runs(ctx, rows, inbox); err != nil {
		return err
	}
	if err := j.stops(ctx, inbox.Stops); err != nil {
		return err
	}
	return j.holes(ctx, rows)
}

// stops settles the wishes to stop what has ended.
func (j *janitor) stops(ctx context.Context, stops []Stop) error {
	var over []string
	for _, stop := range stops {
		row, known, err := j.s.cfg.Journal.Find(ctx, stop.Run)
		if err != nil {
			return err
		}
		if known && row.State == RunEnded {
			over = append(over, stop.Run)
		}
	}
	if len(over) == 0 {
		return nil
	}
	return j.s.cfg.Journal.Settle(ctx, over)
}

// A finding is what the record of a lease says about a run that should hold it.
type finding uint8

const (
	foundAlive     finding = iota // it holds the lease, or may
	foundAbandoned                // it held the lease, which has ended: a claim will say so
	foundUnstarted                // it claimed the lease and let that expire: it can never start
	foundEnded                    // the record knows how it ended
	foundForgotten                // it does not hold the lease, and the record knows nothing of it
)

// find judges a run with this token by the record of its lease.
func find(token int64, r election.Record) (finding, election.Outcome) {
	if r.Token == token {
		switch {
		case r.Remaining > 0 && (r.State == election.StateRunning || r.State == election.StateClaimed):
			return foundAlive, 0
		case r.State == election.StateRunning:
			return foundAbandoned, 0
		case r.State == election.StateClaimed:
			return foundUnstarted, 0
		}
	}
	for _, past := range r.Ring {
		if past.Token == token {
			return foundEnded, past.Outcome
		}
	}
	if r.Token > token || r.State == election.StateFree {
		return foundForgotten, 0
	}
	return foundAlive, 0 // quarantined, or an older record: its time will come
}

// verdictOf is the verdict that an outcome was kept for.
func verdictOf(o election.Outcome) (Verdict, Reason) {
	switch o {
	case election.OutcomeSucceeded:
		return Succeeded, ReasonNone
	case election.OutcomeFailed:
		return Failed, ReasonNone
	case election.OutcomeTimedOut:
		return TimedOut, ReasonNone
	case election.OutcomeCancelled:
		return Cancelled, ReasonNone
	case election.OutcomeInterrupt:
		return Interrupted, ReasonNone
	case election.OutcomeLost:
		return LeaseLost, ReasonNone
	}
	return LeaseLost, ReasonCrash
}
