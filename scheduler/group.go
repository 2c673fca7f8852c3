package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/solocron/solocron/election"
)

// A concurrency group is a semaphore made of leases: one key for each place, held
// from before a run's own claim until it has ended.

// seatKey is the key of a place. No job's name has a slash.
func seatKey(group string, place int) string { return fmt.Sprintf("group/%s/%d", group, place) }

// seatTries is how many places that looked free are asked for before a later try.
const seatTries = 3

// fullPause is between two looks for a place.
var fullPause = election.Backoff{First: 250 * time.Millisecond, Max: 2 * time.Second}

// seated takes a place in the concurrency group of the job of r; true if it has
// one, or needs none.
func (s *Scheduler) seated(ctx context.Context, r *result) bool {
	a := r.attempt
	if a.entry.job.Group == "" {
		return true
	}
	seat, err := s.takeSeat(ctx, a.entry.job.Group)
	if seat == nil {
		r.pause = fullPause.Pause(a.tries, rand.Float64())
		s.observe(Event{
			Phase: Waiting, Tick: a.scheduled(), Err: err, Retry: r.pause,
			Note: "no place in concurrency group " + a.entry.job.Group,
		})
		return false
	}
	r.seat = seat
	return true
}

// takeSeat claims and starts a place of a group; nil if none is free. The error
// says what the store said, if that is why.
func (s *Scheduler) takeSeat(ctx context.Context, group string) (*election.Lease, error) {
	free, err := s.freeSeats(ctx, group)
	if err != nil {
		return nil, err
	}
	for _, key := range free[:min(len(free), seatTries)] {
		reply := s.elector.Claim(ctx, []election.Wish{{Key: key, Mode: election.ForRequest}})[0]
		if reply.Answer != election.Granted {
			err = reply.Err
			continue
		}
		if err = s.elector.Start(ctx, []*election.Lease{reply.Lease})[0].Err; err == nil {
			return reply.Lease, nil
		} // else it is left to expire
	}
	return nil, err
}

// freeSeats returns the places of a group that nobody seems to hold, shuffled.
func (s *Scheduler) freeSeats(ctx context.Context, group string) ([]string, error) {
	keys := make([]string, s.book.Load().places[group])
	for i := range keys {
		keys[i] = seatKey(group, i)
	}
	records, err := s.read(ctx, keys)
	if err != nil {
		return nil, err
	}
	free := keys[:0:0]
	for i, r := range records {
		if r.Remaining == 0 {
			free = append(free, keys[i])
		}
	}
	rand.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	return free, nil
}

// sit keeps a seat until leave is called, which gives it back. The context ends
// when the seat is lost.
func (s *Scheduler) sit(seat *election.Lease) (_ context.Context, leave func()) {
	if seat == nil {
		return context.Background(), func() {}
	}
	ctx, stop := seat.Keep(context.Background())
	return ctx, func() {
		stop()
		s.vacate(seat)
	}
}

// vacate gives a seat back; if the store does not hear it, the seat expires.
func (s *Scheduler) vacate(seat *election.Lease) {
	if seat != nil {
		seat.End(s.crew.closing, election.OutcomeSucceeded, func(election.Outcome, error) {})
	}
}
