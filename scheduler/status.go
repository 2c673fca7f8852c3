package scheduler

import (
	"sync"
	"time"
)

// Status is what one replica knows of one job, for people.
type Status struct {
	Job      string            `json:"name"`
	Kind     string            `json:"kind"`
	Schedule string            `json:"schedule"` // as written
	TimeZone string            `json:"timeZone"`
	Next     *time.Time        `json:"next"`               // in the job's zone; nil: see NextNote
	NextNote string            `json:"nextNote,omitempty"` // why there is no next tick
	Suspend  bool              `json:"suspend"`
	Running  *Running          `json:"running"` // the run on this replica, if any
	Last     *Ending           `json:"last"`    // the last verdict this replica gave
	Owner    string            `json:"owner,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
}

// Running is a run in progress on this replica.
type Running struct {
	ID      string    `json:"id"`
	Tick    time.Time `json:"tick"`
	Manual  bool      `json:"manual"`
	Attempt int       `json:"attempt"`
	Token   int64     `json:"token"`
	Started time.Time `json:"started"`
	Note    string    `json:"progress,omitempty"`
}

// Ending is how a tick or request ended.
type Ending struct {
	ID      string    `json:"id"`
	Tick    time.Time `json:"tick"`
	Manual  bool      `json:"manual"`
	Verdict Verdict   `json:"verdict"`
	Reason  Reason    `json:"reason,omitempty"`
	At      time.Time `json:"at"`
	Error   string    `json:"error,omitempty"`
}

// An ending is what an Ending is made of when somebody looks.
type ending struct {
	run     string // "": that of the tick
	tick    time.Time
	manual  bool
	verdict Verdict // "": there was none yet
	reason  Reason
	err     error
	at      time.Time
}

// A lastly is the last ending of a job. It is kept in place: a burst of quick
// runs would leave as many of them to the collector.
type lastly struct {
	mu sync.Mutex
	ending
}

func (l *lastly) set(e ending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ending = e
}

// show is the last ending of job; nil if there is none.
func (l *lastly) show(job string) *Ending {
	l.mu.Lock()
	e := l.ending
	l.mu.Unlock()
	if e.verdict == "" {
		return nil
	}
	id := e.run
	if id == "" {
		id = Tick{Job: job, At: e.tick}.ID()
	}
	out := &Ending{ID: id, Tick: e.tick, Manual: e.manual, Verdict: e.verdict, Reason: e.reason, At: e.at}
	if e.err != nil {
		out.Error = e.err.Error()
	}
	return out
}

func (x *execution) show() *Running {
	if x == nil {
		return nil
	}
	out := &Running{ID: x.run.ID, Tick: x.run.Tick, Manual: x.run.Manual, Attempt: x.run.Attempt, Token: x.run.Token, Started: x.began}
	if note := x.note.Load(); note != nil {
		out.Note = *note
	}
	return out
}

func (e *entry) status(now time.Time) Status {
	st := Status{
		Job: e.job.Name, Kind: e.job.Kind, Schedule: e.schedule.spec, TimeZone: e.schedule.zone.String(),
		Suspend: e.job.Suspend, Owner: e.job.Owner, Labels: e.job.Labels,
		Running: e.running.Load().show(), Last: e.last.show(e.job.Name),
	}
	switch next := e.group.times.Next(now); {
	case e.job.Suspend:
		st.NextNote = "the job is suspended in its definition"
	case next.IsZero():
		st.NextNote = "the schedule has no further moments"
	default:
		next = next.In(e.schedule.zone)
		st.Next = &next
	}
	return st
}
