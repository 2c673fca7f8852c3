package scheduler

import (
	"sync"
	"time"

	"github.com/solocron/solocron/jobs"
)

// vacancies are the jobs whose run has ended on this replica, and for whose ticks
// it may have been in the way. The loop asks for those again at once: the other
// replicas, which are not told, do so within two seconds.
type vacancies struct {
	bell chan struct{}

	mu      sync.Mutex
	entries []*entry
}

// note says that the lease of a run of e has been given back.
func (v *vacancies) note(e *entry) {
	if !e.queues() {
		return
	}
	v.mu.Lock()
	v.entries = append(v.entries, e)
	v.mu.Unlock()
	ring(v.bell)
}

func (v *vacancies) take() []*entry {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := v.entries
	v.entries = nil
	return all
}

// queues reports whether a tick of e may wait behind an older run.
func (e *entry) queues() bool {
	return e.job.Overlap == jobs.QueueOverlap || e.job.Overlap == jobs.ReplaceOverlap || e.policy.catchup == jobs.CatchupAll
}

// hurry asks again for the ticks that waited behind runs that have ended.
func (s *Scheduler) hurry(l *loop) {
	b := s.book.Load()
	for _, e := range s.vacated.take() {
		if is := b.byName[e.job.Name]; is != nil {
			e = is // the run may have begun under another definition
		}
		switch a := e.attempt; {
		case a == nil:
		case a.flying:
			a.freed = true // its answer may be from before
		case a.held:
			l.agenda.put(time.Now(), a)
		}
	}
}
