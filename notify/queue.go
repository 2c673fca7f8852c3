package notify

import "sync"

// maxFacts is how many facts a replica keeps while the store does not answer. What is
// beyond is dropped.
const maxFacts = 20_000

// facts is what has been seen and not yet been kept, oldest first. Successes of a job
// that follow on each other are one.
type facts struct {
	mu      sync.Mutex
	list    []Fact
	taken   int            // facts that have left the list, ever
	last    map[string]int // by job, which of all facts ever is its last in the list
	dropped int
	more    chan struct{}
}

func newFacts() *facts {
	return &facts{last: map[string]int{}, more: make(chan struct{}, 1)}
}

// put adds f. It does no I/O.
func (q *facts) put(f Fact) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n, there := q.last[f.Job]; there && f.Sort == Good && q.list[n-q.taken].Sort == Good {
		q.list[n-q.taken] = f
		return
	}
	if len(q.list) >= maxFacts {
		q.dropped++
		return
	}
	q.last[f.Job] = q.taken + len(q.list)
	q.list = append(q.list, f)
	ring(q.more)
}

// take removes the oldest facts, at most limit, and says how many were dropped since
// it was last asked.
func (q *facts) take(limit int) (list []Fact, dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(limit, len(q.list))
	list = q.list[:n:n]
	q.list = q.list[n:]
	q.taken += n
	for i := range list {
		if q.last[list[i].Job] < q.taken {
			delete(q.last, list[i].Job)
		}
	}
	if len(q.list) == 0 {
		q.list = nil // do not keep the room of a burst
	}
	dropped, q.dropped = q.dropped, 0
	return list, dropped
}

// ring wakes whoever waits for c, which has room for one.
func ring(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
