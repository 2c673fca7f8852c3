package scheduler

import (
	"strconv"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

// scheduled is the tick that a is about.
func (a *attempt) scheduled() Tick { return Tick{Job: a.entry.job.Name, At: a.tick.UTC()} }

func (s *Scheduler) observe(e Event) {
	e.At, e.Replica = s.cfg.Now(), s.cfg.Replica
	for _, o := range s.observers {
		o.Observe(e)
	}
}

// tell gives a verdict, and remembers it as the last of the job.
func (s *Scheduler) tell(e *entry, ev Event) {
	e.last.Store(&ending{ev.Tick, ev.Verdict, ev.Reason, ev.Err, s.cfg.Now()})
	s.observe(ev)
}

// ruling is the verdict that the claim of a decided for its own tick.
func (a *attempt) ruling(answer election.Answer, now time.Time) (Verdict, Reason) {
	switch answer {
	case election.Skipped:
		return Skipped, ReasonOverlap
	case election.Closed:
		return Skipped, ReasonPaused
	}
	return a.fate(a.tick, now)
}

func (a *attempt) fate(tick, now time.Time) (Verdict, Reason) {
	return fate(a.entry.group.times, tick, now, a.entry.job.StartingDeadline, a.unheard)
}

// speakForOlder gives the verdicts on the ticks before that of a, back to the
// last one that was decided before this replica's claim: a decision on a tick
// decides all before it.
func (s *Scheduler) speakForOlder(a *attempt, decided time.Time) {
	now := s.cfg.Now()
	more := a.more && (len(a.older) == 0 || decided.Before(a.older[0]))
	for _, at := range a.older {
		if !at.After(decided) {
			continue
		}
		v, reason := a.fate(at, now)
		ev := Event{Phase: Ended, Tick: Tick{Job: a.entry.job.Name, At: at.UTC()}, Verdict: v, Reason: reason, More: more}
		more = false
		s.observe(ev)
	}
}

// bury gives the verdict on a run that was found without a living holder.
func (s *Scheduler) bury(e *entry, dead *election.Abandoned) {
	if dead == nil {
		return
	}
	tick := Tick{Job: e.job.Name, At: dead.Tick.UTC()}
	if dead.Tick.IsZero() {
		// The record does not hold who asked and when; a token is at least the
		// microsecond in which it was granted.
		tick = Tick{Job: e.job.Name, At: time.UnixMicro(dead.Token).UTC(), Manual: true, Key: "token-" + strconv.FormatInt(dead.Token, 10)}
	}
	s.observe(Event{
		Phase: Ended, Tick: tick, Verdict: LeaseLost, Reason: ReasonCrash, By: dead.By,
		Run: jobs.Run{ID: tick.ID(), Job: tick.Job, Tick: tick.At, Manual: tick.Manual, Attempt: dead.Attempt, Token: dead.Token, Replica: dead.By},
	})
}

// yielded tells that another replica has the tick of a.
func (s *Scheduler) yielded(a *attempt, answer election.ClaimAnswer) {
	ev := Event{Phase: Yielded, Tick: a.scheduled()}
	if answer.Tick.Equal(a.tick) {
		ev.By = answer.By
	}
	if answer.Answer == election.Superseded {
		ev.Note = "a newer definition of the job is in force"
	}
	s.observe(ev)
}

// waiting tells that the tick of a is not decided yet.
func (s *Scheduler) waiting(a *attempt, answer election.ClaimAnswer, retry time.Duration) {
	s.observe(Event{
		Phase: Waiting, Tick: a.scheduled(), Err: answer.Err, By: answer.By, Retry: retry,
		Note: waitNote(answer),
	})
}

func waitNote(a election.ClaimAnswer) string {
	switch a.Answer {
	case election.Early:
		return "the store's clock has not reached the tick"
	case election.Delayed:
		return "a lost or revoked lease has not surely ended yet"
	case election.Quarantine:
		return "the store has lost data; waiting until old leases have surely ended"
	case election.Held:
		return "claimed by another replica, not started yet"
	}
	return "the lease store gave no answer"
}
