package scheduler

import (
	"context"
	"fmt"
	"time"
)

// Generations puts the configurations of a cluster in order, so that of two
// definitions of a job the newer one is in force. It is part of a journal.
type Generations interface {
	// Enrol says that a replica has a configuration, and returns the place of that
	// among all. One that was never seen is the newest. One that was is the newest
	// again if no other replica has enrolled with a newer one within EnrolLife: a pod
	// that brings a configuration and dies does not keep it in force.
	Enrol(ctx context.Context, e Enrolment) (Enrolled, error)
	// Defined returns the names of all jobs of which a definition is kept.
	Defined(ctx context.Context) ([]string, error)
	// Forget drops the definitions and the checkpoints of jobs; not their history.
	Forget(ctx context.Context, jobs []string) error
}

// EnrolLife is for how long an enrolment counts. A replica that lives repeats it
// three times in that.
const EnrolLife = 20 * time.Second

// Enrolment is a configuration that a replica has.
type Enrolment struct {
	Replica  string // its id, at most 300 bytes
	Revision string // of the configuration, 1 to 100 bytes
	Number   int64  // that it has by its own account; 0: none. A higher one is newer, whoever came first
	Above    int64  // if it is the newest, its generation is above this
}

// Enrolled is the place of a configuration.
type Enrolled struct {
	Generation int64    // 1: it is older, by its number, than what others have
	Newest     int64    // the highest of all; it grows with time, also over a journal that has lost its data
	Others     []string // the revisions that others have, each once
}

// order is what a replica knows of the order of configurations.
type order struct {
	generation, newest int64
	seen               time.Time // when that was first known
}

// generational reports whether there are generations for b.
func (s *Scheduler) generational(b *book) bool {
	return s.cfg.Generations != nil && s.cfg.Journal != nil && b.revision != ""
}

// enrol asks for the place of b; the zero Enrolled if there are no generations.
func (s *Scheduler) enrol(ctx context.Context, b *book, above int64) (Enrolled, error) {
	if !s.generational(b) {
		return Enrolled{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, readTry)
	defer cancel()
	g, err := s.cfg.Generations.Enrol(ctx, Enrolment{Replica: s.cfg.Replica, Revision: b.revision, Number: b.number, Above: above})
	if err != nil {
		return Enrolled{}, fmt.Errorf("enrol the configuration: %w", err)
	}
	return g, nil
}

// roll enrols again, and returns the book that was enrolled and what others have.
func (s *Scheduler) roll(ctx context.Context) (*book, []string, error) {
	s.reform.Lock() // else a reload could be undone by what is asked here
	defer s.reform.Unlock()
	b := s.book.Load()
	g, err := s.enrol(ctx, b, 0)
	return b, g.Others, err
}

// note remembers g, and reports whether it is news, or was a moment ago.
func (o *order) note(g Enrolled, now time.Time) bool {
	if g.Generation != o.generation || g.Newest != o.newest {
		*o = order{g.Generation, g.Newest, now}
	}
	return now.Sub(o.seen) < uneasy
}
