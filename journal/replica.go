package journal

import "time"

// Replica is one process of the cluster.
type Replica struct {
	ID       string // unique; at most 300 bytes
	Version  string // at most 100 bytes, as is Revision
	Started  time.Time
	Revision string        // of its configuration
	Offset   time.Duration // what its clock is ahead of Redis', as it last measured
	Draining bool          // it takes nothing more, and waits for its runs to end
	LastSeen time.Time     // when it last told of itself, on the journal's clock; set by who lists it
}
