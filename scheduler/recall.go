package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

const recallBatch = 2048

// recall sets every cursor by the ledger, trying until the store answers; false
// if ctx ended first.
func (s *Scheduler) recall(ctx context.Context) bool {
	for rest := s.book.entries; len(rest) > 0; {
		batch := rest[:min(len(rest), recallBatch)]
		for tries := 1; ; tries++ {
			err := s.recallBatch(ctx, batch)
			if err == nil {
				break
			}
			pause := retryPause.Pause(tries, rand.Float64())
			s.observe(Event{Phase: Waiting, Err: err, Retry: pause, Note: "the lease store gave no answer; nothing runs until it does"})
			select {
			case <-ctx.Done():
				return false
			case <-time.After(pause):
			}
		}
		rest = rest[len(batch):]
	}
	return ctx.Err() == nil
}

func (s *Scheduler) recallBatch(ctx context.Context, batch []*entry) error {
	names, defs := make([]string, len(batch)), make([]Definition, len(batch))
	for i, e := range batch {
		names[i], defs[i] = e.job.Name, e.definition()
	}
	records, err := s.read(ctx, names)
	if err != nil {
		return err
	}
	adopted := make([]Adopted, len(batch))
	if s.cfg.Journal != nil {
		ctx, cancel := context.WithTimeout(ctx, readTry)
		defer cancel()
		if adopted, err = s.cfg.Journal.Adopt(ctx, defs); err != nil {
			return fmt.Errorf("adopt the definitions: %w", err)
		}
	}
	now := s.cfg.Now()
	for i, e := range batch {
		e.moveTo(resume(records[i], adopted[i], e.group.def, now), now)
		s.elector.Heard(names[i], records[i].Decided)
	}
	return nil
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
