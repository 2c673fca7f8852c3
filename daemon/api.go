package daemon

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/admin/page"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/config/schema"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/breaker"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/telemetry"
)

// facts is what an API tells of a replica beside its jobs and its configuration.
type facts struct {
	ttl     time.Duration // of leases
	circuit func() breaker.State
	revoker admin.Revoker // nil: the store cannot take leases away
	page    page.Config   // where the web page is, and what it calls this place
}

func newFacts(cfg *config.Config, store Store, circuit func() breaker.State) facts {
	f := facts{ttl: cfg.Lease.TTL, circuit: circuit, page: page.Config{
		BasePath:    cfg.Admin.Page.BasePath,
		Environment: page.Environment{Name: cfg.Admin.Page.Environment.Name, Tone: page.Tone(cfg.Admin.Page.Environment.Tone)},
	}}
	if o, ok := store.(election.Overseer); ok {
		f.revoker = revoker{o, cfg.Lease.LockDelay}
	}
	return f
}

// warnings are what is allowed in schedules and hardly meant.
func warnings(list []config.Job) []string {
	var all []string
	for i := range list {
		if list[i].Schedule == nil {
			continue
		}
		for _, w := range list[i].Schedule.Warnings() {
			all = append(all, "jobs["+list[i].Name+"].schedule: "+w)
		}
	}
	return all
}

// Admin returns what an API of this replica is made of.
func (d *Daemon) Admin() admin.Deps {
	with := admin.Deps{
		Engine: d.Engine(), Ledger: d.deps.Store, Revoker: d.facts.revoker, Memory: d.deps.remembered(), Define: d.configs.find,
		Access: d.access, Current: d.configs.shown, Versions: d.configs, About: d.configs.about, TTL: d.facts.ttl, Store: d.standing,
		Ready: d.Ready, Started: d.health.started, Draining: d.health.stopped, Metrics: d.deps.MetricsHandler,
		Page: d.facts.page, Version: telemetry.ReadBuild().Version, Log: d.log,
	}
	if d.reloads != nil {
		with.Reloaded = d.configs.reload
	}
	if d.deps.Kinds != nil {
		with.Validate = checker(d.deps.Kinds)
		with.Schema = sync.OnceValues(func() ([]byte, error) { return schema.For(d.deps.Kinds) })
	}
	return with
}

// standing is what this replica thinks of the lease store.
func (d *Daemon) standing() admin.Store {
	s := admin.Store{Answers: true, Breaker: d.facts.circuit().String()}
	if at := d.health.lastHeard(); !at.IsZero() {
		s.Heard = new(at.UTC())
	}
	if err := d.health.store(); err != nil {
		s.Answers, s.Trouble = false, err.Error()
	}
	return s
}

// checker checks the text of a configuration whose jobs may be of these kinds.
func checker(kinds []jobs.Kind) admin.Validate {
	return func(name string, text []byte) (*config.Config, []admin.Problem) {
		cfg, err := config.Parse(name, text, kinds)
		if err != nil {
			return nil, problemsOf(name, err)
		}
		return cfg, hardlyMeant(name, cfg.Warnings(time.Now()))
	}
}

// problemsOf are the faults of a configuration, or why it cannot be read.
func problemsOf(name string, err error) []admin.Problem {
	faults, ok := errors.AsType[config.Faults](err)
	if !ok {
		return []admin.Problem{{File: name, Message: err.Error()}}
	}
	list := make([]admin.Problem, len(faults))
	for i, f := range faults {
		list[i] = admin.Problem{File: f.File, Line: f.Line, Col: f.Col, Path: f.Path, Message: f.Msg}
	}
	return list
}

// hardlyMeant are the problems of a configuration that can be used all the same.
func hardlyMeant(name string, warnings []config.Warning) []admin.Problem {
	list := make([]admin.Problem, len(warnings))
	for i, w := range warnings {
		list[i] = admin.Problem{File: name, Line: w.Line, Path: w.Path, Message: w.Msg, Warning: true}
	}
	return list
}

// revokedFor is how long the record of a lease that was taken away is kept, which is
// as long as that of one that ended.
const revokedFor = 7 * 24 * time.Hour

// revoker takes leases away in the way that replicas of this configuration expect.
type revoker struct {
	store     election.Overseer
	lockDelay time.Duration
}

// Revoke takes the lease of key away if it has the token.
func (r revoker) Revoke(ctx context.Context, key string, token int64, by, reason string) (election.Record, error) {
	return r.store.Revoke(ctx, election.Revocation{
		Key: key, Token: token, LockDelay: r.lockDelay, Retention: revokedFor, By: by, Reason: reason,
	})
}
