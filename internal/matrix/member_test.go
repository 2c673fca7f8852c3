package matrix_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/solocron/solocron/election"
)

// A member claims what is due, in one request, and runs what it is granted.
type member struct {
	crew    *crew
	elector *election.Elector
	at      map[string]*spot // read by run alone
	runs    sync.WaitGroup
}

// A spot is where a member stands with a key.
type spot struct {
	key   string
	next  time.Time      // the tick to claim
	owner election.Owner // of a claim that was not answered
	grant *grant         // not started yet

	mu      sync.Mutex
	running bool
}

// A grant is a lease and what its grant said.
type grant struct {
	lease   *election.Lease
	decided time.Time
	arrived time.Time
}

func (s *spot) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

func (s *spot) set(running bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = running
}

// run looks for ticks until ctx ends, and waits for what runs.
func (m *member) run(ctx context.Context) {
	defer m.runs.Wait()
	pace := time.NewTicker(beat)
	defer pace.Stop()
	for {
		m.claim(ctx)
		m.start(ctx)
		select {
		case <-ctx.Done():
			return
		case <-pace.C:
		}
	}
}

// claim asks for everything due.
func (m *member) claim(ctx context.Context) {
	var wishes []election.Wish
	var spots []*spot
	for _, key := range m.crew.keys {
		s := m.at[key]
		if s.grant != nil || s.busy() || !m.crew.due(s.next) {
			continue
		}
		spots = append(spots, s)
		wishes = append(wishes, election.Wish{
			Key: key, Owner: s.owner, Mode: election.ForTick, Overlap: election.QueueOverlap, Tick: s.next, Def: "v1",
		})
	}
	if len(wishes) == 0 {
		return
	}
	for i, r := range m.elector.Claim(ctx, wishes) {
		m.answered(spots[i], r)
	}
}

// answered takes the answer to one claim.
func (m *member) answered(s *spot, r election.Reply) {
	s.owner = ""
	switch r.Answer {
	case election.Granted:
		s.grant = &grant{lease: r.Lease, decided: r.Decided, arrived: time.Now()}
		if r.Prev != nil {
			m.crew.book.found(s.key, r.Prev.Tick)
		}
	case election.Spent:
		s.next = s.next.Add(step(s.key))
	case election.Unknown:
		s.owner = r.Owner
		if isPoison(r.Err) {
			m.crew.book.fault("claim of %s: %v", s.key, r.Err)
		}
	case election.Skipped, election.Closed, election.Superseded, election.Missed:
		m.crew.book.fault("claim of %s: answer %d", runName(s.key, s.next), r.Answer)
	case election.Held, election.Early, election.Delayed, election.Quarantine: // again at the next beat
	}
}

// start starts what was granted. Only a nil error lets the work begin.
func (m *member) start(ctx context.Context) {
	var leases []*election.Lease
	var spots []*spot
	for _, key := range m.crew.keys {
		if s := m.at[key]; s.grant != nil {
			leases, spots = append(leases, s.grant.lease), append(spots, s)
		}
	}
	if len(leases) == 0 {
		return
	}
	started := m.elector.Start(ctx, leases)
	for i, s := range spots {
		g := s.grant
		switch err := started[i].Err; {
		case err == nil:
			s.grant = nil
			s.set(true)
			run := start{
				name: runName(s.key, s.next), by: m.elector.Holder(), token: g.lease.Token(), tick: s.next,
				decided: g.decided, granted: g.arrived, acked: time.Now(),
			}
			s.next = s.next.Add(step(s.key))
			m.runs.Go(func() { m.work(s, g.lease, run) })
		case errors.Is(err, election.ErrLeaseLost), errors.Is(err, election.ErrLeaseUncertain):
			s.grant = nil
		}
	}
}

// work is a run under its lease.
func (m *member) work(s *spot, lease *election.Lease, run start) {
	defer s.set(false)
	ctx, stop := lease.Keep(context.Background())
	m.crew.book.enter(s.key, run)
	how, outcome := "done", election.OutcomeSucceeded
	select {
	case <-time.After(takes(s.key)):
	case <-ctx.Done():
		how, outcome = context.Cause(ctx).Error(), election.OutcomeLost
	}
	m.crew.book.leave(s.key, run, how)
	stop()
	ctx, cancel := context.WithTimeout(context.Background(), terms().TTL)
	defer cancel()
	_, _ = lease.Release(ctx, outcome) // what is not released lapses
}
