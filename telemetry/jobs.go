package telemetry

import (
	"time"

	"github.com/solocron/solocron/config"
)

// Job is what metrics need to know of a job.
type Job struct {
	Timeout  time.Duration // of one attempt; 0: none
	Deadline time.Duration // how late a tick may start
	Times    Times         // nil: it has no ticks
}

// Times is the moments of a job; a *schedule.Schedule is one.
type Times interface {
	// Next returns the first tick after the given time; zero: there is none.
	Next(after time.Time) time.Time
	// Release returns when a tick may start.
	Release(tick time.Time) time.Time
}

// jobsOf is what metrics need to know of the jobs of cfg.
func jobsOf(cfg *config.Config) map[string]Job {
	all := make(map[string]Job, len(cfg.Jobs))
	for i := range cfg.Jobs {
		j := &cfg.Jobs[i]
		about := Job{Timeout: j.Timeout, Deadline: j.StartingDeadline}
		if j.Schedule != nil && !j.Suspend {
			about.Times = j.Schedule
		}
		all[j.Name] = about
	}
	return all
}

// Expect makes the series of the named jobs at zero, so that a rate over the
// first event is right. With more than a thousand jobs it does nothing: each
// job's series then appear with its first event.
func (m *Metrics) Expect(jobs []string) { m.roster.expect(jobs) }

// Jobs says which jobs there are from now on, by name. The series of others go;
// what is still to be said of those is said of OtherJobs. Without perJob all jobs
// are others.
func (m *Metrics) Jobs(jobs map[string]Job, perJob bool) {
	m.roster.define(jobs, perJob, time.Now())
	names := make([]string, 0, len(jobs))
	if perJob {
		for name := range jobs {
			names = append(names, name)
		}
	}
	m.roster.expect(names)
}

// define replaces what is known of jobs, of which more is known from now on.
func (r *roster) define(jobs map[string]Job, perJob bool, now time.Time) {
	r.mu.Lock()
	r.known.Store(&known{jobs, perJob})
	r.jobs.Range(func(_, value any) bool {
		s := value.(*series)
		_, ok := jobs[s.job]
		switch {
		case s.job == OtherJobs:
		case !ok, !perJob:
			r.remove(s)
		}
		return true
	})
	r.mu.Unlock()
	if !perJob {
		return
	}
	for name, about := range jobs {
		r.of(name).define(about, now)
	}
}
