package config

import (
	"fmt"
	"time"

	"github.com/solocron/solocron/jobs"
)

// shutdownRest is what a replica needs to give its leases back, to write what is
// left to write and to close its listener, after its last run has ended.
const shutdownRest = 5 * time.Second

// Shutdown is how long a replica may take from being asked to stop to its end.
type Shutdown struct {
	Grace  time.Duration // what runs get to end by themselves
	Stop   time.Duration // the longest stopGracePeriod of a job that starts a process
	Job    string        // whose that is; "": there is no such job
	Rest   time.Duration // for leases, the journal and the listener
	Killed time.Duration // when the process is killed; 0: not known
}

// Shutdown returns how long a replica with this configuration may take to stop.
func (c *Config) Shutdown() Shutdown {
	s := Shutdown{Grace: c.ShutdownGrace, Rest: shutdownRest, Killed: c.TerminationGracePeriod}
	for i := range c.Jobs {
		if d := stopGrace(c.Jobs[i].Runner); d > s.Stop {
			s.Stop, s.Job = d, c.Jobs[i].Name
		}
	}
	return s
}

// stopGrace is what lies between SIGTERM and SIGKILL for what r starts; 0 if it
// starts no process.
func stopGrace(r jobs.Runner) time.Duration {
	var x jobs.Exec
	switch r := r.(type) {
	case *jobs.Command:
		x = r.Exec
	case *jobs.Shell:
		x = r.Exec
	default:
		return 0
	}
	if x.StopGrace == 0 {
		return jobs.DefaultStopGrace
	}
	return x.StopGrace
}

// Needs is the sum of the parts.
func (s Shutdown) Needs() time.Duration { return s.Grace + s.Stop + s.Rest }

// Fits reports whether the process ends before it is killed; true if it is not
// known when that is.
func (s Shutdown) Fits() bool { return s.Killed == 0 || s.Needs() <= s.Killed }

// String shows the sum, so that the reader sees which part to change.
func (s Shutdown) String() string {
	longest := ""
	if s.Job != "" {
		longest = fmt.Sprintf(" + the longest stopGracePeriod %s (job %s)", s.Stop, s.Job)
	}
	return fmt.Sprintf("shutdownGrace %s%s + %s to close = %s", s.Grace, longest, s.Rest, s.Needs())
}

// checkTermination reports a process that would be killed while it still stops.
func (l *loader) checkTermination() {
	const key = "terminationGracePeriod"
	if s := l.config.Shutdown(); !s.Fits() && !l.faulty(key) && !l.faulty("shutdownGrace") {
		l.blame(key, fmt.Sprintf("%s is too short: %s; a process that is killed leaves its runs to crash recovery. Raise it, or lower the others",
			s.Killed, s))
	}
}
