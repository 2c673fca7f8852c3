package scheduler

import "time"

// Tick is one nominal moment of one job: an instant computed from its
// schedule, the same on every replica, never the time somebody looked.
type Tick struct {
	Job    string
	At     time.Time // UTC; for a request the moment it was made
	Manual bool      // a request, not a scheduled moment
	By     string    // Manual: who asked
	Key    string    // Manual: distinguishes requests made in the same second
}

// ID names the run of t, so that creating it twice collides: nightly-report.20261129T013000Z.
func (t Tick) ID() string {
	id := t.Job + "." + t.At.UTC().Format("20060102T150405Z")
	if t.Manual {
		id += ".manual-" + t.Key
	}
	return id
}
