package leasetest

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
)

// Store is what the suite tests.
type Store interface {
	election.Store
	election.Overseer
}

// Subject is one store, empty at first, and what can be done to it from outside.
type Subject struct {
	Store Store
	// Wipe loses all data of the store, as FLUSHALL would.
	Wipe func() error
	// Poison makes the record of key something that is no record. Nil: cannot happen.
	Poison func(key string) error
	// Grain is how coarsely the store tells times, and how late it may notice the
	// end of one: 1s if it counts whole seconds. With Wall, everything takes so much
	// longer that this does not matter. Zero: milliseconds.
	Grain time.Duration
}

// Clock says how time passes in a run of the suite.
type Clock uint8

// The clocks.
const (
	Bubble Clock = iota // fake time of testing/synctest: every duration is exact
	Wall                // real time: durations are compared with a tolerance
)

// Check is one rule of the contract. Run returns what is wrong.
type Check struct {
	Name string
	Run  func(*World) error
}

// World is where a Check runs: a fresh store and a measure of time.
type World struct {
	Subject
	Ctx   context.Context
	Unit  time.Duration // what the suite measures time in
	Slack time.Duration // how much time may pass unnoticed between two calls
	names int
}

// Run runs every check against stores made by open, each in a subtest.
func Run(t *testing.T, clock Clock, open func(t *testing.T) Subject) {
	t.Helper()
	checks := Checks()
	if clock == Bubble {
		for _, c := range checks {
			t.Run(c.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { report(t, c.Run(newWorld(t, open(t), clock))) })
			})
		}
		return
	}
	failures := runAtOnce(t, checks, open)
	for i, c := range checks {
		t.Run(c.Name, func(t *testing.T) { report(t, failures[i]) })
	}
}

// runAtOnce runs all checks at the same time: in real time most of them wait.
func runAtOnce(t *testing.T, checks []Check, open func(t *testing.T) Subject) []error {
	failures := make([]error, len(checks))
	var wg sync.WaitGroup
	for i, c := range checks {
		w := newWorld(t, open(t), Wall)
		wg.Go(func() { failures[i] = c.Run(w) })
	}
	wg.Wait()
	return failures
}

// grains is how many grains of the store a unit has: a time may be told a grain
// too short after it was waited for a grain too long, and with what passes
// unnoticed besides that is still within Slack.
const grains = 4

func newWorld(t *testing.T, s Subject, clock Clock) *World {
	if clock == Bubble {
		time.Sleep(time.Hour) // a bubble begins with the year 2000, which has no ticks before it
	}
	w := &World{Subject: s, Ctx: t.Context(), Unit: max(time.Second, grains*s.Grain)}
	if clock == Wall {
		w.Slack = w.Unit * 9 / 10
	}
	return w
}

func report(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
