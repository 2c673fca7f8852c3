package main

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/scheduler"
)

// member is one replica of a fleet, with a way of its own to the Redis of all.
type member struct {
	daemon  *daemon.Daemon
	api     *admin.API
	backend *backend
	relay   *relay
	crashed chan struct{} // closed when it is cut off
	silent  *muted
}

// newMember makes a replica of f, which does nothing until it is run.
func (f *fleet) newMember(id string) (*member, error) {
	r, err := newRelay(f.cfg.Redis.Addr)
	if err != nil {
		return nil, err
	}
	m := &member{relay: r, crashed: make(chan struct{}), silent: &muted{next: f.watch}}
	if err := m.assemble(f, id); err != nil {
		return nil, errors.Join(err, m.close())
	}
	return m, nil
}

// assemble makes what the replica consists of.
func (m *member) assemble(f *fleet, id string) (err error) {
	cfg := through(f.cfg, m.relay.addr())
	if m.backend, err = connect(cfg, id); err != nil {
		return err
	}
	m.daemon, err = daemon.New(cfg, daemon.Deps{
		Store: m.backend.store, Members: m.backend.members, Memory: m.backend.memory, Replica: id, Log: f.log,
		Metrics:   f.counted(id),
		Observers: []scheduler.Observer{m.silent},
		Kinds:     kinds(),
		File:      f.file,
	})
	if err != nil {
		return err
	}
	deps := m.daemon.Admin()
	deps.Engine, deps.Ready, deps.Metrics, deps.Log, deps.Crasher = fleetEngine{m.daemon.Engine(), f}, f.ready, f.metrics, f.log, f
	m.api = admin.New(deps)
	return nil
}

// through is cfg by way of a relay.
func through(cfg *config.Config, addr string) *config.Config {
	own := *cfg
	own.Redis.Addr = addr
	return &own
}

// cut ends all that others hear of the replica, and tells it nothing: its leases run
// out, and its runs end as those of a replica that has lost the store do.
func (m *member) cut() {
	m.silent.on.Store(true)
	m.relay.cut()
	m.api.Drain()
	close(m.crashed)
}

func (m *member) close() error {
	var err error
	if m.backend != nil {
		err = m.backend.close()
	}
	m.relay.cut()
	return err
}

// muted is an observer that can be told to say no more.
type muted struct {
	next scheduler.Observer
	on   atomic.Bool
}

// Observe hands e on, unless it is to say no more.
func (m *muted) Observe(e scheduler.Event) {
	if !m.on.Load() {
		m.next.Observe(e)
	}
}

// successor is the id of what comes in the place of a replica: replica-b, replica-b2, replica-b3.
func successor(seat string, generation int) string {
	if generation == 1 {
		return seat
	}
	return fmt.Sprintf("%s%d", seat, generation)
}
