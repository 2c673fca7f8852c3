package memjournal

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/internal/limit"
)

// Put implements scheduler.Requests. It keeps none if one is not acceptable.
func (j *Journal) Put(_ context.Context, requests []scheduler.Request) ([]bool, error) {
	kept := make([]scheduler.Request, len(requests))
	for i, r := range requests {
		var err error
		if kept[i], err = limit.Request(r); err != nil {
			return nil, err
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.now()
	j.queue.prune(now)
	fresh := make([]bool, len(kept))
	var full error
	for i, r := range kept {
		var err error
		if fresh[i], err = j.queue.put(r, now); err != nil {
			full = err
		}
	}
	return fresh, full
}

// Poll implements scheduler.Requests, for a limit of 1 to journal.MaxPoll.
func (j *Journal) Poll(_ context.Context, most int) (scheduler.Inbox, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	most = min(max(most, 1), journal.MaxPoll)
	now := j.now()
	in := scheduler.Inbox{Now: now, Stops: j.wishes(most)}
	waiting := j.queue.list(func(a ask) bool { return a.Token == 0 })
	due, _ := slices.BinarySearchFunc(waiting, now, func(a ask, now time.Time) int {
		if a.since.After(now) {
			return 1
		}
		return -1
	})
	in.Due = requests(waiting[:due], most)
	if due < len(waiting) {
		in.Next = waiting[due].since.Sub(now)
	}
	in.Begun = requests(j.queue.list(func(a ask) bool { return a.Token != 0 }), most)
	return in, nil
}

func (j *Journal) wishes(most int) []scheduler.Stop {
	var all []wish
	for _, w := range j.queue.stops {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b wish) int {
		return cmp.Or(a.since.Compare(b.since), cmp.Compare(a.Run, b.Run))
	})
	var stops []scheduler.Stop
	for _, w := range all[:min(most, len(all))] {
		stops = append(stops, w.Stop)
	}
	return stops
}

// Queued implements journal.Journal.
func (j *Journal) Queued(_ context.Context, most int) ([]scheduler.Request, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return requests(j.queue.list(func(a ask) bool { return a.Token == 0 }), limit.Count(most, journal.MaxQueued)), nil
}

// Begin implements scheduler.Requests.
func (j *Journal) Begin(_ context.Context, begins []scheduler.Begin) ([]scheduler.Beginning, error) {
	if err := limit.Begins(begins); err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	out := make([]scheduler.Beginning, len(begins))
	for i, b := range begins {
		a, known := j.queue.asks[b.ID]
		switch {
		case !known:
			out[i] = scheduler.Gone
		case a.Token == 0:
			a.Token, a.since = b.Token, j.now()
			j.queue.asks[b.ID] = a
			out[i] = scheduler.Begun
		case a.Token == b.Token:
			out[i] = scheduler.Begun
		default:
			out[i] = scheduler.Occupied
		}
	}
	return out, nil
}

// PutBack implements scheduler.Requests. The NotBefore of a request that was put
// back is the end of the pause.
func (j *Journal) PutBack(_ context.Context, begins []scheduler.Begin, pause time.Duration) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	due := j.now().Add(limit.Pause(pause))
	for _, b := range begins {
		if a, known := j.queue.asks[b.ID]; known && (a.Token == 0 || a.Token == b.Token) {
			a.Token, a.since, a.NotBefore = 0, due, due
			j.queue.asks[b.ID] = a
		}
	}
	return nil
}

// Withdraw implements scheduler.Requests.
func (j *Journal) Withdraw(_ context.Context, id string) (scheduler.Request, bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	a, known := j.queue.asks[id]
	if !known || a.Token != 0 {
		return scheduler.Request{}, false, nil
	}
	j.queue.forget(id, j.now())
	return a.Request, true, nil
}

// Settle implements scheduler.Requests.
func (j *Journal) Settle(_ context.Context, ids []string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, id := range ids {
		j.queue.forget(id, j.now())
		delete(j.queue.stops, id)
	}
	return nil
}

// Stop implements scheduler.Requests. The first wish to end a run stands.
func (j *Journal) Stop(_ context.Context, stop scheduler.Stop) error {
	stop, err := limit.Stop(stop)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, known := j.queue.stops[stop.Run]; known {
		return nil
	}
	if len(j.queue.stops) >= journal.MaxStops {
		return journal.ErrFull
	}
	j.queue.stops[stop.Run] = wish{Stop: stop, since: j.now()}
	return nil
}
