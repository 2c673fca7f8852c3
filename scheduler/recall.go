package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

const recallBatch = 2048

// recall gives every job its standing, and its cursor by the ledger, trying until the
// store answers; false if ctx ended first.
func (s *Scheduler) recall(ctx context.Context) bool {
	s.reform.Lock()
	defer s.reform.Unlock()
	b := s.book.Load()
	for g, entries := range b.members() {
		g.entries = entries
	}
	var g Enrolled
	ok := s.insist(ctx, func() (err error) {
		g, err = s.enrol(ctx, b, 0)
		return err
	})
	s.order.note(g, time.Now())
	for batch := range slices.Chunk(b.entries, recallBatch) {
		ok = ok && s.insist(ctx, func() error { return s.recallBatch(ctx, batch, g.Generation) })
	}
	if len(b.entries) > recallBatch {
		runtime.GC() // a start leaves much behind; it is not to be collected in the first burst
	}
	return ok && ctx.Err() == nil
}

// insist does it again and again until it has been done; false if ctx ended first.
func (s *Scheduler) insist(ctx context.Context, do func() error) bool {
	for tries := 1; ; tries++ {
		err := do()
		if err == nil {
			return true
		}
		pause := retryPause.Pause(tries, rand.Float64())
		s.observe(Event{Phase: Waiting, Err: err, Retry: pause, Note: "the lease store gave no answer; nothing runs until it does"})
		if !pauseFor(ctx, pause) {
			return false
		}
	}
}

func (s *Scheduler) recallBatch(ctx context.Context, batch []*entry, generation int64) error {
	turns, err := s.stand(ctx, batch, generation, true)
	now := s.cfg.Now()
	for i := range turns {
		turns[i].apply(now)
	}
	return err
}

// readTry bounds one question to the ledger or the journal.
const readTry = 2 * time.Second

// read returns the records of keys; empty ones if there is no ledger.
func (s *Scheduler) read(ctx context.Context, keys []string) ([]election.Record, error) {
	if s.cfg.Ledger == nil {
		return make([]election.Record, len(keys)), nil
	}
	ctx, cancel := context.WithTimeout(ctx, readTry)
	defer cancel()
	records, err := s.cfg.Ledger.Read(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	return records, nil
}

// readAll is read for any number of keys.
func (s *Scheduler) readAll(ctx context.Context, keys []string) ([]election.Record, error) {
	all := make([]election.Record, 0, len(keys))
	for part := range slices.Chunk(keys, recallBatch) {
		records, err := s.read(ctx, part)
		if err != nil {
			return nil, err
		}
		all = append(all, records...)
	}
	return all, nil
}
