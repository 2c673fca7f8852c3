package scheduler

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

// A subject is a run that should hold a lease.
type subject struct {
	row     Row
	request string // the ID of the request that it is for; "": a tick
	opened  bool   // its begin is recorded: it has surely been started
}

func (u *subject) key() string {
	if u.row.Key != "" {
		return u.row.Key
	}
	return u.row.Job
}

// subjects lists what is said to run: from the rows, and the requests that were
// begun but have no row.
func subjects(rows []Row, begun []Request) []subject {
	var all []subject
	place := make(map[int64]int, len(rows))
	for _, row := range rows {
		if row.State == RunRunning {
			place[row.Token] = len(all)
			all = append(all, subject{row: row, opened: true})
		}
	}
	for _, q := range begun {
		if i, ok := place[q.Token]; ok && all[i].row.ID == q.Run {
			all[i].request = q.ID
			continue
		}
		row := q.row()
		row.Token, row.State = q.Token, RunRunning
		if q.Cause == ByRetry {
			row.Cause = q.Of
		}
		all = append(all, subject{row: row, request: q.ID})
	}
	return all
}

// runs deals with those that are said to run and do not.
func (j *janitor) runs(ctx context.Context, rows []Row, inbox Inbox) error {
	all := subjects(rows, inbox.Begun)
	keys := make([]string, len(all))
	for i := range all {
		keys[i] = all[i].key()
	}
	records, err := j.s.readAll(ctx, keys)
	if err != nil {
		return err
	}
	doubtful := make(map[string]int64)
	for i := range all {
		u := &all[i]
		e := j.entry(u.row.Job)
		if !u.opened && records[i].Token == u.row.Token {
			u.row.Replica = records[i].Holder // its begin was not written: the lease knows who it was
		}
		what, outcome := find(u.row.Token, records[i])
		if what == foundAlive {
			j.expect(u, records[i])
		}
		if e == nil || what == foundAlive {
			continue
		}
		id := u.row.ID + u.request
		if token, seen := j.suspects[id]; !isCertain(what, outcome, u) && (!seen || token != u.row.Token) {
			doubtful[id] = u.row.Token // it may be writing its last words
			continue
		}
		if !j.deal(ctx, e, u, what, outcome) {
			doubtful[id] = u.row.Token
		}
	}
	j.suspects = doubtful
	return nil
}

// isCertain reports whether nobody can be about to say what became of u: the one
// who could has lost the right to, and it is not a tick, which a claim speaks for.
func isCertain(what finding, o election.Outcome, u *subject) bool {
	return what == foundUnstarted || what == foundAbandoned ||
		what == foundEnded && o == election.OutcomeAbandoned && u.request != ""
}

// expect has the next sweep come when the lease of u ends, if the replica that
// holds it seems to be gone.
func (j *janitor) expect(u *subject, r election.Record) {
	live := j.s.live()
	if len(live) < 2 || slices.Contains(live, u.row.Replica) {
		return
	}
	if ends := r.Remaining + j.s.elector.Config().LockDelay + time.Millisecond; j.next == 0 || ends < j.next {
		j.next = ends
	}
}

var errUnsaid = errors.New("its replica died before it could say more")

// deal says what became of u; false if that cannot be said yet.
func (j *janitor) deal(ctx context.Context, e *entry, u *subject, what finding, outcome election.Outcome) bool {
	switch {
	case what == foundAbandoned && !j.takeOver(ctx, e, u):
		return false
	case !u.opened && (what == foundUnstarted || what == foundForgotten), what == foundEnded && outcome == election.OutcomeUndone:
		// It was begun and never started.
		err := j.s.cfg.Journal.PutBack(ctx, []Begin{{ID: u.request, Token: u.row.Token}}, 0)
		return err == nil
	case what == foundEnded:
		v, reason := verdictOf(outcome)
		var err error
		if v != Succeeded {
			err = errUnsaid
		}
		j.close(e, u, v, reason, err)
		return true
	}
	reason := ReasonCrash
	if slices.Contains(j.s.live(), u.row.Replica) {
		reason = ReasonNone // it lives, but its run has no lease any more
	}
	j.close(e, u, LeaseLost, reason, errUnsaid)
	return true
}

// takeOver claims the lease of an abandoned run, so that its record says so too
// and the job is free. It runs nothing.
func (j *janitor) takeOver(ctx context.Context, e *entry, u *subject) bool {
	reply := j.s.elector.Claim(ctx, []election.Wish{{
		Key: u.key(), Mode: election.ForRequest, Epoch: e.epoch.Load(), Def: e.group.def,
	}})[0]
	if reply.Answer != election.Granted {
		return false
	}
	_, _ = reply.Lease.Release(ctx, election.OutcomeUndone) // else the claim expires in seconds
	return reply.Prev != nil && reply.Prev.Token == u.row.Token
}

// close gives the verdict on u and records it.
func (j *janitor) close(e *entry, u *subject, v Verdict, reason Reason, err error) {
	n := j.s.conclusion(e, u.row, v, reason, err)
	if n.Row.State == RunEnded && (u.opened || u.request != "") {
		n.settle = append(n.settle, u.row.ID)
	}
	if u.request != "" {
		n.settle = append(n.settle, u.request)
	}
	ev := Event{
		Phase: n.phase(), Tick: tickOfRow(u.row), Verdict: v, Reason: reason, By: u.row.Replica, Err: err,
		Run: runOfRow(u.row),
	}
	j.s.tell(e, ev)
	j.s.scribe.put(n)
}

// maxHoles bounds the jobs whose ticks are looked through in one sweep.
const maxHoles = 64

// holes finds ticks that were decided by somebody who died before it was written
// down, and gives their verdicts.
func (j *janitor) holes(ctx context.Context, open []Row) error {
	b := j.s.book.Load()
	names, reached := b.reached()
	told, err := j.s.cfg.Journal.Told(ctx, names)
	if err != nil {
		return err
	}
	looked, behind, now := 0, make(map[string]lag), j.s.cfg.Now()
	defer func() { j.lags = behind }()
	for i, name := range names {
		if !told[i].Before(reached[i]) {
			continue
		}
		l := j.lags[name].goOn(told[i], reached[i], now)
		behind[name] = l
		if now.Sub(l.since) < sweepAge || looked == maxHoles {
			continue
		}
		looked++
		if err := j.fill(ctx, b.byName[name], l.told, l.upto, open); err != nil {
			return err
		}
	}
	return nil
}

// goOn is the lag of a job that is behind now, given the one of the last sweep. A
// job that ticks all the time is behind whenever one looks; what matters is whether
// its watermark moves. What is decided later is not looked at yet.
func (l lag) goOn(told, reached, now time.Time) lag {
	if l.told.Equal(told) && !l.since.IsZero() {
		return l
	}
	return lag{told: told, upto: reached, since: now}
}

// fill gives verdicts to the ticks of e in (told, upto] that have none.
func (j *janitor) fill(ctx context.Context, e *entry, told, upto time.Time, open []Row) error {
	s := j.s
	records, err := s.read(ctx, []string{e.job.Name})
	if err != nil {
		return err
	}
	past, err := s.cfg.Journal.Past(ctx, e.job.Name, Query{From: told})
	if err != nil {
		return err
	}
	known := make(map[string]bool)
	for _, rows := range [][]Row{past, open} {
		for i := range rows {
			known[rows[i].ID] = true
		}
	}
	if told.IsZero() { // nothing is known of any tick: begin here
		s.scribe.put(&note{entry: e, Entry: Entry{Row: Row{Job: e.job.Name}, Upto: upto}})
		return nil
	}
	ticks, more := due(e.group.times, told, upto)
	for _, at := range ticks {
		tick := Tick{Job: e.job.Name, At: at.UTC()}
		if known[tick.ID()] {
			continue
		}
		if !j.speakFor(ctx, e, tick, records[0], more) {
			return nil // it is on, and its begin is not written yet
		}
		more = false
	}
	s.scribe.put(&note{entry: e, Entry: Entry{Row: Row{Job: e.job.Name}, Upto: upto}})
	return nil
}

// speakFor gives the verdict on a tick of which nobody has said anything; false
// if that cannot be said yet.
func (j *janitor) speakFor(ctx context.Context, e *entry, tick Tick, r election.Record, more bool) bool {
	u := subject{row: Row{ID: tick.ID(), Job: tick.Job, Tick: tick.At, Cause: BySchedule, Replica: j.s.cfg.Replica, More: more}}
	if r.Tick.Equal(tick.At) && r.Attempt > 0 { // it was run
		u.row.Token, u.row.Attempt, u.row.Replica = r.Token, r.Attempt, r.Holder
		switch what, outcome := find(r.Token, r); what {
		case foundAlive, foundUnstarted:
			return false
		case foundAbandoned:
			return j.deal(ctx, e, &u, what, outcome)
		case foundEnded:
			if outcome != election.OutcomeUndone {
				return j.deal(ctx, e, &u, what, outcome)
			}
		}
	}
	v, reason := Missed, ReasonUnrecorded
	if _, excluded := e.group.times.Excluded(tick.At); excluded {
		v, reason = Skipped, ReasonExcluded
	}
	j.close(e, &u, v, reason, nil)
	return true
}
