package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// devReplicas are the names of the replicas of dev.
var devReplicas = []string{"replica-a", "replica-b", "replica-c"}

// fleet is several replicas in one process, each with its own elector and
// connections.
type fleet struct {
	replicas []*daemon.Daemon
	backends []*backend
	metrics  http.Handler
	log      *slog.Logger
	turn     atomic.Uint32
}

func newFleet(cfg *config.Config, log *slog.Logger, watch scheduler.Observer) (*fleet, error) {
	registry := telemetry.NewRegistry()
	f := &fleet{metrics: telemetry.Handler(registry), log: log}
	for _, name := range devReplicas {
		b, err := connect(cfg, name)
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
		f.backends = append(f.backends, b)
		d, err := daemon.New(cfg, daemon.Deps{
			Store: b.store, Members: b.members, Memory: b.memory, Replica: name, Log: log,
			Metrics:   telemetry.NewMetrics(telemetry.Labelled(registry, "replica", name)),
			Observers: []scheduler.Observer{watch},
			Kinds:     kinds(),
		})
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
		f.replicas = append(f.replicas, d)
	}
	return f, nil
}

func (f *fleet) close() error {
	var errs []error
	for _, b := range f.backends {
		errs = append(errs, b.close())
	}
	return errors.Join(errs...)
}

// ready returns nil when all replicas can run jobs.
func (f *fleet) ready() error {
	var reasons []error
	for _, d := range f.replicas {
		if err := d.Ready(); err != nil {
			reasons = append(reasons, fmt.Errorf("%s: %w", d.Replica(), err))
		}
	}
	return errors.Join(reasons...)
}

// serve answers HTTP on listener until ctx ends.
func (f *fleet) serve(ctx context.Context, listener net.Listener) error {
	deps := f.replicas[0].Admin()
	deps.Engine, deps.Ready, deps.Metrics, deps.Log = fleetEngine{f.replicas[0].Engine(), f}, f.ready, f.metrics, f.log
	server := admin.New(deps).Server()
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

// nearPorts is how many ports after the one that is wished are tried.
const nearPorts = 20

// listenNear binds addr or, if it is taken, the next free port.
func listenNear(addr string) (net.Listener, error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, usagef("--listen %q is not host:port", addr)
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, usagef("--listen %q: the port is not a number", addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, usagef("--listen %q is not a loopback address: dev is for this machine alone, serve knows who may do what", addr)
	}
	var faults []error
	for p := port; p <= min(port+nearPorts, 65535); p++ {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.FormatUint(p, 10)))
		if err == nil {
			return l, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}
