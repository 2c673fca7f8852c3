package daemon

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// Daemon is one replica.
type Daemon struct {
	id      string
	engine  *scheduler.Scheduler
	deps    Deps
	configs *configs
	reloads *reloads        // nil: the configuration is read once
	output  *journal.Output // nil: what runs print is not kept
	health  *health
	facts   facts
	sentry  *sentry
	inspect func(context.Context) // once, at the start
	log     *slog.Logger
	access  *access.Access // nil: whoever is on this machine may do everything
	doors   []door         // none: there is no HTTP
}

// New assembles a replica and binds its HTTP listeners, so that Addr is known;
// with an empty cfg.Admin.Listen there are none. It asks the store nothing. It fails
// if from another machine everybody could do everything, and that was not asked for.
// A Daemon that was made must be Run, or the listeners stay bound.
func New(cfg *config.Config, deps Deps) (*Daemon, error) {
	if deps.Store == nil {
		return nil, errors.New("daemon: no store")
	}
	if deps.Log == nil {
		deps.Log = slog.New(slog.DiscardHandler)
	}
	id := deps.Replica
	if id == "" {
		id = ReplicaID(cfg.Replica)
	}
	deps = alerted(deps)
	known := newConfigs(cfg, deps.File)
	output := newOutput(deps.Memory, known.logLimit)
	log := deps.Log.With("replica", id)
	store, fit := guard(deps.Store, deps.Metrics, log), &fitness{most: cfg.Clock.MaxOffset, metrics: deps.Metrics, log: log}
	engine, err := newEngine(cfg, deps, id, store, fit.Fit, output)
	if err != nil {
		return nil, err
	}
	d := &Daemon{id: id, engine: engine, deps: deps, configs: known, output: output, log: log}
	d.reloads = newReloads(cfg, deps, engine, known, log)
	d.health = &health{others: []func() error{fit.Fit, func() error { return broken(store.State()) }}}
	d.facts = newFacts(cfg, deps.Store, store.State)
	d.sentry = &sentry{store: deps.Store, health: d.health, fit: fit, log: log}
	d.inspect = inspector(cfg, deps.Store, log)
	if d.access, err = newAccess(cfg.Admin, deps.Elsewhere, log); err != nil {
		return nil, err
	}
	if d.doors, err = open(cfg.Admin, d.Admin(), log); err != nil {
		return nil, err
	}
	return d, nil
}

// Replica returns the id of this replica.
func (d *Daemon) Replica() string { return d.id }

// Addr returns where the HTTP listener of the API is bound; "" if there is none.
func (d *Daemon) Addr() string { return d.addr(0) }

// ProbesAddr returns where the listener of the probes is bound; "" if they have none
// of their own.
func (d *Daemon) ProbesAddr() string { return d.addr(1) }

func (d *Daemon) addr(i int) string {
	if i >= len(d.doors) {
		return ""
	}
	return d.doors[i].listener.Addr().String()
}

// Ready returns nil while this replica can run jobs, else why it cannot.
func (d *Daemon) Ready() error { return d.health.ready() }

// Engine returns what an API may show and steer of this replica.
func (d *Daemon) Engine() admin.Engine { return gated{d.engine, d.health} }

// Run serves, waits for the store, and runs jobs until ctx ends or the
// listener fails. Then the replica leaves its peers, lets its runs end as the
// configuration allows, and closes what it opened, last opened first. A clean
// stop returns nil.
func (d *Daemon) Run(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	undo := &teardown{log: d.log}
	defer func() { err = errors.Join(err, undo.run()) }()
	d.serve(undo, cancel)
	d.keepUp(ctx, undo)
	context.AfterFunc(ctx, d.health.stop)

	if d.sentry.await(ctx) {
		d.keepOutput(ctx, undo)
		d.tell(ctx, undo)
		d.alert(ctx, undo)
		d.attend(ctx, undo)
		d.log.Info("replica runs")
		err = d.engine.Run(ctx)
	}
	cancel(nil)
	if failed, ok := errors.AsType[*listenerError](context.Cause(ctx)); ok {
		err = errors.Join(err, failed)
	}
	d.log.Info("replica stopped")
	return err
}

// attend makes this replica known to its peers, answers them and keeps an eye on
// the store, all until ctx ends. Then its peers know that it drains; it leaves them
// when undo runs, which is after the last of its runs.
func (d *Daemon) attend(ctx context.Context, undo *teardown) {
	var attending sync.WaitGroup
	belonging, leave := context.WithCancel(context.WithoutCancel(ctx))
	attending.Go(func() { d.sentry.watch(ctx) })
	attending.Go(func() { d.inspect(ctx) })
	if m := d.deps.Metrics; m != nil {
		attending.Go(func() { m.Watch(ctx, d.sources()) })
	}
	if m := d.deps.Members; m != nil {
		stop := context.AfterFunc(ctx, m.Drain)
		attending.Go(func() {
			err := m.Run(belonging, d.engine.Hear)
			if err != nil && ctx.Err() == nil {
				d.log.Error("membership ended; this replica asks the store for every tick", "err", err)
			}
			stop()
		})
		attending.Go(func() { d.tellOffset(ctx) })
	}
	if m := d.deps.Memory; m != nil && m.Inquiry != nil {
		attending.Go(func() {
			if err := m.Inquiry.Run(ctx); err != nil && ctx.Err() == nil {
				d.log.Error("this replica does not answer what it saw of ticks", "err", err)
			}
		})
	}
	undo.push("membership", func(ctx context.Context) error {
		leave()
		return wait(ctx, &attending)
	})
}

// offsetEvery is how often the others are told what the clock of this replica is
// ahead of the store's.
const offsetEvery = 5 * time.Second

// tellOffset passes on the offset of the clock, as it is measured, until ctx ends.
func (d *Daemon) tellOffset(ctx context.Context) {
	for d.deps.Metrics != nil && sleep(ctx, offsetEvery) {
		d.deps.Members.SetOffset(-d.deps.Metrics.ClockOffset())
	}
}

// wait returns when all of wg are done, or ctx ends first.
func wait(ctx context.Context, wg *sync.WaitGroup) error {
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
