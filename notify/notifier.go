package notify

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/scheduler"
)

// Deps is what a Notifier is built from. Store is needed; the rest may be left out.
type Deps struct {
	Store   Store
	Archive Archive      // nil: nobody is known to be late
	Log     *slog.Logger // nil: nothing is logged
	Meter   Meter        // nil: nothing is counted
	Means
}

// Notifier tells people what a replica sees. Make it with New, add it to the observers
// of the engine, and let Run run until after the last of its runs.
type Notifier struct {
	deps  Deps
	log   *slog.Logger
	plan  atomic.Pointer[plan]
	facts *facts
	pings *pinger
	rest  []Fact        // of collect, when it ended
	wake  chan struct{} // there is something in the outbox
}

// New makes a Notifier of what cfg says. It connects to nobody; the error says what
// of a channel makes no sense.
func New(cfg *config.Config, deps Deps) (*Notifier, error) {
	if deps.Store == nil {
		return nil, errors.New("notify: no store")
	}
	if deps.Log == nil {
		deps.Log = slog.New(slog.DiscardHandler)
	}
	if deps.Meter == nil {
		deps.Meter = unmetered{}
	}
	n := &Notifier{deps: deps, log: deps.Log, facts: newFacts(), wake: make(chan struct{}, 1)}
	n.pings = newPinger(newPoster(deps.Dial), deps.Meter, deps.Log)
	return n, n.Reconfigure(cfg)
}

// Reconfigure puts cfg in force, whole or not at all. It may be called at any time.
func (n *Notifier) Reconfigure(cfg *config.Config) error {
	p, err := newPlan(cfg, n.deps.Means)
	if err != nil {
		return err
	}
	n.plan.Store(p)
	return nil
}

// Observe notes what may be worth telling. It does no I/O.
func (n *Notifier) Observe(e scheduler.Event) {
	switch e.Phase {
	case scheduler.Started, scheduler.Ended, scheduler.Retried:
	default:
		return
	}
	p := n.plan.Load()
	if url, ok := p.pings[e.Tick.Job]; ok {
		if ping, ok := pingOf(e); ok {
			ping.url = url
			n.pings.put(ping)
		}
	}
	if p.policies[e.Tick.Job] == nil {
		return
	}
	if f := FactOf(e); f.Sort != Nothing {
		n.facts.put(f)
	}
}

const (
	lastFold   = 2 * time.Second // for what was seen last, when the replica stops
	lastSend   = 2 * time.Second // and for telling it
	lastMoment = 2 * time.Second // for what is on its way
)

// Run keeps and tells what is seen until ctx ends, and then for at most some seconds
// more what was seen last. What it could not tell by then another replica does, or
// the next. It always returns nil.
func (n *Notifier) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	for _, loop := range []func(context.Context){n.collect, n.clock, n.watch, n.deliver, n.pings.run} {
		wg.Go(func() { loop(ctx) })
	}
	wg.Wait()

	ctx = context.WithoutCancel(ctx)
	folding, cancel := context.WithTimeout(ctx, lastFold)
	n.foldLast(folding)
	cancel()
	sending, cancel := context.WithTimeout(ctx, lastSend)
	defer cancel()
	wg.Go(func() { n.pings.flush(sending) })
	for _, c := range n.plan.Load().channels {
		wg.Go(func() { n.empty(sending, c) })
	}
	wg.Wait()
	return nil
}

// foldLast keeps what was seen last.
func (n *Notifier) foldLast(ctx context.Context) {
	batch := n.rest
	for {
		for len(batch) > 0 {
			if err := n.fold(ctx, batch); err != nil {
				more, dropped := n.facts.take(maxFacts)
				n.dropFacts(dropped + len(batch) + len(more))
				return
			}
			batch = nil
		}
		var dropped int
		if batch, dropped = n.facts.take(foldBatch); len(batch) == 0 {
			n.dropFacts(dropped)
			return
		}
		n.dropFacts(dropped)
	}
}

func (n *Notifier) dropFacts(count int) {
	if count > 0 {
		n.deps.Meter.Dropped("", count)
		n.log.Error("what happened to jobs was not kept: nobody is told", "facts", count)
	}
}

func (n *Notifier) dropMessages(count int) {
	if count > 0 {
		n.deps.Meter.Dropped("", count)
		n.log.Error("the outbox is full: messages were dropped", "messages", count)
	}
}
