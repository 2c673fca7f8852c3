package journal

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/solocron/solocron/scheduler"
)

const (
	// FeedRate is how many happenings a replica tells one by one in a second; what
	// goes beyond is told as a Burst.
	FeedRate = 500
	// FeedEvery is how long happenings are collected for one batch.
	FeedEvery = 100 * time.Millisecond
	// FeedPulse is how often whoever follows is called when nothing happens.
	FeedPulse = 5 * time.Second
)

var (
	// ErrFeedGap means that something after the place is no longer kept.
	ErrFeedGap = errors.New("what happened after that place is no longer kept")
	// ErrFeedSlow means that whoever followed took too long with what was handed on.
	ErrFeedSlow = errors.New("too slow to follow what happens")
	// ErrFeedEnded means that this replica no longer reads what happens.
	ErrFeedEnded = errors.New("this replica no longer follows what happens")
)

// Feed tells the cluster what happens on this replica, and whoever follows it what
// happens on all. Make it with NewFeed, add it to the observers, and let Run run
// until after the last of them has spoken. Nobody waits for it: it writes behind,
// at most one batch every FeedEvery, and while nobody follows it reads nothing.
type Feed struct {
	batches Batches
	replica string

	mu    sync.Mutex
	queue feedQueue
	more  chan struct{} // there is something to write

	hub *hub
}

// NewFeed returns the feed of a replica over batches that it shares with the others.
func NewFeed(batches Batches, replica string) *Feed {
	return &Feed{
		batches: batches, replica: replica, more: make(chan struct{}, 1),
		queue: feedQueue{noted: make(map[string]int), tally: make(map[tallied]int)},
		hub:   &hub{ears: make(map[*ear]struct{}), wake: make(chan struct{}, 1)},
	}
}

// Observe takes what people want to see. It does no I/O.
func (f *Feed) Observe(e scheduler.Event) {
	for _, h := range Of(e) {
		f.Say(h)
	}
}

// Say tells what an Event does not. Without a moment or a replica it is about
// this moment and this replica. It does no I/O.
func (f *Feed) Say(h Happening) {
	now := time.Now()
	if h.At.IsZero() {
		h.At = now
	}
	if h.Replica == "" {
		h.Replica = f.replica
	}
	h = h.cut()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queue.put(h, now)
	ring(f.more)
}

// Tallied is how many happenings of this replica were not told one by one, or not
// at all. It only grows.
func (f *Feed) Tallied() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.queue.tallied
}

// Now returns the place of what happened last.
func (f *Feed) Now(ctx context.Context) (Place, error) {
	last, there, err := f.batches.Last(ctx)
	if err != nil || !there {
		return Place{}, err
	}
	told := unpack(last)
	return Place{last.ID, max(len(told)-1, 0)}, nil
}
