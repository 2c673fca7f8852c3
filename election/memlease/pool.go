package memlease

import (
	"slices"
	"sync"

	"github.com/solocron/solocron/election"
)

// maxPool is how many slices of answers wait to be used again: two requests at a
// time, each for claims, starts and releases.
const maxPool = 4

// A pool keeps slices of answers that were given back. The zero pool is empty.
type pool[T any] struct {
	mu    sync.Mutex
	spare [][]T
}

// get returns n zero answers.
func (p *pool[T]) get(n int) []T {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, answers := range p.spare {
		if cap(answers) >= n {
			p.spare = slices.Delete(p.spare, i, i+1)
			return answers[:n]
		}
	}
	return make([]T, n)
}

// put takes answers back. They must not keep what they point to alive.
func (p *pool[T]) put(answers []T) {
	clear(answers)
	p.mu.Lock()
	defer p.mu.Unlock()
	if cap(answers) == 0 {
		return
	}
	if len(p.spare) < maxPool {
		p.spare = append(p.spare, answers)
		return
	}
	smallest := 0
	for i := range p.spare {
		if cap(p.spare[i]) < cap(p.spare[smallest]) {
			smallest = i
		}
	}
	if cap(p.spare[smallest]) < cap(answers) {
		p.spare[smallest] = answers
	}
}

// Recycle implements election.Recycler.
func (s *Store) Recycle(claims []election.ClaimAnswer, holds []election.HoldAnswer) {
	s.claims.put(claims)
	s.holds.put(holds)
}
