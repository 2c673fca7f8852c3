package journal

import "time"

// Replica is one process of the cluster.
type Replica struct {
	ID      string // unique; at most 300 bytes
	Version string
	Started time.Time
}
