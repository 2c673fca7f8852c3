package scheduler

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
)

// ErrNoTick means that a job has no next tick that could be skipped.
var ErrNoTick = errors.New("no next tick")

// Pause closes job for its ticks before until, or for all with the zero time,
// until Resume. They are skipped, each with its verdict; what runs goes on, and a
// trigger still works. The error matches ErrUnknownJob, ErrBadOrder or ErrNoAnswer.
func (s *Scheduler) Pause(ctx context.Context, job string, until time.Time, o Order) (election.Gate, error) {
	return s.setGate(ctx, job, election.Gate{Closed: true, Until: until}, o)
}

// Resume opens job again. No tick before this moment is run.
func (s *Scheduler) Resume(ctx context.Context, job string, o Order) (election.Gate, error) {
	return s.setGate(ctx, job, election.Gate{}, o)
}

// SkipNext closes job for its next tick only, and returns that. The error also
// matches ErrNoTick.
func (s *Scheduler) SkipNext(ctx context.Context, job string, o Order) (time.Time, error) {
	e, err := s.book.Load().find(job)
	if err != nil {
		return time.Time{}, err
	}
	next := e.group.times.Next(s.cfg.Now())
	if next.IsZero() {
		return next, fmt.Errorf("job %q: %w", job, ErrNoTick)
	}
	_, err = s.setGate(ctx, job, election.Gate{Closed: true, Until: next.Add(time.Millisecond)}, o)
	return next, err
}

// Gate returns whether job is closed for its ticks now.
func (s *Scheduler) Gate(ctx context.Context, job string) (election.Gate, error) {
	if _, err := s.book.Load().find(job); err != nil {
		return election.Gate{}, err
	}
	records, err := s.read(ctx, []string{job})
	if err != nil {
		return election.Gate{}, fmt.Errorf("job %q: %w: %w", job, ErrNoAnswer, err)
	}
	return records[0].Gate, nil
}

func (s *Scheduler) setGate(ctx context.Context, job string, g election.Gate, o Order) (election.Gate, error) {
	if _, err := s.book.Load().find(job); err != nil {
		return g, err
	}
	if err := checkOrder(o); err != nil {
		return g, err
	}
	if s.cfg.Ledger == nil {
		return g, fmt.Errorf("job %q: %w", job, ErrNoJournal)
	}
	g.By, g.Reason = o.By, o.Note
	ctx, cancel := context.WithTimeout(ctx, readTry)
	defer cancel()
	if err := s.cfg.Ledger.SetGate(ctx, job, g); err != nil {
		return g, fmt.Errorf("job %q: %w: %w", job, ErrNoAnswer, err)
	}
	return g, nil
}

// onFailure pauses a job that has failed so often in a row that its policy says so.
func (s *Scheduler) onFailure(n *note, failures int) {
	limit := n.entry.job.PauseOnFailure
	if limit == 0 || failures%limit != 0 || n.Row.State != RunEnded {
		return
	}
	_, err := s.setGate(s.scribe.closing, n.entry.job.Name, election.Gate{Closed: true}, Order{
		By:   "pauseOnFailure",
		Note: fmt.Sprintf("%d failures in a row, the last of them run %s", failures, n.Row.ID),
	})
	note := "paused after failures in a row"
	if err != nil {
		note = "could not be paused after failures in a row"
	}
	s.observe(Event{Phase: Waiting, Tick: tickOfRow(n.Row), Err: err, Note: note})
}
