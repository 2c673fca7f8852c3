package scheduler

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

// Order is what somebody who wants a run says.
type Order struct {
	Params map[string]string // see jobs.Job.ResolveParams
	By     string            // who, at most 200 bytes
	Note   string            // why, at most 500 bytes
	At     time.Time         // what a triggered run is about, whole milliseconds; zero: the moment of the request
	// Overlap is what becomes of a triggered run while an older one is on, for this run
	// alone: skip, queue, replace or allow. "": what the job says.
	Overlap string
	Key     string // idempotency: the same key for the same job is the same request, for 24 hours. "": a new one
}

var (
	// ErrNoJournal means that requests are not possible because nothing keeps them.
	ErrNoJournal = errors.New("there is no journal")
	// ErrUnknownRun means that no run has the ID, or that it is no longer remembered.
	ErrUnknownRun = errors.New("unknown run")
	// ErrEnded means that the run has ended: there is nothing to stop.
	ErrEnded = errors.New("the run has ended")
	// ErrTooMany means that a range has more ticks than a backfill may request.
	ErrTooMany = errors.New("too many ticks")
	// ErrBadOrder means that an order is too long somewhere.
	ErrBadOrder = errors.New("bad order")
)

// BusyError means that a job cannot be triggered because a run of it is on.
type BusyError struct {
	Run       string // "" if it is not known
	By        string // the replica that holds the lease
	Remaining time.Duration
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("run %s is on, on %s", e.Run, e.By)
}

// ParamsError is what is wrong with the parameters of an order.
type ParamsError struct{ Faults []error }

func (e *ParamsError) Error() string { return errors.Join(e.Faults...).Error() }

// Trigger requests a run of job, outside its schedule, on whichever replica is
// first. It returns when the request is kept: from there on it survives this
// replica. The row is the queued run; or, for a key that is known, what has
// become of that. Without a journal the run is started here, now, or not at all.
//
// The error matches ErrUnknownJob, ErrStopping, ErrNoAnswer, ErrBadOrder, or is a
// BusyError or ParamsError.
func (s *Scheduler) Trigger(ctx context.Context, job string, o Order) (Row, error) {
	e, err := s.book.Load().find(job)
	if err != nil {
		return Row{}, err
	}
	policy, misfit := OverlapOf(o.Overlap, &e.job)
	if err := errors.Join(checkOrder(o), misfit, checkParams(e, o.Params)); err != nil {
		return Row{}, fmt.Errorf("job %q: %w", job, err)
	}
	if s.cfg.Journal == nil {
		if policy != e.job.Overlap && policy != jobs.SkipOverlap {
			return Row{}, fmt.Errorf("job %q: %w: nothing keeps a run that is not to be now or never", job, ErrNoJournal)
		}
		return s.triggerHere(ctx, e, o)
	}
	now := s.cfg.Now().UTC().Truncate(time.Millisecond)
	q := o.request(Tick{Job: job, At: o.about(now), Manual: true, Cause: ByHand, By: o.By}, now)
	q.Overlap = o.Overlap
	if o.Key != "" {
		q.ID = KeyedRun(job, o.Key)
		q.Run = q.ID
		// What the key stands for may be on already: then it is not in its own way.
		if row, known, err := s.cfg.Journal.Find(ctx, q.ID); err == nil && known {
			return row, nil
		}
	}
	if policy == jobs.SkipOverlap {
		err := s.busy(ctx, e)
		if busy, ok := errors.AsType[*BusyError](err); ok && o.Key != "" && busy.Run == q.ID {
			return q.row(), nil // it has begun in this moment
		}
		if err != nil {
			return Row{}, fmt.Errorf("job %q: %w", job, err)
		}
	}
	rows, err := s.request(ctx, q)
	if err != nil {
		return Row{}, err
	}
	return rows[0], nil
}

// Rerun requests another run about the same moment as an ended run, with the same
// parameters but for those that o gives. The error also matches ErrUnknownRun.
func (s *Scheduler) Rerun(ctx context.Context, run string, o Order) (Row, error) {
	row, e, err := s.lookUp(ctx, run)
	if err != nil {
		return Row{}, err
	}
	o.Params = overlaid(e.job.DefaultParams(), row.Params, o.Params) // to a tick nobody has given any
	if err := errors.Join(checkOrder(o), checkParams(e, o.Params)); err != nil {
		return Row{}, fmt.Errorf("job %q: %w", e.job.Name, err)
	}
	tick := Tick{Job: e.job.Name, At: row.Tick, Manual: true, Cause: ByRerun, By: o.By, Key: o.key(run)}
	rows, err := s.request(ctx, o.request(tick, s.cfg.Now().UTC().Truncate(time.Millisecond)))
	if err != nil {
		return Row{}, err
	}
	return rows[0], nil
}

// request puts requests and tells everybody. It returns their runs as they stand.
func (s *Scheduler) request(ctx context.Context, requests ...Request) ([]Row, error) {
	if s.cfg.Journal == nil {
		return nil, ErrNoJournal
	}
	if len(requests) == 0 {
		return nil, nil
	}
	if _, err := s.cfg.Journal.Put(ctx, requests); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	s.ring(ctx)
	rows := make([]Row, len(requests))
	for i, q := range requests {
		rows[i] = q.row()
	}
	return rows, nil
}

// request is the request of o for a run about tick.
func (o Order) request(tick Tick, now time.Time) Request {
	if tick.Key == "" {
		tick.Key = newKey()
	}
	return Request{
		ID: tick.ID(), Run: tick.ID(), Job: tick.Job, Cause: tick.Cause, Tick: tick.At, Params: o.Params,
		By: o.By, Note: o.Note, Made: now, Attempt: 1,
	}
}

// about is what a triggered run is about, asked for now.
func (o Order) about(now time.Time) time.Time {
	if o.At.IsZero() {
		return now
	}
	return o.At.UTC()
}

// KeyedRun is the ID of the run that a trigger of job with an idempotency key asks
// for.
func KeyedRun(job, key string) string { return job + keyMark + hashKey(key) }

// key tells requests apart: by the idempotency key if there is one.
func (o Order) key(about string) string {
	if o.Key == "" {
		return newKey()
	}
	return hashKey(about + "\x00" + o.Key)
}

func newKey() string {
	raw := make([]byte, 4)
	rand.Read(raw) // never fails: it ends the process instead
	return hex.EncodeToString(raw)
}

// row is the run that q asks for, as it stands before it begins.
func (q Request) row() Row {
	return Row{
		ID: q.Run, Job: q.Job, Tick: q.Tick, Cause: q.Cause, By: q.By, Note: q.Note, Params: q.Params,
		State: RunQueued, Attempt: q.Attempt, Tries: q.Tries,
	}
}

// busy returns a BusyError if a run holds the lease of e.
func (s *Scheduler) busy(ctx context.Context, e *entry) error {
	records, err := s.read(ctx, []string{e.job.Name})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	r := records[0]
	if r.State != election.StateRunning || r.Remaining == 0 {
		return nil
	}
	run, _ := s.runOf(ctx, e.job.Name, r.Tick, r.Token) // it is said without, if need be
	return &BusyError{Run: run, By: r.Holder, Remaining: r.Remaining}
}

// lookUp returns the row of a run and its job.
func (s *Scheduler) lookUp(ctx context.Context, run string) (Row, *entry, error) {
	if s.cfg.Journal == nil {
		return Row{}, nil, ErrNoJournal
	}
	row, known, err := s.cfg.Journal.Find(ctx, run)
	switch {
	case err != nil:
		return Row{}, nil, fmt.Errorf("run %q: %w: %w", run, ErrNoAnswer, err)
	case !known:
		return Row{}, nil, fmt.Errorf("run %q: %w", run, ErrUnknownRun)
	}
	e, err := s.book.Load().find(row.Job)
	return row, e, err
}

// overlaid merges maps, the later ones over the earlier; nil if there is nothing.
func overlaid(layers ...map[string]string) map[string]string {
	var all map[string]string
	for _, m := range layers {
		if all == nil {
			all = maps.Clone(m)
			continue
		}
		maps.Copy(all, m)
	}
	return all
}

// checkOrder reports words that are too long.
func checkOrder(o Order) error {
	for _, f := range []struct {
		name  string
		value string
		limit int
	}{{"by", o.By, 200}, {"reason", o.Note, 500}, {"idempotency key", o.Key, 255}} {
		if len(f.value) > f.limit {
			return fmt.Errorf("%w: %s has %d bytes: at most %d", ErrBadOrder, f.name, len(f.value), f.limit)
		}
	}
	return nil
}

func checkParams(e *entry, given map[string]string) error {
	if _, faults := e.job.ResolveParams(given); len(faults) > 0 {
		return &ParamsError{faults}
	}
	return nil
}
