package election

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
)

// maxSlots bounds a semaphore: a full one is seen only by asking for every slot.
const maxSlots = 1000

// Semaphore lets at most n holders in at a time. Each slot is a lock of its own,
// so the count is as certain as a Mutex, and the slot of a holder that died comes
// back by itself.
//
// Slots are asked for from a random one on: first one alone, then two, four, up
// to 64 in a request, and all but the first that is granted are given back. One
// at a time would need n requests to see that all are taken; all at once would
// take, for a moment, every free slot from the others. As it is, a surplus
// arises only where the slots before it were taken. Those who wait are served
// in no order; the jitter of their pauses gives each the same chance.
type Semaphore struct {
	locks *Locks
	key   Key
	name  string
	n     int
	err   error
}

// Semaphore returns the semaphore of key with 1 to 1000 slots, the same number
// wherever it is used. A key or number that is no good shows when it is used.
func (l *Locks) Semaphore(key Key, n int) *Semaphore {
	s := &Semaphore{locks: l, key: key, name: key.String() + "/slots", n: n, err: key.Validate()}
	if s.err == nil && (n < 1 || n > maxSlots) {
		s.err = fmt.Errorf("%w: semaphore of %d slots, 1 to %d are allowed", ErrBadClaim, n, maxSlots)
	}
	return s
}

// Try asks once for a slot: see Mutex.Try. It may be refused a slot that
// somebody is about to give back.
func (s *Semaphore) Try(ctx context.Context) (*Handle, error) {
	return s.locks.take(ctx, s.want(), s.locks.tryOnce)
}

// Acquire waits for a slot: see Mutex.Lock. Under the context of a holder it
// returns a handle of the holder's slot.
func (s *Semaphore) Acquire(ctx context.Context) (*Handle, error) {
	return s.locks.take(ctx, s.want(), s.locks.waitFor)
}

// Do runs fn in a slot: see Mutex.Do.
func (s *Semaphore) Do(ctx context.Context, fn func(context.Context) error) error {
	h, err := s.Acquire(ctx)
	if err != nil {
		return err
	}
	return h.doAndUnlock(ctx, fn)
}

func (s *Semaphore) want() *seek {
	want := &seek{key: s.key, name: s.name, fault: s.err}
	if s.err != nil {
		return want
	}
	want.records = make([]string, s.n)
	for i, first := 0, rand.N(s.n); i < s.n; i++ {
		want.records[i] = s.name + "/" + strconv.Itoa((first+i)%s.n)
	}
	return want
}
