package scheduler

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

const (
	maxRound  = 2048 // ticks in one round: what the store does in some 20 ms
	maxRounds = 2    // rounds at once: the store works on one while the other is on its way
)

// A loop is what the engine is about to do. Only the goroutine of Scheduler.loop
// touches it, and the cursors and attempts of the entries.
type loop struct {
	agenda  agenda
	ready   []listing // their time has come; waiting for a free round, or a free place to run
	rounds  int       // under way
	results chan *sheet
	sheets  []*sheet  // that no round uses
	looked  time.Time // when the groups were last looked at
	awake   time.Time // since when that has been done without a long pause
}

// loop wakes for what is due until ctx ends, and returns when no round is under way.
func (s *Scheduler) loop(ctx context.Context, w *waker) {
	now := s.cfg.Now()
	l := &loop{results: make(chan *sheet, maxRounds), looked: now, awake: now}
	alarm := time.NewTimer(l.agenda.next(now))
	defer alarm.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-w.bell:
			s.look(ctx, l, w)
		case p := <-l.results:
			s.settleAll(l, p)
		case h := <-s.handovers:
			s.takeOver(l, w, h)
		case news := <-s.news:
			s.heed(l, news)
		case <-s.crew.freed:
		case <-s.vacated.bell:
			s.hurry(l)
		case <-alarm.C:
		}
		s.dispatch(ctx, l)
		alarm.Reset(l.agenda.next(time.Now()))
	}
	for ; l.rounds > 0; l.rounds-- {
		<-l.results
	}
}

// absence is how long nobody may have looked before the replica counts as having
// been away: the machine slept, or the process was stopped.
const absence = 3 * lookEvery

// look puts the due ticks of all woken groups on the agenda, each job when it is
// this replica's turn to ask for it.
func (s *Scheduler) look(ctx context.Context, l *loop, w *waker) {
	now := s.cfg.Now()
	if now.Sub(l.looked) > absence {
		l.awake = now
	}
	l.looked = now
	alone := len(s.live()) < 2
	var due []*attempt
	for g := range w.take() {
		for _, e := range g.entries {
			if a := e.attempt; a != nil && !a.idle(now) {
				continue // it looks for later ticks by itself before it asks
			}
			if e.still() {
				s.hush(e, now)
				continue
			}
			e.drop()
			if a := e.plan(now, l.awake); a != nil {
				if len(due) == cap(due) {
					due = slices.Grow(due, min(len(g.entries), maxRound)) // most often they are due together
				}
				due = append(due, a)
			}
			if alone && len(due) == maxRound { // nobody is to go first: this can go while the rest is planned
				s.hasten(ctx, l, due)
				due = due[:0] // the agenda has its own list
			}
		}
	}
	for r, attempts := range s.byRank(due) {
		wait := headStart(r, len(due), s.cfg.HeadStart, rand.Float64())
		l.put(now, wait, attempts)
	}
}

// hasten sends due attempts on their rounds as far as there are free ones.
func (s *Scheduler) hasten(ctx context.Context, l *loop, due []*attempt) {
	l.put(s.cfg.Now(), 0, due)
	for len(l.results) > 0 {
		s.settleAll(l, <-l.results)
	}
	s.dispatch(ctx, l)
}

// put puts attempts on the agenda: those whose tick is released together, each
// of the others for its release. All of them let others go first for wait.
func (l *loop) put(now time.Time, wait time.Duration, attempts []*attempt) {
	released := attempts[:0] // in place: nobody else holds them
	for _, a := range attempts {
		if until := a.ready.Sub(now); until > 0 {
			l.agenda.put(time.Now().Add(until+wait), a)
			continue
		}
		released = append(released, a)
	}
	l.agenda.put(time.Now().Add(wait), released...)
}

// plan makes an attempt for what is due of e, if anything is and it is for e to do
// something about it.
func (e *entry) plan(now, awake time.Time) *attempt {
	if e.still() {
		return nil
	}
	ticks, more := e.group.due(e.cursor, now)
	if len(ticks) == 0 {
		return nil
	}
	e.policy.awake = awake
	e.own = attempt{entry: e, plan: e.planFor(ticks, more, now, lets{}), after: e.cursor, listed: e.own.listed}
	e.attempt = &e.own
	return e.attempt
}

// planFor applies the policies of e. What is caught up keeps its distance from
// what was decided before, which other replicas may have started.
func (e *entry) planFor(ticks []time.Time, more bool, now time.Time, l lets) plan {
	p := planFor(e.group.times, ticks, more, now, e.policy, l)
	if p.late && e.policy.spacing > 0 {
		p.ready = latestOf(p.ready, e.moved.Add(e.policy.spacing))
	}
	return p
}

// byRank sorts attempts by the rank of this replica for their jobs.
func (s *Scheduler) byRank(attempts []*attempt) [][]*attempt {
	live := s.live()
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

// live is the replicas that are thought to live.
func (s *Scheduler) live() []string {
	if s.cfg.Peers == nil {
		return nil
	}
	return s.cfg.Peers.Live()
}

// dispatch sends what is ready on its rounds, as far as there are free ones.
func (s *Scheduler) dispatch(ctx context.Context, l *loop) {
	l.ready = l.agenda.take(time.Now(), l.ready)
	if len(l.ready) > 0 && !s.fit() {
		l.postpone(unfitPause)
		return
	}
	for l.rounds < maxRounds && len(l.ready) > 0 && ctx.Err() == nil {
		batch := s.batch(l)
		if len(batch) == 0 {
			return
		}
		l.rounds++
		p := l.sheet()
		p.begin(batch)
		go func() {
			s.round(ctx, p)
			l.results <- p
		}()
	}
}

// postpone puts what is ready back on the agenda.
func (l *loop) postpone(pause time.Duration) {
	var attempts []*attempt
	for _, is := range l.ready {
		if !is.void() {
			attempts = append(attempts, is.attempt)
		}
	}
	l.ready = nil
	l.agenda.put(time.Now().Add(pause), attempts...)
}

// sheet is one that no round uses.
func (l *loop) sheet() *sheet {
	last := len(l.sheets) - 1
	if last < 0 {
		return new(sheet)
	}
	p := l.sheets[last]
	l.sheets = l.sheets[:last]
	return p
}

// unfitPause is between two looks whether this replica is fit again.
const unfitPause = time.Second

// fit reports whether this replica may claim, and says if it may not.
func (s *Scheduler) fit() bool {
	if s.cfg.Fit == nil {
		return true
	}
	err := s.cfg.Fit()
	if err != nil {
		s.observe(Event{Phase: Waiting, Err: err, Retry: unfitPause, Note: "this replica is not fit to claim; others are asked to"})
	}
	return err == nil
}

// batch takes the next attempts that are ready, as many as make a round and find
// a place to run. The others stay, for peers that have places to take.
func (s *Scheduler) batch(l *loop) []*attempt {
	now := s.cfg.Now()
	next := l.ready[:min(len(l.ready), maxRound)]
	l.ready = l.ready[len(next):]
	batch := make([]*attempt, 0, len(next))
	var rest []listing
	places := s.crew.book(len(next))
	for _, is := range next {
		if is.void() { // it was hurried or has ended while it stood here
			continue
		}
		a := is.attempt
		a.replan(now)
		switch {
		case a.ready.After(now):
			l.put(now, 0, []*attempt{a})
			continue
		case a.mode == election.ForTick && places == 0:
			rest = append(rest, is)
			continue
		case a.mode == election.ForTick:
			places--
		}
		a.tries++
		a.flying = true
		batch = append(batch, a)
	}
	s.crew.unbook(places)
	if len(rest) > 0 {
		l.ready = append(rest, l.ready...)
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
	p := a.entry.planFor(ticks, more, now, a.lets)
	a.stale = a.owner != "" && (!p.tick.Equal(a.tick) || p.mode != a.mode)
	if !a.stale {
		a.plan, a.after = p, a.entry.cursor
	}
}

// settleAll moves the cursors of what was decided and puts the rest back on the
// agenda, those with the same pause together.
func (s *Scheduler) settleAll(l *loop, p *sheet) {
	l.rounds--
	now := s.cfg.Now()
	var again map[time.Duration][]*attempt
	for i := range p.results {
		r := &p.results[i]
		a := r.attempt
		a.flying = false
		if r.superseded { // the tick stays undecided here
			a.entry.standDown(a.tick)
			l.goOn(a.entry, now)
			ring(s.outdated)
			continue
		}
		if r.decided.IsZero() {
			a.owner, a.lets = r.owner, r.lets
			if a.owner == "" && a.entry.still() {
				l.goOn(a.entry, now)
				continue
			}
			if again == nil {
				again = make(map[time.Duration][]*attempt)
			}
			if a.freed {
				r.pause = 0
			}
			a.freed = false
			again[r.pause] = append(again[r.pause], a)
			continue
		}
		l.advance(a.entry, r.decided, now)
	}
	for pause, attempts := range again {
		l.agenda.put(time.Now().Add(pause), attempts...)
	}
	p.clear()
	l.sheets = append(l.sheets, p)
}

// advance moves the cursor of e to tick and goes on with what is due after it.
func (l *loop) advance(e *entry, tick, now time.Time) {
	e.decided(tick, now)
	l.goOn(e, now)
}

// goOn plans what is due of e, which has no attempt any more, or has its heir do so.
func (l *loop) goOn(e *entry, now time.Time) {
	e.drop()
	if heir := e.bequeath(now); heir != nil {
		e = heir
	}
	if next := e.plan(now, l.awake); next != nil {
		l.put(now, 0, []*attempt{next})
	}
}

// decided moves the cursor of e to tick and ends its attempt.
func (e *entry) decided(tick, now time.Time) {
	if tick.After(e.cursor) {
		e.moveTo(tick, now)
	}
	e.drop()
}

// drop ends the attempt of e, if there is one. Wherever it is still listed, that is
// void from now on: the next attempt has its memory.
func (e *entry) drop() {
	if e.attempt != nil {
		e.attempt.listed++
		e.attempt = nil
	}
}

// idle reports whether a only waits to forfeit its tick: a later one comes first.
func (a *attempt) idle(now time.Time) bool {
	return a.mode == election.Forfeit && a.owner == "" && !a.flying && a.ready.After(now)
}

func (e *entry) moveTo(tick, now time.Time) {
	e.cursor, e.moved = tick, now
	e.reached.Store(tick.UnixMilli())
}

// maxAhead is how far ahead of this replica's clock news is believed: a cursor
// must not be moved into the future by a peer whose clock is wrong.
const maxAhead = time.Minute

// heed takes the news that a peer has started ticks: no need to ask for them.
func (s *Scheduler) heed(l *loop, news News) {
	now := s.cfg.Now()
	limit := now.Add(maxAhead)
	for _, t := range news.Ticks {
		e := s.book.Load().byName[t.Job]
		if e == nil || e.asleep.Load() || !t.At.After(e.cursor) || t.At.After(limit) {
			continue
		}
		if a := e.attempt; a != nil && (a.flying || a.owner != "" || a.tick.After(t.At)) {
			// The store's answer to our own question says more; unless it has forgotten.
			if e.job.Overlap != jobs.AllowOverlap {
				s.elector.Heard(e.job.Name, t.At)
			}
			continue
		}
		l.advance(e, t.At, now)
		s.observe(Event{Phase: Yielded, Tick: Tick{Job: t.Job, At: t.At.UTC()}, By: news.From})
	}
}
