package election

import (
	"sync"
	"time"
)

// A bus carries requests of many goroutines to the store together. Whoever comes
// when nobody is under way drives at once, alone; who comes meanwhile waits, and
// goes with all the others that wait, driven by the first of them. So one caller
// pays for no goroutine and no hand-over, and many pay for few requests.
type bus[In, Out any] struct {
	send func([]In, []Out) // answers each in its place; both are its own until it returns

	mu      sync.Mutex
	driving int       // requests under way
	left    time.Time // when the last of them did
	waiting []*seat[In, Out]
	seats   sync.Pool // of *seat
	alone   sync.Pool // of *fare[In, Out]
}

const (
	// lanes is how many requests of a bus are under way at most. There is one,
	// as that makes the largest groups, unless it hangs.
	lanes = 4
	// hanging is for how long nobody looks for another lane.
	hanging = 50 * time.Millisecond
)

// maxRiders bounds a group, so that one request stays well within its time-out.
const maxRiders = 256

// A fare is what one who drives alone sends and is answered.
type fare[In, Out any] struct {
	in  [1]In
	out [1]Out
}

// A seat is one who waits.
type seat[In, Out any] struct {
	in    In
	out   Out
	group []*seat[In, Out] // set for the driver
	up    chan struct{}    // receives when out or group is set
}

// ride sends in and returns its answer.
func (b *bus[In, Out]) ride(in In) Out {
	b.mu.Lock()
	if now := time.Now(); b.driving == 0 || b.driving < lanes && now.Sub(b.left) > hanging {
		b.driving++
		b.left = now
		b.mu.Unlock()
		return b.rideAlone(in)
	}
	s, _ := b.seats.Get().(*seat[In, Out])
	if s == nil {
		s = &seat[In, Out]{up: make(chan struct{}, 1)}
	}
	s.in = in
	b.waiting = append(b.waiting, s)
	b.mu.Unlock()
	<-s.up
	if s.group != nil {
		b.drive(s)
	}
	out := s.out
	*s = seat[In, Out]{up: s.up}
	b.seats.Put(s)
	return out
}

func (b *bus[In, Out]) rideAlone(in In) Out {
	defer b.next()
	f, _ := b.alone.Get().(*fare[In, Out])
	if f == nil {
		f = new(fare[In, Out])
	}
	f.in[0] = in
	b.send(f.in[:], f.out[:])
	out := f.out[0]
	*f = fare[In, Out]{}
	b.alone.Put(f)
	return out
}

// drive sends what the group of s wants and wakes it.
func (b *bus[In, Out]) drive(s *seat[In, Out]) {
	defer b.next()
	wants := make([]In, len(s.group))
	for i, rider := range s.group {
		wants[i] = rider.in
	}
	outs := make([]Out, len(wants))
	b.send(wants, outs)
	for i, rider := range s.group {
		rider.out = outs[i]
		if rider != s {
			rider.up <- struct{}{}
		}
	}
}

// next gives the lane to those who wait, or frees it.
func (b *bus[In, Out]) next() {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(b.waiting), maxRiders)
	if n == 0 {
		b.driving--
		return
	}
	group := b.waiting[:n:n]
	b.waiting = b.waiting[n:]
	b.left = time.Now()
	group[0].group = group
	group[0].up <- struct{}{}
}
