package election

import (
	"sync"
	"time"
)

// floors is what a replica has seen of the records: a store that later says
// less has lost data.
type floors struct {
	mu   sync.Mutex
	seen map[string]Floor // not nil once a claim was answered
}

// started raises the floors by the leases that were started without an error.
func (f *floors) started(leases []*Lease, errs []error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, l := range leases {
		if errs[i] == nil {
			f.seen[l.hold.Key] = f.seen[l.hold.Key].raised(l.hold.Token, l.hold.Tick)
		}
	}
}

// raised is the higher of f and what a record just said, field by field.
func (f Floor) raised(token int64, tick time.Time) Floor {
	f.Token = max(f.Token, token)
	if tick.After(f.Tick) {
		f.Tick = tick
	}
	return f
}

// decidedBy is the tick that an answer to a claim for tick proves decided; zero if none.
func (a ClaimAnswer) decidedBy(tick time.Time) time.Time {
	switch a.Answer {
	case Skipped, Spent, Closed, Missed:
		if tick.After(a.Decided) {
			return tick
		}
	}
	return a.Decided
}
