package scheduler

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

const (
	// settled is for how long all replicas must have had the same configuration before
	// a job that it does not have counts as removed.
	settled   = time.Minute
	tidyEvery = 5 * time.Minute
)

// estate is what the janitor knows of jobs that were removed: that nobody has them is
// certain only when all replicas have had one configuration for a while. Until then
// they are left alone.
type estate struct {
	revision string    // that all have
	since    time.Time // when they were first seen to; zero: they have not
	tidied   time.Time // when what such jobs leave behind was last removed
	ours     bool      // they have had it for long enough
}

// settleEstate looks whether all replicas have one configuration, and if so removes
// what jobs have left behind that it does not have: their definitions and checkpoints,
// the requests that wait for them, and a pause that would keep the record of their
// lease for ever. Their history stays.
func (j *janitor) settleEstate(ctx context.Context, inbox Inbox) error {
	now := j.s.cfg.Now()
	j.estate.ours = false
	b, others, err := j.s.roll(ctx)
	if err != nil || !j.s.generational(b) || !j.estate.agreed(b.revision, others, now) {
		return err
	}
	for _, q := range inbox.Due {
		if b.byName[q.Job] == nil {
			j.turnAway(ctx, q)
		}
	}
	if now.Sub(j.estate.tidied) < tidyEvery {
		return nil
	}
	if err := j.tidy(ctx, b); err != nil {
		return fmt.Errorf("what removed jobs have left behind: %w", err)
	}
	j.estate.tidied = now
	return nil
}

// agreed notes which revisions the others have, and reports whether all replicas have
// had this one for long enough.
func (t *estate) agreed(revision string, others []string, now time.Time) bool {
	differs := func(r string) bool { return r != revision }
	switch {
	case slices.ContainsFunc(others, differs):
		t.since = time.Time{}
		return false
	case t.since.IsZero() || t.revision != revision:
		t.revision, t.since, t.tidied = revision, now, time.Time{}
	}
	t.ours = now.Sub(t.since) >= settled
	return t.ours
}

// entry is that of a job; for one that nobody has any more, an empty one by which the
// verdicts on its last runs are given. Nil: it is for others to say.
func (j *janitor) entry(job string) *entry {
	if e := j.s.book.Load().byName[job]; e != nil {
		return e
	}
	if !j.estate.ours {
		return nil
	}
	return removedEntry(job)
}

func removedEntry(job string) *entry {
	e := newEntry(never{}, display{zone: time.UTC}, Spec{Job: jobs.Job{Name: job}})
	e.gone.Store(true)
	return e
}

const noteRemoved = "the job was removed"

// turnAway ends a request for a job that nobody has any more.
func (j *janitor) turnAway(ctx context.Context, q Request) {
	row := q.row()
	if q.Cause == ByRetry {
		of, known, err := j.s.cfg.Journal.Find(ctx, q.Run)
		if err != nil {
			return // the next sweep finds it again
		}
		if known {
			row = of
		}
	}
	if _, mine, err := j.s.cfg.Journal.Withdraw(ctx, q.ID); err != nil || !mine {
		return // somebody has begun it
	}
	row.State, row.Verdict, row.Ended, row.Error = RunEnded, Cancelled, j.s.cfg.Now(), noteRemoved
	if row.Replica == "" {
		row.Replica = j.s.cfg.Replica
	}
	j.s.observe(Event{Phase: Ended, Tick: tickOf(q), Verdict: Cancelled, Note: noteRemoved})
	j.s.scribe.put(&note{entry: removedEntry(q.Job), Entry: Entry{Row: row}, settle: []string{q.ID, q.Run}})
}

// tidy drops what is kept of jobs that b does not have.
func (j *janitor) tidy(ctx context.Context, b *book) error {
	names, err := j.s.cfg.Generations.Defined(ctx)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return b.byName[name] != nil })
	if len(names) == 0 {
		return nil
	}
	records, err := j.s.readAll(ctx, names)
	if err != nil {
		return err
	}
	for i := range records {
		if g := records[i].Gate; g.Closed && g.Until.IsZero() {
			if err := j.s.cfg.Ledger.SetGate(ctx, names[i], election.Gate{By: "janitor", Reason: noteRemoved}); err != nil {
				return err
			}
		}
	}
	return j.s.cfg.Generations.Forget(ctx, names)
}
