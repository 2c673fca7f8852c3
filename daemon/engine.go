package daemon

import (
	"context"
	"fmt"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// newEngine makes the engine of replica id with all jobs of cfg, which claims on
// store, as long as fit returns nil. Output, which may be nil, is told what runs print.
func newEngine(cfg *config.Config, deps Deps, id string, store election.Store, fit func() error, output *journal.Output) (*scheduler.Scheduler, error) {
	if deps.Metrics != nil {
		deps.Metrics.Configure(cfg)
	}
	lease := cfg.Lease.Election()
	lease.Clock = deps.Clock
	elector, err := election.New(store, id, lease)
	if err != nil {
		return nil, err
	}
	reverifyOnChange(deps.Store, elector, deps.Metrics, deps.Log.With("replica", id))
	with := settings(cfg, deps, id)
	with.Fit = fit
	engine := scheduler.New(elector, with, observers(deps, output)...)
	if _, err := engine.Reload(context.Background(), setOf(cfg, deps.Trace)); err != nil { // asks nobody before it runs
		return nil, err
	}
	return engine, nil
}

func settings(cfg *config.Config, deps Deps, id string) scheduler.Config {
	s := scheduler.Config{
		Replica: id, Grace: cfg.ShutdownGrace, Ledger: deps.Store, MaxConcurrent: cfg.MaxConcurrent,
	}
	if deps.Members != nil {
		s.Peers = deps.Members
	}
	if deps.Memory != nil {
		s.Journal = deps.Memory.Journal
		if g, ok := deps.Memory.Journal.(scheduler.Generations); ok {
			s.Generations = g
		}
	}
	if deps.Metrics != nil && s.Journal != nil {
		s.Journal = deps.Metrics.WrapJournal(s.Journal)
	}
	if feed := deps.feed(); feed != nil {
		s.Journal, s.Ledger = tellingJournal{s.Journal, feed}, tellingLedger{s.Ledger, feed}
	}
	return s
}

// observers are all that are told what happens, metrics and log first.
func observers(deps Deps, output *journal.Output) []scheduler.Observer {
	var all []scheduler.Observer
	if deps.Metrics != nil {
		all = append(all, deps.Metrics)
	}
	all = append(all, telemetry.NewLog(deps.Log))
	if output != nil {
		all = append(all, output)
	}
	if deps.Memory != nil && deps.Memory.Seen != nil {
		all = append(all, deps.Memory.Seen)
	}
	if feed := deps.feed(); feed != nil {
		all = append(all, feed)
	}
	return append(all, deps.Observers...)
}

// gated is the engine as the API sees it: it triggers nothing before the
// replica has begun, as nothing runs before the store has answered.
type gated struct {
	*scheduler.Scheduler
	health *health
}

// Trigger requests a run of job.
func (g gated) Trigger(ctx context.Context, job string, o scheduler.Order) (scheduler.Row, error) {
	if _, err := g.Job(job); err != nil {
		return scheduler.Row{}, err
	}
	if !g.health.started() {
		return scheduler.Row{}, fmt.Errorf("job %q: %w: %w", job, scheduler.ErrNoAnswer, errStarting)
	}
	return g.Scheduler.Trigger(ctx, job, o)
}
