package daemon

import (
	"context"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// tellingJournal tells what is requested. What becomes of it is told by events.
type tellingJournal struct {
	scheduler.Journal
	feed *journal.Feed
}

// Put keeps requests, and tells of those that are new. That of a retry is told
// with the attempt before it.
func (j tellingJournal) Put(ctx context.Context, requests []scheduler.Request) ([]bool, error) {
	fresh, err := j.Journal.Put(ctx, requests)
	for i := range fresh {
		if q := &requests[i]; fresh[i] && q.Cause != scheduler.ByRetry {
			j.feed.Say(journal.Happening{
				Topic: journal.AboutRun, Phase: journal.Queued, Job: q.Job, Run: q.Run, Tick: q.Tick, Cause: q.Cause, By: q.By, Note: q.Note,
			})
		}
	}
	return fresh, err
}

// Stop keeps the wish to end a run, and tells of it.
func (j tellingJournal) Stop(ctx context.Context, stop scheduler.Stop) error {
	err := j.Journal.Stop(ctx, stop)
	if job, tick, ok := scheduler.JobOf(stop.Run); err == nil && ok {
		j.feed.Say(journal.Happening{
			Topic: journal.AboutRun, Phase: journal.Stopping, Job: job, Run: stop.Run, Tick: tick, Reason: stop.Reason, By: stop.By, Note: stop.Note,
		})
	}
	return err
}

// tellingLedger tells which jobs are paused and resumed, by whomever.
type tellingLedger struct {
	scheduler.Ledger
	feed *journal.Feed
}

// SetGate closes key for ticks, or opens it, and tells of it.
func (l tellingLedger) SetGate(ctx context.Context, key string, gate election.Gate) error {
	if err := l.Ledger.SetGate(ctx, key, gate); err != nil {
		return err
	}
	phase := journal.Resumed
	if gate.Closed {
		phase = journal.Paused
	}
	l.feed.Say(journal.Happening{
		Topic: journal.AboutJob, Phase: phase, Job: key, By: gate.By, Note: gate.Reason, Until: gate.Until,
	})
	return nil
}
