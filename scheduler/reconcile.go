package scheduler

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	reconcileEvery = 5 * time.Second
	reconcileTry   = 5 * time.Second
	reconcileGap   = 500 * time.Millisecond // between two, however many claims are superseded
	// uneasy is for how long after a new configuration was seen all definitions are
	// looked at: whoever brought it may not have written its own yet.
	uneasy = time.Minute
)

// keepOrder looks regularly, and whenever a claim was superseded, whether another
// configuration has become the newest, or this one has, until ctx ends.
func (s *Scheduler) keepOrder(ctx context.Context) {
	timer := time.NewTimer(reconcileEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.outdated:
		case <-timer.C:
		}
		if err := s.reconcile(ctx); err != nil && ctx.Err() == nil {
			s.observe(Event{Phase: Waiting, Err: fmt.Errorf("generations: %w", err), Retry: reconcileEvery, Note: "which configuration is the newest is not known anew"})
		}
		pauseFor(ctx, reconcileGap)
		timer.Reset(reconcileEvery)
	}
}

// reconcile enrols again, and asks for the standing of the jobs: of all of them if
// something has changed, else of those for which this replica stands down.
func (s *Scheduler) reconcile(ctx context.Context) error {
	s.reform.Lock()
	defer s.reform.Unlock()
	ctx, cancel := context.WithTimeout(ctx, reconcileTry)
	defer cancel()
	b := s.book.Load()
	g, err := s.enrol(ctx, b, 0)
	if err != nil {
		return err
	}
	entries := b.entries
	if !s.order.note(g, time.Now()) {
		entries = asleep(entries)
	}
	h := &handover{done: make(chan struct{})}
	for batch := range slices.Chunk(entries, recallBatch) {
		turns, err := s.stand(ctx, batch, g.Generation, false)
		if err != nil {
			return err
		}
		h.turns = append(h.turns, turns...)
	}
	if err := s.outrank(ctx, b, h.turns); err != nil || len(h.turns) == 0 {
		return err
	}
	return s.handOver(ctx, h)
}

// asleep are those for which this replica stands down.
func asleep(entries []*entry) []*entry {
	var list []*entry
	for _, e := range entries {
		if e.asleep.Load() {
			list = append(list, e)
		}
	}
	return list
}

// outrank deals with jobs for which a claim was superseded though the journal says
// that their definition is in force: it has lost data, and their leases would wait for
// a newer definition for ever. They are defined anew, above what the leases know.
func (s *Scheduler) outrank(ctx context.Context, b *book, turns []turn) error {
	var names []string
	var epochs []int64
	for _, t := range turns {
		if t.entry.asleep.Load() && !t.asleep {
			names, epochs = append(names, t.entry.job.Name), append(epochs, t.epoch)
		}
	}
	records, err := s.readAll(ctx, names)
	if err != nil {
		return err
	}
	outranked, above := higher(names, records, epochs)
	if len(outranked) == 0 {
		return nil
	}
	if err := s.cfg.Generations.Forget(ctx, outranked); err != nil {
		return fmt.Errorf("define anew: %w", err)
	}
	_, err = s.enrol(ctx, b, above)
	ring(s.outdated)
	return err
}

// higher lists the jobs whose records have a higher epoch than their definitions, and
// the highest of these.
func higher(names []string, records []election.Record, epochs []int64) (outranked []string, above int64) {
	for i := range records {
		if records[i].Epoch > epochs[i] {
			outranked, above = append(outranked, names[i]), max(above, records[i].Epoch)
		}
	}
	return outranked, above
}
