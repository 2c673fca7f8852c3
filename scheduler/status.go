package scheduler

import "time"

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
	tick    Tick
	verdict Verdict
	reason  Reason
	err     error
	at      time.Time
}

func (e *ending) show() *Ending {
	if e == nil {
		return nil
	}
	out := &Ending{ID: e.tick.ID(), Tick: e.tick.At, Manual: e.tick.Manual, Verdict: e.verdict, Reason: e.reason, At: e.at}
	if e.err != nil {
		out.Error = e.err.Error()
	}
	return out
}

func (x *execution) show() *Running {
	if x == nil {
		return nil
	}
	out := &Running{ID: x.run.ID, Tick: x.tick.At, Manual: x.tick.Manual, Attempt: x.run.Attempt, Token: x.run.Token, Started: x.began}
	if note := x.note.Load(); note != nil {
		out.Note = *note
	}
	return out
}

func (e *entry) status(now time.Time) Status {
	st := Status{
		Job: e.job.Name, Kind: e.job.Kind, Schedule: e.schedule.spec, TimeZone: e.schedule.zone.String(),
		Suspend: e.job.Suspend, Owner: e.job.Owner, Labels: e.job.Labels,
		Running: e.running.Load().show(), Last: e.last.Load().show(),
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
