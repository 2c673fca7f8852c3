package scheduler

import (
	"cmp"
	"errors"
	"time"

	"github.com/solocron/solocron/election"
)

// scheduled is the tick that a is about.
func (a *attempt) scheduled() Tick { return Tick{Job: a.entry.job.Name, At: a.tick.UTC()} }

// prev is the last tick decided before that of a, given which one was when a was
// decided: one of the older ticks that a decides with it, if there is one.
func (a *attempt) prev(decided time.Time) time.Time {
	if n := len(a.older); n > 0 {
		return latestOf(decided, a.older[n-1])
	}
	return decided
}

// observe tells what happens now, or did at e.At.
func (s *Scheduler) observe(e Event) {
	if e.Replica = s.cfg.Replica; e.At.IsZero() {
		e.At = s.cfg.Now()
	}
	for _, o := range s.observers {
		o.Observe(e)
	}
}

// tell gives a verdict, and remembers it as the last of the job.
func (s *Scheduler) tell(e *entry, ev Event) {
	if ev.At.IsZero() {
		ev.At = s.cfg.Now()
	}
	e.last.set(ending{
		run: cmp.Or(ev.Run.ID, ev.Tick.Run), tick: ev.Tick.At, manual: ev.Tick.Manual,
		verdict: ev.Verdict, reason: ev.Reason, err: ev.Err, at: ev.At,
	})
	s.observe(ev)
}

// speak gives the verdict on a tick that is not run, and records it. Prev is the
// tick decided before it; zero: this is the first.
func (s *Scheduler) speak(e *entry, tick Tick, v Verdict, reason Reason, by string, prev time.Time, more bool) {
	s.tell(e, Event{Phase: Ended, Tick: tick, Verdict: v, Reason: reason, By: by, More: more})
	s.scribe.put(&note{entry: e, Entry: chained(Entry{Row: Row{
		ID: tick.ID(), Job: tick.Job, Tick: tick.At, Cause: BySchedule, State: RunEnded, Replica: s.cfg.Replica, By: by,
		Ended: s.cfg.Now(), Verdict: v, Reason: reason, More: more,
	}}, prev)})
}

// chained says in e which tick was decided before; if none was, all before are
// known to have no verdict.
func chained(e Entry, prev time.Time) Entry {
	if e.Prev = prev; prev.IsZero() {
		e.Upto = e.Row.Tick
	}
	return e
}

// ruling is the verdict that the claim of a decided for its own tick.
func (a *attempt) ruling(answer election.Answer, now time.Time) (Verdict, Reason) {
	switch answer {
	case election.Skipped:
		return Skipped, ReasonOverlap
	case election.Closed:
		return Skipped, ReasonPaused
	}
	if a.paused {
		return Skipped, ReasonPaused
	}
	return a.fate(a.tick, now)
}

func (a *attempt) fate(tick, now time.Time) (Verdict, Reason) {
	return fate(a.entry.group.times, tick, now, a.entry.policy, a.lets)
}

// speakForOlder gives the verdicts on the ticks before that of a, back to the
// last one that was decided before this replica's claim: a decision on a tick
// decides all before it.
func (s *Scheduler) speakForOlder(a *attempt, decided time.Time) {
	if len(a.older) == 0 {
		return
	}
	now := s.cfg.Now()
	more := a.more && decided.Before(a.older[0])
	prev := decided
	for _, at := range a.older {
		if !at.After(decided) {
			continue
		}
		v, reason := a.fate(at, now)
		s.speak(a.entry, Tick{Job: a.entry.job.Name, At: at.UTC()}, v, reason, "", prev, more)
		prev, more = at, false
	}
}

// bury gives the verdict on a run of a tick that was found without a living
// holder; once, though the store tells of it until somebody starts. That of a request
// has a row, which whoever sweeps will find.
func (s *Scheduler) bury(e *entry, dead *election.Abandoned) {
	if dead == nil || dead.Tick.IsZero() && s.cfg.Journal != nil || e.buried.Swap(dead.Token) == dead.Token {
		return
	}
	tick := Tick{Job: e.job.Name, At: dead.Tick.UTC()}
	if dead.Tick.IsZero() {
		// The record does not hold who asked and when; a token is at least the
		// microsecond in which it was granted.
		tick = Tick{Job: e.job.Name, At: time.UnixMicro(dead.Token).UTC(), Manual: true, Key: tokenKey(dead.Token)}
	}
	s.mourn(e, tick, Row{
		ID: tick.ID(), Job: tick.Job, Tick: tick.At, Cause: BySchedule,
		Attempt: dead.Attempt, Token: dead.Token, Replica: dead.By,
	})
}

// mourn gives the verdict on a run whose holder has died. Row is what is known of it.
func (s *Scheduler) mourn(e *entry, tick Tick, row Row) {
	ev := Event{Phase: Ended, Tick: tick, Verdict: LeaseLost, Reason: ReasonCrash, By: row.Replica, Run: runOfRow(row)}
	if s.cfg.Journal != nil {
		n := s.conclusion(e, row, LeaseLost, ReasonCrash, errUnsaid)
		ev.Phase = n.phase()
		defer s.scribe.put(n)
	}
	s.observe(ev)
}

// yielded tells that another replica has the tick of a.
func (s *Scheduler) yielded(a *attempt, answer *election.ClaimAnswer) {
	ev := Event{Phase: Yielded, Tick: a.scheduled()}
	if answer.Tick.Equal(a.tick) {
		ev.By = answer.By
	}
	if answer.Answer == election.Superseded {
		ev.Reason, ev.Note = ReasonSuperseded, noteSuperseded
	}
	s.observe(ev)
}

// waiting tells that the tick of a is not decided yet.
func (s *Scheduler) waiting(a *attempt, answer *election.ClaimAnswer, retry time.Duration) {
	s.observe(Event{
		Phase: Waiting, Tick: a.scheduled(), Err: answer.Err, By: answer.By, Retry: retry,
		Note: waitNote(answer),
	})
}

func waitNote(a *election.ClaimAnswer) string {
	switch {
	case errors.Is(a.Err, election.ErrUnreplicated):
		return "unreplicated: the lease store has it, but too few of its replicas do"
	case a.Answer == election.Early:
		return "the store's clock has not reached the tick"
	case a.Answer == election.Delayed:
		return "a lost or revoked lease has not surely ended yet"
	case a.Answer == election.Quarantine:
		return "the store has lost data; waiting until old leases have surely ended"
	case a.Answer == election.Held && a.Started:
		return "an older run has not ended"
	case a.Answer == election.Held:
		return "claimed by another replica, not started yet"
	}
	return "the lease store gave no answer"
}
