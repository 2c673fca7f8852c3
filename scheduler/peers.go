package scheduler

import (
	"context"
	"time"

	"github.com/solocron/solocron/election"
)

// Peers is what a scheduler knows of the other replicas. All of it is a hint:
// it saves questions to the store and decides nothing.
type Peers interface {
	// Live returns the ids of the replicas that live, this one included.
	Live() []string
	// Announce tells the others, soon and perhaps.
	Announce(ctx context.Context, news News) error
}

// News says that a replica has started ticks, for which the others need not ask,
// or that there is something to do.
type News struct {
	From  string // a replica's id, at most 300 bytes
	Ticks []TickRef
	Bell  bool // requests or stops have been put: look at once
}

// TickRef names a scheduled tick.
type TickRef struct {
	Job string    // at most 512 bytes
	At  time.Time // whole milliseconds, from 1970 on
}

// Ledger is what is known of the jobs' leases. Every lease store is one.
type Ledger interface {
	// Read returns the records of keys, in order.
	Read(ctx context.Context, keys []string) ([]election.Record, error)
	// SetGate closes key for ticks, or opens it.
	SetGate(ctx context.Context, key string, gate election.Gate) error
}
