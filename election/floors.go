package election

import (
	"sync"
	"time"
)

// floors is what a replica has seen of the records: a store that later says
// less has lost data.
type floors struct {
	mu   sync.Mutex
	seen map[string]*Floor // what they point to is guarded by mu, too
}

// of returns the floor of key. The caller holds f.mu.
func (f *floors) of(key string) *Floor {
	floor := f.seen[key]
	if floor == nil {
		floor = new(Floor)
		if f.seen == nil {
			f.seen = make(map[string]*Floor)
		}
		f.seen[key] = floor
	}
	return floor
}

// Heard raises what this replica knows of key: somebody has started a tick of it.
// A record that later says less has lost data, and is closed for a term.
func (e *Elector) Heard(key string, tick time.Time) {
	e.floors.mu.Lock()
	defer e.floors.mu.Unlock()
	e.floors.of(key).raise(0, tick)
}

func (f *floors) forget(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.seen, key)
}

// learn raises the floors of claims by what the answers prove.
func (f *floors) learn(of []*Floor, claims []Claim, answers []ClaimAnswer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range answers {
		if a := &answers[i]; a.Answer != Unknown {
			of[i].raise(a.Token, a.decidedBy(claims[i].Tick))
		}
	}
}

// started raises the floors by the leases that were started without an error.
func (f *floors) started(leases []*Lease, started []Started) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, l := range leases {
		if started[i].Err == nil {
			l.floor.raise(l.token, l.tick)
		}
	}
}

// raise makes f the higher of f and what a record just said, field by field.
func (f *Floor) raise(token int64, tick time.Time) {
	f.Token = max(f.Token, token)
	if tick.After(f.Tick) {
		f.Tick = tick
	}
}

// decidedBy is the tick that an answer to a claim for tick proves decided; zero if none.
func (a *ClaimAnswer) decidedBy(tick time.Time) time.Time {
	switch a.Answer {
	case Skipped, Spent, Closed, Missed:
		if tick.After(a.Decided) {
			return tick
		}
	}
	return a.Decided
}
