package scheduler

import (
	"context"
	"fmt"
	"time"
)

// Cancel ends a run, wherever it is: one that has not begun is withdrawn, one
// that waits for its next attempt is not tried again, and one in progress is told
// to stop. It returns when the wish is kept; the run is cancelled when it has
// stopped, as its row will say. The error matches ErrUnknownRun, ErrEnded,
// ErrNoAnswer or ErrNoJournal.
func (s *Scheduler) Cancel(ctx context.Context, run string, o Order) (Row, error) {
	if s.cfg.Journal == nil {
		return Row{}, ErrNoJournal
	}
	if err := checkOrder(o); err != nil {
		return Row{}, err
	}
	for tries := 1; ; tries++ {
		row, done, err := s.cancel(ctx, run, o)
		if done || err != nil {
			return row, err
		}
		// A run that has begun in this moment has no row yet.
		if tries == cancelTries || !pauseFor(ctx, cancelPause) {
			return Row{}, fmt.Errorf("run %q: %w", run, ErrUnknownRun)
		}
	}
}

const (
	cancelTries = 5
	cancelPause = 100 * time.Millisecond
)

// cancel tries it once; done is false if there is no such run now.
func (s *Scheduler) cancel(ctx context.Context, run string, o Order) (row Row, done bool, err error) {
	row, begun, err := s.cfg.Journal.Find(ctx, run)
	if err != nil {
		return row, false, fmt.Errorf("run %q: %w: %w", run, ErrNoAnswer, err)
	}
	switch {
	case begun && row.State == RunEnded:
		return row, false, fmt.Errorf("run %q: %w", run, ErrEnded)
	case begun && row.State == RunRetrying:
		return s.withdraw(ctx, retryID(run, row.Attempt+1), &row, o)
	case begun, s.crew.find(run) != nil:
		return row, true, s.stopRun(ctx, run, o)
	}
	return s.withdraw(ctx, run, nil, o)
}

// withdraw cancels a run whose next attempt nobody has begun. Row is what its
// earlier attempts have left, if there were any.
func (s *Scheduler) withdraw(ctx context.Context, request string, row *Row, o Order) (Row, bool, error) {
	q, mine, err := s.cfg.Journal.Withdraw(ctx, request)
	if err != nil || !mine {
		return Row{}, false, err
	}
	if row == nil {
		waiting := q.row()
		waiting.Attempt = 0
		row = &waiting
	}
	e, err := s.book.Load().find(q.Job)
	if err != nil {
		return Row{}, true, err
	}
	row.State, row.Verdict, row.Reason = RunEnded, Cancelled, ReasonNone
	row.Replica, row.Ended = s.cfg.Replica, s.cfg.Now()
	row.Error = short("cancelled by "+o.By+": "+o.Note, maxError)
	s.tell(e, Event{Phase: Ended, Tick: tickOf(q), Verdict: Cancelled, By: o.By, Note: o.Note})
	n := end(e, *row, false)
	n.settle = []string{q.ID, q.Run}
	s.scribe.put(n)
	return *row, true, nil
}

// stopRun keeps the wish to end a run that is in progress, and passes it on.
func (s *Scheduler) stopRun(ctx context.Context, run string, o Order) error {
	if err := s.cfg.Journal.Stop(ctx, Stop{Run: run, By: o.By, Note: o.Note}); err != nil {
		return fmt.Errorf("run %q: %w: %w", run, ErrNoAnswer, err)
	}
	s.ring(ctx)
	return nil
}
