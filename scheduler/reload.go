package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
)

// Set is all jobs of one configuration: what is wanted, not what is to change.
type Set struct {
	Revision string         // of the configuration; replicas that differ in it have different ones. "": it takes no part in generations
	Number   int64          // what whoever wrote it counts configurations by; 0: not at all. A higher one is newer
	Groups   map[string]int // places in each concurrency group, in the whole cluster
	Jobs     []Spec         // names are unique
}

// Spec is one job of a Set.
type Spec struct {
	Job      jobs.Job
	Schedule *schedule.Schedule // nil: it runs on request only
	// Hash is the same for the same definition of the job, on every replica, and
	// another one for another; at most 64 bytes. A job whose hash is empty counts as
	// changed by every Reload.
	Hash string
}

// Change is what a Reload has changed, by the names of jobs.
type Change struct {
	Added, Removed, Changed []string // each in the order of its Set
	Same                    int      // jobs that stay as they are
}

// Empty reports whether nothing has changed.
func (c *Change) Empty() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) == 0 }

// ErrNotReloaded means that a set was not taken because the store or the journal
// gave no answer, or because the scheduler ended: the one before stays whole. It can be tried again.
var ErrNotReloaded = errors.New("the jobs were not reloaded")

// reloadTry bounds what Reload asks.
const reloadTry = 10 * time.Second

// Reload puts set in the place of all jobs that there are, at once or, after an
// error, not at all; before Run it is how the jobs are added. A job whose definition
// stays keeps its place in its schedule, what waits, and its run. The run of a job
// that was changed or removed goes on as it was begun. What is changed holds from
// the next tick on; under another schedule no moment before the change is one. What
// is removed starts no more. What is added makes up for nothing from before.
//
// An error is about the set, or matches ErrNotReloaded.
func (s *Scheduler) Reload(ctx context.Context, set Set) (Change, error) {
	s.reform.Lock()
	defer s.reform.Unlock()
	was := s.book.Load()
	next, err := s.write(was, set)
	if err != nil {
		return Change{}, err
	}
	change := compare(was, next)
	if !s.running.Load() {
		s.book.Store(next)
		return change, nil
	}
	ctx, cancel := context.WithTimeout(ctx, reloadTry)
	defer cancel()
	h, g, err := s.prepare(ctx, was, next)
	if err == nil {
		err = s.handOver(ctx, h)
	}
	if err != nil {
		return Change{}, fmt.Errorf("%w: %w", ErrNotReloaded, err)
	}
	s.order.note(g, time.Now())
	return change, nil
}

// write makes the book of set, which takes over what stays the same from was.
func (s *Scheduler) write(was *book, set Set) (*book, error) {
	next := newBook(set.Groups)
	next.revision, next.number = set.Revision, set.Number
	for _, x := range set.Jobs {
		if err := s.cfg.supports(x.Job, set.Groups); err != nil {
			return nil, fmt.Errorf("job %q: %w", x.Job.Name, err)
		}
		if len(x.Hash) > maxHash {
			return nil, fmt.Errorf("job %q: a hash of %d bytes: at most %d", x.Job.Name, len(x.Hash), maxHash)
		}
		var err error
		if x.Schedule == nil {
			err = next.add(was, never{}, display{zone: time.UTC}, x)
		} else {
			err = next.add(was, x.Schedule, display{x.Schedule.Spec(), x.Schedule.Location()}, x)
		}
		if err != nil {
			return nil, err
		}
	}
	return next, nil
}

const maxHash = 64 // bytes

// compare says what becomes of the jobs of was in next.
func compare(was, next *book) Change {
	var c Change
	for _, e := range next.entries {
		switch was.byName[e.job.Name] {
		case nil:
			c.Added = append(c.Added, e.job.Name)
		case e:
			c.Same++
		default:
			c.Changed = append(c.Changed, e.job.Name)
		}
	}
	for _, e := range was.entries {
		if next.byName[e.job.Name] == nil {
			c.Removed = append(c.Removed, e.job.Name)
		}
	}
	return c
}

// prepare asks for all that the loop must know to go on with next.
func (s *Scheduler) prepare(ctx context.Context, was, next *book) (*handover, Enrolled, error) {
	g, err := s.enrol(ctx, next, 0)
	if err != nil {
		return nil, g, err
	}
	if err := s.renew(ctx, was, next, g); err != nil {
		return nil, g, err
	}
	h := &handover{book: next, members: next.members(), done: make(chan struct{})}
	var fresh, kept []*entry
	for _, e := range next.entries {
		old := was.byName[e.job.Name]
		if old == e {
			kept = append(kept, e)
			continue
		}
		fresh = append(fresh, e)
		h.replaced = append(h.replaced, replacement{old, e})
	}
	for _, e := range was.entries {
		if next.byName[e.job.Name] == nil {
			h.replaced = append(h.replaced, replacement{old: e})
		}
	}
	for _, part := range []struct {
		entries []*entry
		fresh   bool
	}{{fresh, true}, {kept, false}} {
		for batch := range slices.Chunk(part.entries, recallBatch) {
			turns, err := s.stand(ctx, batch, g.Generation, part.fresh)
			if err != nil {
				return nil, g, err
			}
			h.turns = append(h.turns, turns...)
		}
	}
	return h, g, nil
}

// renew has the journal forget what it knows of jobs that next adds, if nobody can have
// them: all others who live have what this replica had until now. So a job that was
// there once does not make up for the time between.
func (s *Scheduler) renew(ctx context.Context, was, next *book, g Enrolled) error {
	if g.Generation == 0 || slices.ContainsFunc(g.Others, func(r string) bool { return r != was.revision }) {
		return nil
	}
	var added []string
	for _, e := range next.entries {
		if was.byName[e.job.Name] == nil {
			added = append(added, e.job.Name)
		}
	}
	if len(added) == 0 {
		return nil
	}
	if err := s.cfg.Generations.Forget(ctx, added); err != nil {
		return fmt.Errorf("forget what there was before: %w", err)
	}
	return nil
}
