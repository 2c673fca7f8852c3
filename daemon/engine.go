package daemon

import (
	"context"
	"fmt"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// newEngine makes the engine of replica id with all jobs of cfg.
func newEngine(cfg *config.Config, deps Deps, id string) (*scheduler.Scheduler, error) {
	store, observers := election.Store(deps.Store), []scheduler.Observer(nil)
	if deps.Metrics != nil {
		store = deps.Metrics.WrapStore(store)
		deps.Metrics.Expect(names(cfg.Jobs))
		observers = append(observers, deps.Metrics)
	}
	observers = append(observers, telemetry.NewLog(deps.Log))
	observers = append(observers, deps.Observers...)

	lease := cfg.Lease.Election()
	lease.Clock = deps.Clock
	elector, err := election.New(store, id, lease)
	if err != nil {
		return nil, err
	}
	settings := scheduler.Config{Replica: id, Grace: cfg.ShutdownGrace, Ledger: deps.Store}
	if deps.Members != nil {
		settings.Peers = deps.Members
	}
	engine := scheduler.New(elector, settings, observers...)
	for _, j := range cfg.Jobs {
		if err := engine.AddSchedule(j.Schedule, j.Job); err != nil {
			return nil, err
		}
	}
	return engine, nil
}

func names(list []config.Job) []string {
	out := make([]string, len(list))
	for i, j := range list {
		out[i] = j.Name
	}
	return out
}

// gated is the engine as the API sees it: it triggers nothing before the
// replica has begun, as nothing runs before the store has answered.
type gated struct {
	*scheduler.Scheduler
	health *health
}

// Trigger runs job now.
func (g gated) Trigger(ctx context.Context, job, by string) (jobs.Run, error) {
	if _, err := g.Job(job); err != nil {
		return jobs.Run{}, err
	}
	if !g.health.started() {
		return jobs.Run{}, fmt.Errorf("job %q: %w: %w", job, scheduler.ErrNoAnswer, errStarting)
	}
	return g.Scheduler.Trigger(ctx, job, by)
}
