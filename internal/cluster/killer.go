package cluster

import (
	"context"
	"sync/atomic"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/scheduler"
)

// An Instant is a moment in the life of a tick at which a replica can be killed.
type Instant uint32

// The instants.
const (
	AfterClaim   Instant = iota + 1 // a lease is granted, and its run not started
	AfterRefusal                    // a tick is decided without a run, and nobody has said so
	AfterStart                      // the tick is spent, and nothing runs
	AfterRelease                    // the outcome is in the record, and nowhere else
	AfterPut                        // a request is kept, and nobody has been told
	AfterBegin                      // a request is begun, and its lease is not started
)

// A killer kills its replica when the store has given a certain answer, before
// anything is done about it.
type killer struct {
	election.Store
	kill func()
	at   atomic.Uint32 // an Instant; 0: never
}

// strike kills once.
func (k *killer) strike(at Instant) {
	if k.at.CompareAndSwap(uint32(at), 0) {
		k.kill()
	}
}

func (k *killer) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := k.Store.Claim(ctx, claims)
	for i, a := range answers {
		switch a.Answer {
		case election.Granted:
			if claims[i].Key != "janitor/" {
				k.strike(AfterClaim)
			}
		case election.Skipped, election.Closed, election.Missed:
			k.strike(AfterRefusal)
		}
	}
	return answers
}

func (k *killer) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	answers := k.Store.Start(ctx, holds)
	k.strike(AfterStart)
	return answers
}

func (k *killer) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	answers := k.Store.Release(ctx, ends)
	for _, e := range ends {
		if e.Outcome != election.OutcomeUndone {
			k.strike(AfterRelease)
		}
	}
	return answers
}

// killJournal is the journal of a replica with a killer.
type killJournal struct {
	scheduler.Journal
	killer *killer
}

func (j *killJournal) Put(ctx context.Context, requests []scheduler.Request) ([]bool, error) {
	fresh, err := j.Journal.Put(ctx, requests)
	j.killer.strike(AfterPut)
	return fresh, err
}

func (j *killJournal) Begin(ctx context.Context, begins []scheduler.Begin) ([]scheduler.Beginning, error) {
	answers, err := j.Journal.Begin(ctx, begins)
	j.killer.strike(AfterBegin)
	return answers, err
}
