package admin

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// last is the last good answer to a question, for when the store gives none.
type last[T any] struct {
	mu    sync.Mutex
	value T
	any   bool
}

// or returns value, or if there was an error the last one that came without; stale
// says so. The error stays if there was none.
func (l *last[T]) or(value T, err error) (_ T, stale bool, _ error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.value, l.any = value, true
		return value, false, nil
	case l.any:
		return l.value, true, nil
	}
	return value, false, err
}

// brief is an answer that is made at most once in a while, however many ask for it.
type brief[T any] struct {
	mu    sync.Mutex
	made  time.Time
	value T
}

// get returns the answer, made anew if it is older than age.
func (b *brief[T]) get(age time.Duration, look func() T) T {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.made.IsZero() || time.Since(b.made) >= age {
		b.value = look()
		b.made = time.Now()
	}
	return b.value
}

// forget has the answer made anew: whoever asks next knows that something has changed.
func (b *brief[T]) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made = time.Time{}
}

// memory is the last answers of the store. What it holds is not changed.
type memory struct {
	runs     last[[]Run] // the first page of all
	open     last[[]Run]
	replicas last[[]journal.Replica]
	cluster  brief[Cluster]
	latency  atomic.Pointer[float64] // seconds that the lease store took for its last answer

	mu        sync.Mutex
	histories map[string][]scheduler.Row // by job
	records   map[string]election.Record
}

func newMemory() *memory {
	return &memory{histories: map[string][]scheduler.Row{}, records: map[string]election.Record{}}
}

// history returns the rows of a job, or if there was an error the last ones that came
// without.
func (m *memory) history(job string, rows []scheduler.Row, err error) (_ []scheduler.Row, stale bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		return m.histories[job], true
	}
	m.histories[job] = rows // as many as there are jobs: only these are asked for
	return rows, false
}

// leases does the same for records; the bool is false if nothing is known.
func (m *memory) leases(names []string, records []election.Record) (_ []election.Record, stale, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if records != nil {
		for i, name := range names {
			m.records[name] = records[i]
		}
		return records, false, true
	}
	old := make([]election.Record, len(names))
	for i, name := range names {
		r, ok := m.records[name]
		if !ok {
			return nil, true, false
		}
		old[i] = r
	}
	return old, true, true
}
