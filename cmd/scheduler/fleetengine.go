package main

import (
	"context"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/scheduler"
)

// fleetEngine is a fleet as one engine for the API: it shows what all replicas
// know. What else is asked of it goes to the first: any would do, as it is kept
// in the journal for whichever is free.
type fleetEngine struct {
	admin.Engine // of the replica whose API it is
	fleet        *fleet
}

// Trigger requests a run of job from the replica whose turn it is.
func (e fleetEngine) Trigger(ctx context.Context, job string, o scheduler.Order) (scheduler.Row, error) {
	list := e.fleet.replicas()
	return list[int(e.fleet.turn.Add(1))%len(list)].Engine().Trigger(ctx, job, o)
}

// Jobs lists the jobs with what all replicas know of them.
func (e fleetEngine) Jobs() []scheduler.Status {
	list := e.fleet.replicas()
	all := list[0].Engine().Jobs()
	for _, d := range list[1:] {
		for i, s := range d.Engine().Jobs() {
			all[i] = merge(all[i], s)
		}
	}
	return all
}

// Job returns one of them.
func (e fleetEngine) Job(name string) (scheduler.Status, error) {
	var all scheduler.Status
	for i, d := range e.fleet.replicas() {
		s, err := d.Engine().Job(name)
		if err != nil {
			return s, err
		}
		if i == 0 {
			all = s
		}
		all = merge(all, s)
	}
	return all, nil
}

// merge is a, with the run in progress and the later ending of either.
func merge(a, b scheduler.Status) scheduler.Status {
	if a.Running == nil {
		a.Running = b.Running
	}
	if a.Last == nil || b.Last != nil && b.Last.At.After(a.Last.At) {
		a.Last = b.Last
	}
	return a
}
