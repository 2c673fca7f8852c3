package scheduler

import (
	"context"
	"errors"
	"time"
)

// A handover is what the loop is told of a reload, or of another standing of jobs. All
// of it was asked for before: the loop waits for nobody.
type handover struct {
	book     *book               // nil: it stays
	members  map[*group][]*entry // of the groups of book
	replaced []replacement
	turns    []turn
	done     chan struct{} // closed when the loop goes on by it
}

// A replacement is an entry that leaves the book, one that comes, or one for the other.
type replacement struct{ old, new *entry }

var errOver = errors.New("the scheduler has ended")

// handOver waits until the loop goes on by h.
func (s *Scheduler) handOver(ctx context.Context, h *handover) error {
	select {
	case s.handovers <- h:
		<-h.done
		return nil
	case <-s.over:
		return errOver
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// takeOver goes on by h. What is due is looked at when all of it holds.
func (s *Scheduler) takeOver(l *loop, w *waker, h *handover) {
	defer close(h.done)
	now := s.cfg.Now()
	for _, t := range h.turns {
		t.apply(now)
	}
	for _, r := range h.replaced {
		r.apply()
	}
	if h.book == nil {
		w.wakeAll()
		return
	}
	s.book.Store(h.book)
	for g, entries := range h.members {
		g.entries = entries
	}
	w.follow(h.book.groups)
}

// apply gives the entry of t its standing. One that was awake, and is, keeps its
// place; the others go on from where the cluster is.
func (t *turn) apply(now time.Time) {
	e := t.entry
	woken := e.asleep.Load() && !t.asleep
	e.epoch.Store(t.epoch)
	if t.fresh || woken && t.from.After(e.cursor) {
		e.moveTo(t.from, now)
	}
	if t.asleep {
		e.standDown(now)
	}
	e.asleep.Store(t.asleep)
}

// standDown has e do nothing any more about its ticks. Those up to told have been
// spoken of.
func (e *entry) standDown(told time.Time) {
	e.hushed = told
	e.asleep.Store(true)
	e.rest()
}

// apply takes the old entry out of the loop, and has the new one go on from there: at
// once, or when what the old one has asked for is answered.
func (r replacement) apply() {
	old, heir := r.old, r.new
	if old == nil {
		return
	}
	old.retired = true
	last := old // that has asked for something
	if old.elder != nil {
		last, old.elder = old.elder, nil
	}
	last.heir = heir
	if heir == nil {
		last.gone.Store(true)
		old.gone.Store(true)
		last.drop()
		return
	}
	if heir.sameTimes(old) && !heir.asleep.Load() {
		heir.moveTo(old.cursor, old.moved)
	}
	if last.rest(); last.attempt == nil {
		last.heir = nil
		return
	}
	heir.elder = last
}

// rest ends the attempt of e unless the store may have decided it: its answer must be
// heard, or nobody gives the verdict.
func (e *entry) rest() {
	if a := e.attempt; a != nil && !a.flying && a.owner == "" {
		e.drop()
	}
}

// still reports whether e plans nothing, now or any more.
func (e *entry) still() bool { return e.retired || e.elder != nil || e.asleep.Load() }

// bequeath has the heir of e, whose attempt has ended, go on.
func (e *entry) bequeath(now time.Time) *entry {
	heir := e.heir
	if heir == nil {
		return nil
	}
	e.heir, heir.elder = nil, nil
	if e.cursor.After(heir.cursor) {
		heir.moveTo(e.cursor, now)
	}
	return heir
}

// hush tells of the ticks of e that have come due while this replica stands down for
// it. Nothing is decided about them here: if nobody else does, they are seen again.
func (s *Scheduler) hush(e *entry, now time.Time) {
	if !e.asleep.Load() || e.retired || e.elder != nil {
		return
	}
	ticks, _ := e.group.due(latestOf(e.cursor, e.hushed), now)
	for _, at := range ticks {
		s.observe(Event{
			Phase: Yielded, Tick: Tick{Job: e.job.Name, At: at.UTC()}, Reason: ReasonSuperseded, Note: noteSuperseded,
		})
		e.hushed = at
	}
}

const noteSuperseded = "a newer definition of the job is in force"
