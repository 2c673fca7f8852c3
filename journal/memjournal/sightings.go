package memjournal

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/solocron/solocron/journal"
)

// Inquiries is where replicas of one process ask each other.
type Inquiries struct {
	mu      sync.RWMutex
	running map[string]*journal.Sightings
}

// NewInquiries returns Inquiries that nobody has joined.
func NewInquiries() *Inquiries { return &Inquiries{running: make(map[string]*journal.Sightings)} }

// Inquiry is the side of one replica.
type Inquiry struct {
	all     *Inquiries
	replica string
	seen    *journal.Sightings
}

// Join returns the side of replica, which has seen what seen says. It answers
// while its Run runs.
func (q *Inquiries) Join(replica string, seen *journal.Sightings) *Inquiry {
	return &Inquiry{all: q, replica: replica, seen: seen}
}

// Run implements journal.Inquiry. A second replica with the same ID is refused.
func (q *Inquiry) Run(ctx context.Context) error {
	if err := q.enter(); err != nil {
		return err
	}
	defer q.leave()
	<-ctx.Done()
	return nil
}

func (q *Inquiry) enter() error {
	q.all.mu.Lock()
	defer q.all.mu.Unlock()
	if _, taken := q.all.running[q.replica]; taken {
		return fmt.Errorf("replica %q answers already", q.replica)
	}
	q.all.running[q.replica] = q.seen
	return nil
}

func (q *Inquiry) leave() {
	q.all.mu.Lock()
	defer q.all.mu.Unlock()
	delete(q.all.running, q.replica)
}

// Ask implements journal.Inquiry. It does not wait: who is not running will
// hardly be.
func (q *Inquiry) Ask(ctx context.Context, job string, tick time.Time, _ []string) (map[string][]journal.Sighting, error) {
	answers := map[string][]journal.Sighting{q.replica: q.seen.Seen(job, tick)}
	if ctx.Err() != nil {
		return answers, context.Cause(ctx)
	}
	q.all.mu.RLock()
	defer q.all.mu.RUnlock()
	for id, seen := range q.all.running {
		answers[id] = seen.Seen(job, tick)
	}
	return answers, nil
}
