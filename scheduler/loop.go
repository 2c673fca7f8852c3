package scheduler

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	maxRound  = 2048 // ticks in one round: what the store does in some 20 ms
	maxRounds = 2    // rounds at once: the store works on one while the other is on its way
)

// A loop is what the engine is about to do. Only the goroutine of Scheduler.loop
// touches it, and the cursors and attempts of the entries.
type loop struct {
	agenda  agenda
	ready   []*attempt // their time has come; waiting for a free round
	rounds  int        // under way
	results chan []result
}

// loop wakes for what is due until ctx ends, and returns when no round is under way.
func (s *Scheduler) loop(ctx context.Context, w *waker) {
	l := &loop{results: make(chan []result, maxRounds)}
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-w.bell:
			s.look(l, w)
		case results := <-l.results:
			s.settleAll(l, results)
		case news := <-s.news:
			s.heed(news)
		case <-alarm.C:
		}
		s.dispatch(ctx, l)
		alarm.Reset(l.agenda.next(time.Now()))
	}
	for ; l.rounds > 0; l.rounds-- {
		<-l.results
	}
}

// look puts the due ticks of all woken groups on the agenda, each job when it is
// this replica's turn to ask for it.
func (s *Scheduler) look(l *loop, w *waker) {
	now := s.cfg.Now()
	var due []*attempt
	for g := range w.take() {
		for _, e := range g.entries {
			if e.attempt != nil {
				continue // it looks for later ticks by itself before it asks
			}
			if a := e.plan(now); a != nil {
				due = append(due, a)
			}
		}
	}
	for r, attempts := range s.byRank(due) {
		wait := headStart(r, len(due), s.cfg.HeadStart, rand.Float64())
		l.put(now, wait, attempts)
	}
}

// put puts attempts on the agenda: those whose tick is released together, each
// of the others for its release. All of them let others go first for wait.
func (l *loop) put(now time.Time, wait time.Duration, attempts []*attempt) {
	released := attempts[:0:0]
	for _, a := range attempts {
		if until := a.ready.Sub(now); until > 0 {
			l.agenda.put(time.Now().Add(until+wait), []*attempt{a})
			continue
		}
		released = append(released, a)
	}
	l.agenda.put(time.Now().Add(wait), released)
}

// plan makes an attempt for what is due of e, if anything is.
func (e *entry) plan(now time.Time) *attempt {
	ticks, more := e.group.due(e.cursor, now)
	if len(ticks) == 0 {
		return nil
	}
	e.attempt = &attempt{entry: e, plan: planFor(e.group.times, ticks, more, now, e.job.StartingDeadline)}
	return e.attempt
}

// byRank sorts attempts by the rank of this replica for their jobs.
func (s *Scheduler) byRank(attempts []*attempt) [][]*attempt {
	var live []string
	if s.cfg.Peers != nil {
		live = s.cfg.Peers.Live()
	}
	if len(live) < 2 || len(attempts) == 0 {
		return [][]*attempt{attempts}
	}
	ranked := make([][]*attempt, len(live)+1)
	for _, a := range attempts {
		r := rank(live, s.cfg.Replica, a.entry.job.Name)
		ranked[r] = append(ranked[r], a)
	}
	return ranked
}

// dispatch sends what is ready on its rounds, as far as there are free ones.
func (s *Scheduler) dispatch(ctx context.Context, l *loop) {
	l.ready = append(l.ready, l.agenda.take(time.Now())...)
	for len(l.ready) > 0 && l.rounds < maxRounds {
		n := min(len(l.ready), maxRound)
		batch := s.refresh(l.ready[:n])
		l.ready = l.ready[n:]
		if len(batch) == 0 {
			continue
		}
		l.rounds++
		go func() { l.results <- s.round(ctx, batch) }() // loop waits for it
	}
	if len(l.ready) == 0 {
		l.ready = nil
	}
}

// refresh plans the attempts anew, as time has passed since they were made.
func (s *Scheduler) refresh(attempts []*attempt) []*attempt {
	now := s.cfg.Now()
	batch := make([]*attempt, 0, len(attempts))
	for _, a := range attempts {
		if a.over {
			continue
		}
		a.replan(now)
		a.tries++
		a.flying = true
		batch = append(batch, a)
	}
	return batch
}

// replan looks for later ticks. A question that was not answered is asked again
// as it was: the store may have decided it, and then this replica must hear so
// to give the verdict.
func (a *attempt) replan(now time.Time) {
	ticks, more := a.entry.group.due(a.entry.cursor, now)
	if len(ticks) == 0 {
		return // the clock has gone back; what was due stays due
	}
	p := planFor(a.entry.group.times, ticks, more, now, a.entry.job.StartingDeadline)
	a.stale = a.owner != "" && (!p.tick.Equal(a.tick) || p.mode != a.mode)
	if !a.stale {
		a.plan = p
	}
}

// settleAll moves the cursors of what was decided and puts the rest back on the
// agenda, those with the same pause together.
func (s *Scheduler) settleAll(l *loop, results []result) {
	l.rounds--
	now := s.cfg.Now()
	again := make(map[time.Duration][]*attempt)
	for _, r := range results {
		a := r.attempt
		a.flying = false
		if r.decided.IsZero() {
			a.owner, a.unheard = r.owner, a.unheard || r.owner != ""
			again[r.pause] = append(again[r.pause], a)
			continue
		}
		a.entry.decided(r.decided)
		if next := a.entry.plan(now); next != nil {
			l.put(now, 0, []*attempt{next})
		}
	}
	for pause, attempts := range again {
		l.agenda.put(time.Now().Add(pause), attempts)
	}
}

// decided moves the cursor of e to tick and ends its attempt.
func (e *entry) decided(tick time.Time) {
	if tick.After(e.cursor) {
		e.cursor = tick
	}
	if e.attempt != nil {
		e.attempt.over = true
		e.attempt = nil
	}
}

// maxAhead is how far ahead of this replica's clock news is believed: a cursor
// must not be moved into the future by a peer whose clock is wrong.
const maxAhead = time.Minute

// heed takes the news that a peer has started ticks: no need to ask for them.
func (s *Scheduler) heed(news News) {
	limit := s.cfg.Now().Add(maxAhead)
	for _, t := range news.Ticks {
		e := s.book.byName[t.Job]
		if e == nil || !t.At.After(e.cursor) || t.At.After(limit) {
			continue
		}
		if a := e.attempt; a != nil && (a.flying || a.owner != "" || a.tick.After(t.At)) {
			continue // the store's answer to our own question says more
		}
		e.decided(t.At)
		s.observe(Event{Phase: Yielded, Tick: Tick{Job: t.Job, At: t.At.UTC()}, By: news.From})
	}
}
