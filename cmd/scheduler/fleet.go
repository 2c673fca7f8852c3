package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// devReplicas are the names of the replicas of dev.
var devReplicas = []string{"replica-a", "replica-b", "replica-c"}

// successorAfter is how long the place of a crashed replica stays empty: long enough
// to be seen, and about as long as a pod takes to be started again.
const successorAfter = 5 * time.Second

// fleet is several replicas in one process, each with its own elector, connections
// and API, of which the first that lives answers.
type fleet struct {
	cfg     *config.Config
	file    string
	metrics http.Handler
	counted func(id string) *telemetry.Metrics // of a new replica
	log     *slog.Logger
	watch   scheduler.Observer
	turn    atomic.Uint32

	mu     sync.Mutex
	living []*member
}

func newFleet(cfg *config.Config, file string, log *slog.Logger, watch scheduler.Observer) (*fleet, error) {
	registry := telemetry.NewRegistry()
	f := &fleet{
		cfg: cfg, file: file, log: log, watch: watch, metrics: telemetry.Handler(registry),
		counted: func(id string) *telemetry.Metrics {
			return telemetry.NewMetrics(telemetry.Labelled(registry, "replica", id))
		},
	}
	for _, name := range devReplicas {
		m, err := f.newMember(name)
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
		f.living = append(f.living, m)
	}
	return f, nil
}

// members are the replicas that live, in a list of the caller's own. There is always one.
func (f *fleet) members() []*member {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.living)
}

// replicas are their daemons.
func (f *fleet) replicas() []*daemon.Daemon {
	var list []*daemon.Daemon
	for _, m := range f.members() {
		list = append(list, m.daemon)
	}
	return list
}

// run runs the replicas, and what comes in the place of those that crash, until ctx
// ends or one of them fails.
func (f *fleet) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, m := range f.members() {
		group.Go(func() error { return f.hold(ctx, m) })
	}
	return group.Wait()
}

// hold runs m and its successors.
func (f *fleet) hold(ctx context.Context, m *member) error {
	seat := m.daemon.Replica()
	var fallen sync.WaitGroup
	defer fallen.Wait()
	for generation := 2; ; generation++ {
		living, end := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- m.daemon.Run(living) }()
		select {
		case err := <-ended:
			end()
			return err
		case <-m.crashed:
		}
		crashed := m
		fallen.Go(func() { f.bury(ctx, crashed, end, ended) })
		if !rest(ctx, successorAfter) {
			return nil
		}
		next, err := f.newMember(successor(seat, generation))
		if err != nil {
			return err
		}
		f.join(next)
		m = next
	}
}

// bury ends what is left of a crashed replica. Nobody tells a process that is killed,
// so this one is not told before its leases have run out.
func (f *fleet) bury(ctx context.Context, m *member, end context.CancelFunc, ended <-chan error) {
	rest(ctx, f.cfg.Lease.Election().WithDefaults().TTL)
	end()
	if err := errors.Join(<-ended, m.close()); err != nil {
		f.log.Debug("crashed replica closed", "replica", m.daemon.Replica(), "err", err)
	}
}

// join has next among those that live.
func (f *fleet) join(next *member) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.living = append(f.living, next)
}

// Crash returns what cuts off a replica. See admin.Crasher.
func (f *fleet) Crash(replica string) (cut func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err = f.find(replica)
	return func() { f.strike(replica) }, err
}

// strike cuts off a replica that still lives.
func (f *fleet) strike(replica string) {
	f.mu.Lock()
	i, err := f.find(replica)
	if err != nil {
		f.mu.Unlock()
		return // somebody else was quicker
	}
	m := f.living[i]
	f.living = slices.Delete(slices.Clone(f.living), i, i+1)
	f.mu.Unlock()
	m.cut()
}

// find is the place of a replica that may crash. It is called with the lock held.
func (f *fleet) find(replica string) (int, error) {
	i := slices.IndexFunc(f.living, func(m *member) bool { return m.daemon.Replica() == replica })
	switch {
	case i < 0:
		return 0, admin.ErrNoReplica
	case len(f.living) == 1:
		return 0, admin.ErrLastReplica
	}
	return i, nil
}

// rest waits for so long; false: ctx has ended first.
func rest(ctx context.Context, length time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(length):
		return true
	}
}

func (f *fleet) close() error {
	var errs []error
	for _, m := range f.members() {
		errs = append(errs, m.close())
	}
	return errors.Join(errs...)
}

// ready returns nil when all replicas that live can run jobs.
func (f *fleet) ready() error {
	var reasons []error
	for _, d := range f.replicas() {
		if err := d.Ready(); err != nil {
			reasons = append(reasons, fmt.Errorf("%s: %w", d.Replica(), err))
		}
	}
	return errors.Join(reasons...)
}

// serve answers HTTP on listener until ctx ends, by the API of the first replica that
// lives, as something that balances load would.
func (f *fleet) serve(ctx context.Context, listener net.Listener) error {
	server := f.members()[0].api.Server()
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.members()[0].api.ServeHTTP(w, r) })
	server.RegisterOnShutdown(func() {
		for _, m := range f.members() {
			m.api.Drain()
		}
	})
	closed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), devGrace)
		defer cancel()
		closed <- server.Shutdown(closing)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return fmt.Errorf("http: %w", err)
	}
	return <-closed
}
