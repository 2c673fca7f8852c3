package admin

import (
	"context"
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// evidence is all that is known of a tick.
type evidence struct {
	job       string
	tick, now time.Time
	zone      *time.Location
	moment    scheduler.Moment
	row       *scheduler.Row // nil: nothing is recorded
	told      time.Time      // up to here every tick of the job has a row, or had
	gate      election.Gate
	suspended bool
	seen      map[string][]journal.Sighting
	silent    []string
}

// evidence asks everybody who may know something.
func (a *API) evidence(ctx context.Context, job string, at time.Time, m scheduler.Moment) (*evidence, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	e := &evidence{job: job, tick: at, now: a.Now(), zone: zoneOf(m.TimeZone), moment: m}
	row, known, err := a.Memory.Journal.Find(ctx, tickID(job, at))
	if err != nil {
		return nil, silent(err)
	}
	if known {
		e.row = &row
	}
	told, err := a.Memory.Journal.Told(ctx, []string{job})
	if err != nil || len(told) != 1 {
		return nil, silent(fmt.Errorf("watermark of %s: %w", job, err))
	}
	e.told = told[0]
	if e.now.Before(at) {
		for _, r := range a.records(ctx, []string{job}) {
			e.gate = r.Gate
		}
		if status, err := a.Engine.Job(job); err == nil {
			e.suspended = status.Suspend
		}
		return e, nil
	}
	if m.IsTick || known {
		e.seen, e.silent = a.ask(ctx, job, at)
	}
	return e, nil
}

// zoneOf is the zone with this name, which a schedule has loaded before.
func zoneOf(name string) *time.Location {
	if zone, err := time.LoadLocation(name); err == nil {
		return zone
	}
	return time.UTC
}

// ask asks the replicas what they saw. What it is not told it does without.
func (a *API) ask(ctx context.Context, job string, at time.Time) (seen map[string][]journal.Sighting, quiet []string) {
	if a.Memory.Inquiry == nil {
		return nil, nil
	}
	var expect []string
	if a.Memory.Members != nil {
		live, err := a.Memory.Members.Replicas(ctx)
		if err != nil {
			a.logs(ctx).Warn("replicas not listed", "job", job, "err", err)
		}
		for _, m := range live {
			expect = append(expect, m.ID)
		}
	}
	seen, err := a.Memory.Inquiry.Ask(ctx, job, at, expect)
	if err != nil {
		a.logs(ctx).Warn("replicas not asked", "job", job, "err", err)
	}
	for _, id := range expect {
		if _, answered := seen[id]; !answered {
			quiet = append(quiet, id)
		}
	}
	return seen, quiet
}
