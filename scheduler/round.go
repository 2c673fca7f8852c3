package scheduler

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

// round takes ticks from claim to run: this is the life of a tick. All that is
// due together is claimed in one request and started in one request; from there
// each run is on its own. Afterwards the results on p say what to do about those
// that were not decided, and what the cursors are for those that were.
func (s *Scheduler) round(ctx context.Context, p *sheet) {
	s.admit(ctx, p)

	// A shutdown does not interrupt the question: its answer must be known, or
	// the claim would keep the peers waiting.
	p.replies = s.elector.ClaimInto(context.WithoutCancel(ctx), p.wishes, p.replies)
	for i := range p.replies {
		r, reply := p.asked[i], &p.replies[i]
		a := r.attempt
		next, pause := decide(&reply.ClaimAnswer, a.tries, rand.Float64())
		if reply.Answer == election.Unknown {
			r.owner, r.lets.unheard = reply.Owner, true
			r.lets.alone = errors.Is(reply.Err, election.ErrUnreplicated)
		}
		r.lets.held = reply.Answer == election.Held && reply.Started
		switch next {
		case stepRun:
			s.bury(a.entry, reply.Prev)
			g := grant{lease: reply.Lease, result: r}
			if a.stale || a.entry.gone.Load() {
				p.stale = append(p.stale, g)
			} else {
				p.won = append(p.won, g)
			}
		case stepSpeak:
			v, reason := a.ruling(reply.Answer, s.cfg.Now())
			s.speakForOlder(a, reply.Decided)
			s.speak(a.entry, a.scheduled(), v, reason, reply.By, a.prev(reply.Decided), false)
			r.decided = a.tick
		case stepYield:
			s.yielded(a, &reply.ClaimAnswer)
			r.decided = latestOf(a.tick, reply.Decided)
		case stepStand:
			s.yielded(a, &reply.ClaimAnswer)
			if r.superseded = s.generational(s.book.Load()); !r.superseded {
				r.decided = latestOf(a.tick, reply.Decided) // nobody here could say when that ends
			}
		case stepWait:
			if a.goesAlone(reply.Answer, s.cfg.Now()) {
				r.started, r.decided, r.owner = true, a.tick, ""
				s.vacate(r.seat)
				s.runAlone(a)
				continue
			}
			s.replace(a, &reply.ClaimAnswer)
			s.waiting(a, &reply.ClaimAnswer, pause)
			r.pause = pause
		}
	}

	s.start(ctx, p)
	s.announce(ctx, p.won)
	s.giveBack(p.stale)
	s.leave(p.results)
}

// A result tells the engine's loop what became of an attempt.
type result struct {
	attempt *attempt
	decided time.Time       // the tick up to which all is decided; zero: ask again
	pause   time.Duration   // before asking again
	owner   election.Owner  // to ask again with, if the store gave no answer
	lets    lets            // what keeps it
	seat    *election.Lease // its place in the job's concurrency group, until it is run or given back
	started bool

	superseded bool // this replica is to stand down for the job
}

// A sheet is what a round is written on, again and again: for thousands of ticks
// it is long. The loop fills in the results, the round the rest.
type sheet struct {
	results []result
	asked   []*result       // those that are claimed
	wishes  []election.Wish // of these
	replies []election.Reply
	won     []grant
	leases  []*election.Lease // of these
	started []election.Started
	stale   []grant
}

// begin writes down attempts, and forgets what was there.
func (p *sheet) begin(attempts []*attempt) {
	p.clear()
	for _, a := range attempts {
		p.results = append(p.results, result{attempt: a, lets: a.lets})
	}
}

// clear forgets what p is about: it must not keep leases and entries alive.
func (p *sheet) clear() {
	clear(p.results)
	clear(p.asked)
	clear(p.wishes)
	clear(p.replies)
	clear(p.won)
	clear(p.leases)
	clear(p.started)
	clear(p.stale)
	p.results, p.asked, p.wishes, p.won, p.stale = p.results[:0], p.asked[:0], p.wishes[:0], p.won[:0], p.stale[:0]
	p.replies, p.leases, p.started = p.replies[:0], p.leases[:0], p.started[:0]
}

// A grant is a lease that has been claimed for an attempt.
type grant struct {
	lease  *election.Lease
	result *result
}

// admit picks the results whose attempts are to be claimed: what they depend on
// has happened, and their concurrency group has a place for them.
func (s *Scheduler) admit(ctx context.Context, p *sheet) {
	for i := range p.results {
		r := &p.results[i]
		if a := r.attempt; a.mode == election.ForTick && !a.stale {
			if !s.gated(ctx, r) || !r.lets.paused && (!s.needsMet(ctx, r) || !s.seated(ctx, r)) {
				continue
			}
		}
		p.asked, p.wishes = append(p.asked, r), append(p.wishes, r.attempt.wish())
	}
}

// gated looks at the gate of a job whose ticks have leases of their own, which
// know nothing of it; false if that is not known. A tick that the gate closes is
// decided by forfeiting it.
func (s *Scheduler) gated(ctx context.Context, r *result) bool {
	a := r.attempt
	if a.entry.job.Overlap != jobs.AllowOverlap {
		return true
	}
	records, err := s.read(ctx, []string{a.entry.job.Name})
	if err != nil {
		r.pause = retryPause.Pause(a.tries, rand.Float64())
		s.waiting(a, &election.ClaimAnswer{Err: err}, r.pause)
		return false
	}
	a.paused = records[0].Closes(a.tick)
	r.lets.paused = a.paused
	return true
}

// leave gives back the places to run, and those in concurrency groups, of
// results that were not started.
func (s *Scheduler) leave(results []result) {
	idle := 0
	for i := range results {
		r := &results[i]
		if e := r.attempt.entry; e.job.Overlap == jobs.AllowOverlap && !r.decided.IsZero() {
			s.elector.Forget(e.leaseKey(r.attempt.tick)) // nobody here asks for it again
		}
		if r.started {
			continue
		}
		s.vacate(r.seat)
		if r.attempt.mode == election.ForTick {
			idle++
		}
	}
	s.crew.unbook(idle)
}

// startTries is how often a start is sent when the store gives no answer. It is
// safe to repeat, and a claim lasts for several tries.
const startTries = 3

// start marks the ticks that were won as started, all in one request, and runs
// each that was. A replica that is shutting down gives its claims back instead.
func (s *Scheduler) start(ctx context.Context, p *sheet) {
	grants := p.won
	for tries := 1; len(grants) > 0; tries++ {
		if ctx.Err() != nil {
			s.giveBack(grants)
			return
		}
		p.leases = p.leases[:0]
		for _, g := range grants {
			p.leases = append(p.leases, g.lease)
		}
		p.started = s.elector.StartInto(context.WithoutCancel(ctx), p.leases, p.started)
		var unsure []grant
		for i, g := range grants {
			decided, err := p.started[i].Decided, p.started[i].Err
			r, a := g.result, g.result.attempt
			switch {
			case err == nil:
				r.started, r.decided = true, a.tick
				s.speakForOlder(a, decided)
				x := s.execution(a.entry, g.lease, a.scheduled())
				x.seat, x.prev = r.seat, a.prev(decided)
				s.crew.begin(x)
			case tries < startTries && !isFinal(err):
				unsure = append(unsure, g)
			case errors.Is(err, election.ErrUnreplicated):
				s.abandon(g)
			default:
				s.notStarted(g, err)
			}
		}
		grants = unsure
	}
}

// isFinal reports whether a lease that could not be started never can be.
func isFinal(err error) bool {
	return errors.Is(err, election.ErrLeaseLost) || errors.Is(err, election.ErrLeaseUncertain)
}

// notStarted leaves a grant to lapse: nobody knows whether its tick was marked.
// The next question will be told: granted again, spent, or found abandoned.
func (s *Scheduler) notStarted(g grant, err error) {
	pause := retryPause.Pause(g.result.attempt.tries+1, rand.Float64())
	g.result.pause = pause
	s.waiting(g.result.attempt, &election.ClaimAnswer{Err: err}, pause)
}

// abandon gives up a tick that the store has marked as started, though too few of
// its replicas have: its run would have no lease after a failover. It is spent, so
// that nobody else runs it. If the release is not heard the lease lapses, and the
// tick is found to have been lost.
func (s *Scheduler) abandon(g grant) {
	a := g.result.attempt
	g.result.decided = a.tick
	ctx, cancel := context.WithTimeout(s.crew.closing, giveBackTime)
	defer cancel()
	if kept, err := g.lease.Release(ctx, election.OutcomeCancelled); err == nil && kept == election.OutcomeCancelled {
		s.speakForOlder(a, a.after)
		s.speak(a.entry, a.scheduled(), Missed, ReasonUnreplicated, "", a.prev(a.after), false)
	}
}

// giveBackTime is how long it is tried to give a claim back; after that it is
// left to expire, which costs the job some seconds.
const giveBackTime = 3 * time.Second

// giveBack releases claims that will not be started, so that the jobs are free
// at once.
func (s *Scheduler) giveBack(grants []grant) {
	if len(grants) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(s.crew.closing, giveBackTime)
	defer cancel()
	var wg sync.WaitGroup
	for _, g := range grants {
		wg.Go(func() { _, _ = g.lease.Release(ctx, election.OutcomeUndone) }) // see giveBackTime
	}
	wg.Wait()
}

// announce tells the peers which ticks need no question any more.
func (s *Scheduler) announce(ctx context.Context, grants []grant) {
	if len(s.live()) < 2 {
		return
	}
	news := News{From: s.cfg.Replica}
	for _, g := range grants {
		if r := g.result; r.started {
			news.Ticks = append(news.Ticks, TickRef{Job: r.attempt.entry.job.Name, At: r.attempt.tick})
		}
	}
	if len(news.Ticks) > 0 {
		// A peer that does not hear it asks the store instead.
		_ = s.cfg.Peers.Announce(ctx, news)
	}
}

func latestOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
