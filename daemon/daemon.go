package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// Daemon is one replica.
type Daemon struct {
	id       string
	engine   *scheduler.Scheduler
	deps     Deps
	jobs     definitions
	output   *journal.Output // nil: what runs print is not kept
	health   *health
	sentry   *sentry
	inspect  func(context.Context) // once, at the start
	log      *slog.Logger
	listener net.Listener // nil: there is no HTTP
	server   *http.Server
}

// New assembles a replica and binds its HTTP listener, so that Addr is known;
// with an empty cfg.Admin.Listen there is none. It asks the store nothing. A
// Daemon that was made must be Run, or the listener stays bound.
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
	all := define(cfg.Jobs)
	output := newOutput(deps.Memory, all)
	log := deps.Log.With("replica", id)
	store, fit := guard(deps.Store, deps.Metrics, log), &fitness{most: cfg.Clock.MaxOffset, metrics: deps.Metrics, log: log}
	engine, err := newEngine(cfg, deps, id, store, fit.Fit, output)
	if err != nil {
		return nil, err
	}
	d := &Daemon{id: id, engine: engine, deps: deps, jobs: all, output: output, log: log}
	d.health = &health{others: []func() error{fit.Fit, func() error { return broken(store.State()) }}}
	d.sentry = &sentry{store: deps.Store, health: d.health, fit: fit, log: log}
	d.inspect = inspector(cfg, deps.Store, log)
	if cfg.Admin.Listen == "" {
		return d, nil
	}
	d.server = admin.New(d.Admin()).Server()
	if d.listener, err = net.Listen("tcp", cfg.Admin.Listen); err != nil {
		return nil, fmt.Errorf("admin.listen: %w", err)
	}
	return d, nil
}

// Replica returns the id of this replica.
func (d *Daemon) Replica() string { return d.id }

// Addr returns where the HTTP listener is bound; "" if there is none.
func (d *Daemon) Addr() string {
	if d.listener == nil {
		return ""
	}
	return d.listener.Addr().String()
}

// Ready returns nil while this replica can run jobs, else why it cannot.
func (d *Daemon) Ready() error { return d.health.ready() }

// Engine returns what an API may show and steer of this replica.
func (d *Daemon) Engine() admin.Engine { return gated{d.engine, d.health} }

// Admin returns what an API of this replica is made of.
func (d *Daemon) Admin() admin.Deps {
	return admin.Deps{
		Engine: d.Engine(), Ledger: d.deps.Store, Memory: d.deps.remembered(), Define: d.jobs.find,
		Ready: d.Ready, Metrics: d.deps.MetricsHandler, Log: d.log,
	}
}

// Run serves, waits for the store, and runs jobs until ctx ends or the
// listener fails. Then the replica leaves its peers, lets its runs end as the
// configuration allows, and closes what it opened, last opened first. A clean
// stop returns nil.
func (d *Daemon) Run(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	undo := &teardown{log: d.log}
	defer func() { err = errors.Join(err, undo.run()) }()
	d.serve(undo, cancel)
	context.AfterFunc(ctx, d.health.stop)

	if d.sentry.await(ctx) {
		d.keepOutput(ctx, undo)
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

// listenerError ends a replica whose HTTP listener failed: nobody could steer
// or probe it any more.
type listenerError struct{ err error }

func (e *listenerError) Error() string { return "http listener: " + e.err.Error() }
func (e *listenerError) Unwrap() error { return e.err }

// serve answers HTTP until undo runs.
func (d *Daemon) serve(undo *teardown, cancel context.CancelCauseFunc) {
	if d.listener == nil {
		return
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := d.server.Serve(d.listener); !errors.Is(err, http.ErrServerClosed) {
			cancel(&listenerError{err})
		}
	})
	d.log.Info("listening", "addr", d.Addr())
	undo.push("http listener", func(ctx context.Context) error {
		defer serving.Wait()
		if err := d.server.Shutdown(ctx); err != nil {
			return errors.Join(err, d.server.Close())
		}
		return nil
	})
}

// attend makes this replica known to its peers, answers them and keeps an eye on
// the store, all until ctx ends.
func (d *Daemon) attend(ctx context.Context, undo *teardown) {
	var attending sync.WaitGroup
	attending.Go(func() { d.sentry.watch(ctx) })
	attending.Go(func() { d.inspect(ctx) })
	if m := d.deps.Members; m != nil {
		attending.Go(func() {
			err := m.Run(ctx, d.engine.Hear)
			if err != nil && ctx.Err() == nil {
				d.log.Error("membership ended; this replica asks the store for every tick", "err", err)
			}
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
	undo.push("membership", func(ctx context.Context) error { return wait(ctx, &attending) })
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
