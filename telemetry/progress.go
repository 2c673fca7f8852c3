package telemetry

import (
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// runKey tells attempts apart.
type runKey struct {
	id      string
	attempt int
}

// progress is what is known of an attempt in progress.
type progress struct {
	began time.Time
	link  jobs.Link // nil: it has no lease
}

// enter notes that an attempt has begun.
func (s *series) enter(e scheduler.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs == nil {
		s.runs = make(map[runKey]progress, 1)
	}
	began := e.At
	if began.IsZero() {
		began = time.Now()
	}
	s.runs[runKey{e.Run.ID, e.Run.Attempt}] = progress{began, e.Run.Link}
}

// leave notes that an attempt is over.
func (s *series) leave(e scheduler.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.runs, runKey{e.Run.ID, e.Run.Attempt})
}

const (
	// stuckAfter is how long after its timeout a run counts as stuck: it has been
	// told to stop, and had time to.
	stuckAfter = 2 * time.Minute
	// endless is when a run without a timeout does.
	endless = 24 * time.Hour
)

// stuckBy is when a run that began then counts as stuck.
func stuckBy(began time.Time, timeout time.Duration) time.Time {
	if timeout <= 0 {
		return began.Add(endless)
	}
	return began.Add(timeout + stuckAfter)
}

// abreast is what is in progress of a job.
type abreast struct {
	running, stuck int
	oldest         time.Time // when the first of them began; zero: none is
	remaining      float64   // seconds, of the lease that ends first
	leased         bool      // there is one
}

func (s *series) abreast(now time.Time) abreast {
	timeout := s.about.Load().Timeout
	s.mu.Lock()
	defer s.mu.Unlock()
	var a abreast
	for _, p := range s.runs {
		a.running++
		if now.After(stuckBy(p.began, timeout)) {
			a.stuck++
		}
		if a.oldest.IsZero() || p.began.Before(a.oldest) {
			a.oldest = p.began
		}
		if p.link == nil {
			continue
		}
		left := p.link.Remaining()
		if left == jobs.NoLimit {
			continue
		}
		if s := left.Seconds(); !a.leased || s < a.remaining {
			a.remaining, a.leased = s, true
		}
	}
	return a
}
