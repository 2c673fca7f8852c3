package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

const (
	scribeGroup = 512     // notes in one write
	scribeLimit = 100_000 // notes that wait at most: some minutes without a journal in a busy cluster
	scribeTry   = 2 * time.Second
)

// A scribe writes to the journal what has happened: what is queued in one group,
// while the next one collects. It never keeps a run waiting. What it could not
// write when the process died is found out by the janitor.
type scribe struct {
	journal Journal // nil: nothing is written
	tell    func(Event)
	streak  func(n *note, failures int) // told of each failure of a job in a row
	ring    func(context.Context)       // called when requests have been put that are due soon

	closing context.Context // ends what is being written at a shutdown
	stop    context.CancelFunc

	mu    sync.Mutex
	queue []*note
	busy  bool
	lost  int // notes that were dropped since the last write
	idle  sync.WaitGroup
}

// A note is one entry with what belongs to it.
type note struct {
	Entry
	entry    *entry
	requests []Request // put before the entry is recorded: it says that they are
	settle   []string  // settled after it
	void     bool      // not to be written: overtaken by a later note while it was queued
	taken    bool      // on its way
}

func newScribe(j Journal, tell func(Event), streak func(*note, int), ring func(context.Context)) *scribe {
	s := &scribe{journal: j, tell: tell, streak: streak, ring: ring}
	s.closing, s.stop = context.WithCancel(context.Background())
	return s
}

// put queues a note.
func (s *scribe) put(n *note) {
	if s.journal == nil {
		return
	}
	n.Keep = n.entry.keep
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) >= scribeLimit {
		s.queue[0] = nil
		s.queue = s.queue[1:]
		s.lost++
	}
	s.queue = append(s.queue, n)
	if !s.busy {
		s.busy = true
		s.idle.Go(s.write)
	}
}

// overtake voids a note that has not been taken yet: the run it told the begin of
// has ended meanwhile, and one write is enough.
func (s *scribe) overtake(n *note) {
	if n == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n.void = !n.taken
}

// write writes until the queue is empty.
func (s *scribe) write() {
	for group := s.take(); group != nil; group = s.take() {
		for tries := 1; ; tries++ {
			err := s.commit(group)
			if err == nil {
				break
			}
			pause := retryPause.Pause(tries, rand.Float64())
			s.tell(Event{Phase: Waiting, Err: fmt.Errorf("journal: %w", err), Retry: pause, Note: s.backlog(len(group))})
			if !pauseFor(s.closing, pause) {
				return
			}
		}
	}
}

func (s *scribe) backlog(taken int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("the journal gave no answer; %d entries wait, %d were dropped", taken+len(s.queue), s.lost)
}

// take removes the next group; nil ends the writing.
func (s *scribe) take() []*note {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) > 0 {
		var group []*note
		n := min(len(s.queue), scribeGroup)
		for _, note := range s.queue[:n] {
			if !note.void {
				note.taken = true
				group = append(group, note)
			}
		}
		s.queue = s.queue[n:]
		if len(group) > 0 {
			return group
		}
	}
	s.busy, s.queue, s.lost = false, nil, 0
	return nil
}

// commit writes one group. Each step is safe to repeat, and an entry is recorded
// only when the requests that it speaks of are kept.
func (s *scribe) commit(group []*note) error {
	ctx, cancel := context.WithTimeout(s.closing, scribeTry)
	defer cancel()
	var requests []Request
	var settled []string
	entries := make([]Entry, len(group))
	for i, n := range group {
		requests = append(requests, n.requests...)
		settled = append(settled, n.settle...)
		entries[i] = n.Entry
	}
	if len(requests) > 0 {
		if _, err := s.journal.Put(ctx, requests); err != nil {
			return fmt.Errorf("put %d requests: %w", len(requests), err)
		}
		if slices.ContainsFunc(requests, dueSoon) {
			s.ring(ctx)
		}
	}
	recorded, err := s.journal.Record(ctx, entries)
	for i, r := range recorded {
		if r.Fresh && group[i].Row.Verdict.failure() {
			s.streak(group[i], r.Streak)
		}
	}
	if err != nil {
		return fmt.Errorf("record %d entries: %w", len(entries), err)
	}
	if len(settled) > 0 {
		if err := s.journal.Settle(ctx, settled); err != nil {
			return fmt.Errorf("settle %d requests: %w", len(settled), err)
		}
	}
	return nil
}

// dueSoon reports whether a request may come due before anybody looks by itself.
func dueSoon(q Request) bool { return q.NotBefore.Sub(q.Made) < time.Second }

// close waits until all is written, for up to limit.
func (s *scribe) close(limit time.Duration) {
	patience := time.AfterFunc(limit, s.stop)
	s.idle.Wait()
	patience.Stop()
	s.stop()
}
