package scheduler

import (
	"context"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

// crowding says what to do with a request while another run of its job is on.
type crowding uint8

const (
	crowdLook    crowding = iota // somebody has claimed the job: it may be for this request
	crowdWait                    // wait until the run has ended
	crowdReplace                 // end that run
	crowdSkip                    // the request is skipped, as a tick would be
)

// crowd decides it. Only a trigger is skipped: the others were wanted whenever
// there is room.
func crowd(q Request, o jobs.Overlap, started bool) crowding {
	switch {
	case !started:
		return crowdLook
	case o == jobs.ReplaceOverlap && q.Cause == ByHand:
		return crowdReplace
	case o == jobs.SkipOverlap && q.Cause == ByHand:
		return crowdSkip
	}
	return crowdWait
}

// replace ends the run that the tick of a takes the place of, if that is the
// job's policy. The tick waits until the run has given its lease back.
func (s *Scheduler) replace(a *attempt, answer *election.ClaimAnswer) {
	if a.entry.job.Overlap != jobs.ReplaceOverlap || answer.Answer != election.Held || !answer.Started {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTry)
	defer cancel()
	s.endOlder(ctx, a.entry, answer, a.scheduled().ID())
}

// endOlder tells the run that holds the lease of e to stop, wherever it is.
func (s *Scheduler) endOlder(ctx context.Context, e *entry, a *election.ClaimAnswer, by string) {
	stop := Stop{Reason: ReasonReplaced, By: by}
	if x := e.running.Load(); x != nil && x.run.Token == a.Token {
		stop.Run = x.run.ID
		x.halt(stop)
		return
	}
	run, err := s.runOf(ctx, e.job.Name, a.Tick, a.Token)
	if err != nil || run == "" {
		return // its row is not written yet: asked again with the next claim
	}
	stop.Run = run
	if s.cfg.Journal.Stop(ctx, stop) == nil {
		s.ring(ctx)
	}
}

// runOf is the ID of the run of job with this tick and token; "" if it is not
// known. Only a run of a tick can be named without a look at the journal.
func (s *Scheduler) runOf(ctx context.Context, job string, tick time.Time, token int64) (string, error) {
	if !tick.IsZero() {
		return Tick{Job: job, At: tick}.ID(), nil
	}
	rows, err := s.cfg.Journal.Open(ctx)
	if err != nil {
		return "", err
	}
	for i := range rows {
		if rows[i].Job == job && rows[i].Token == token {
			return rows[i].ID, nil
		}
	}
	// A run that has begun in this moment has no row yet, but its request knows.
	inbox, err := s.cfg.Journal.Poll(ctx, pollLimit)
	for _, q := range inbox.Begun {
		if q.Job == job && q.Token == token {
			return q.Run, nil
		}
	}
	return "", err
}

// ring tells all replicas to look at the requests at once; one that does not
// hear it looks a moment later.
func (s *Scheduler) ring(ctx context.Context) {
	s.ringHere()
	if s.cfg.Peers != nil {
		_ = s.cfg.Peers.Announce(ctx, News{From: s.cfg.Replica, Bell: true})
	}
}

func (s *Scheduler) ringHere() { ring(s.bell) }

// ring wakes whoever waits on a bell, or will.
func ring(bell chan<- struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}
