package scheduler

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
)

// A wanted is a request that this replica is about to run.
type wanted struct {
	Request
	entry *entry
	seat  *election.Lease
	lease *election.Lease
	begun bool // the lease is started: it runs
}

// take claims the requests whose turn it is, and runs those that it gets. It
// returns when to look again.
func (s *Scheduler) take(ctx context.Context, d *desk, inbox Inbox) time.Duration {
	var turn []*wanted
	again := s.cfg.Poll
	if len(inbox.Due) > 0 && !s.fit() {
		return again
	}
	live, b := s.live(), s.book.Load()
	for _, q := range inbox.Due {
		e := b.byName[q.Job]
		if e == nil || e.asleep.Load() {
			continue // another replica may know the job, or know better
		}
		waited := inbox.Now.Sub(latestOf(q.Made, q.NotBefore))
		if wait := requestTurn(rank(live, s.cfg.Replica, q.Job), waited, s.cfg.HeadStart); wait > 0 {
			again = min(again, wait)
			continue
		}
		turn = append(turn, &wanted{Request: q, entry: e})
	}
	places := s.crew.book(len(turn))
	if places > 0 {
		started := s.claimAll(ctx, d, turn[:places])
		s.crew.unbook(places - started)
	}
	return again
}

// requestTurn is how much longer a replica of the given rank leaves a request to
// those before it, when it has been due for waited.
func requestTurn(rank int, waited, unit time.Duration) time.Duration {
	return time.Duration(rank)*2*unit - waited
}

// claimAll takes requests from claim to run; the life of a tick, but that the
// journal and not the ledger says whose it is. It returns how many it started.
func (s *Scheduler) claimAll(ctx context.Context, d *desk, turn []*wanted) int {
	turn = s.seatAll(ctx, turn)
	wishes := make([]election.Wish, len(turn))
	for i, w := range turn {
		wishes[i] = election.Wish{
			Key: w.entry.requestKey(w.Request), Owner: d.owners[w.ID], Mode: election.ForRequest,
			Epoch: w.entry.epoch.Load(), Def: w.entry.group.def,
		}
	}
	var granted []*wanted
	for i, reply := range s.elector.Claim(context.WithoutCancel(ctx), wishes) {
		w := turn[i]
		delete(d.owners, w.ID)
		switch reply.Answer {
		case election.Granted:
			s.bury(w.entry, reply.Prev)
			w.lease = reply.Lease
			granted = append(granted, w)
		case election.Held:
			s.inTheWay(ctx, w, &reply.ClaimAnswer)
		case election.Unknown:
			d.owners[w.ID] = reply.Owner
		case election.Superseded:
			// A replica with the newer definition will take it.
		default:
			s.postpone(ctx, w, reply.Remaining)
		}
	}
	started := s.startAll(ctx, granted)
	for _, w := range turn {
		if !w.begun {
			s.vacate(w.seat)
		}
	}
	return started
}

// requestKey is the key of the lease for a request.
func (e *entry) requestKey(q Request) string {
	if key := e.leaseKey(q.Tick); key != e.job.Name || q.Overlap == string(jobs.AllowOverlap) {
		return e.job.Name + "@" + hashKey(q.ID)
	}
	return e.job.Name
}

// seatAll returns those that have a place in their concurrency group, or need none.
func (s *Scheduler) seatAll(ctx context.Context, turn []*wanted) []*wanted {
	return slices.DeleteFunc(turn, func(w *wanted) bool {
		if w.entry.job.Group == "" {
			return false
		}
		w.seat, _ = s.takeSeat(ctx, w.entry.job.Group) // asked again at the next look
		return w.seat == nil
	})
}

// waitBehind is for how long a request is put off behind an older run: others
// that are due are not to be hidden by it.
const waitBehind = time.Second

func (s *Scheduler) postpone(ctx context.Context, w *wanted, pause time.Duration) {
	pause = min(max(pause, waitBehind/4), 2*waitBehind)
	_ = s.cfg.Journal.PutBack(ctx, []Begin{{ID: w.ID}}, pause) // else it is due again at once
}

// inTheWay deals with a request whose job is held.
func (s *Scheduler) inTheWay(ctx context.Context, w *wanted, a *election.ClaimAnswer) {
	switch crowd(w.Request, overlapFor(w.Overlap, w.entry.job.Overlap), a.Started) {
	case crowdReplace:
		s.endOlder(ctx, w.entry, a, w.ID)
		s.postpone(ctx, w, waitBehind/4)
	case crowdSkip:
		if _, mine, err := s.cfg.Journal.Withdraw(ctx, w.ID); err == nil && mine {
			s.dismiss(w.entry, w.Request, Skipped, ReasonOverlap, a.By)
		}
	case crowdWait:
		s.postpone(ctx, w, waitBehind)
	case crowdLook:
	}
}

// dismiss gives the verdict on a request that is not run.
func (s *Scheduler) dismiss(e *entry, q Request, v Verdict, reason Reason, by string) {
	s.tell(e, Event{Phase: Ended, Tick: tickOf(q), Verdict: v, Reason: reason, By: by})
	s.scribe.put(&note{entry: e, settle: []string{q.ID, q.Run}, Entry: Entry{Row: Row{
		ID: q.Run, Job: q.Job, Tick: q.Tick, Cause: q.Cause, By: q.By, Note: q.Note, Params: q.Params, State: RunEnded,
		Replica: s.cfg.Replica, Ended: s.cfg.Now(), Verdict: v, Reason: reason,
	}}})
}

// tickOf is what a request is about, as a Tick.
func tickOf(q Request) Tick {
	t := Tick{Job: q.Job, At: q.Tick.UTC(), Manual: q.Of != BySchedule, Cause: q.Cause, By: q.By, Run: q.Run}
	if q.Cause == ByRetry {
		t.Cause = q.Of
	}
	if t.Cause == BySchedule {
		t.Cause = ""
	}
	return t
}

// startAll gives the requests to the claimed leases, starts those that got theirs
// and runs them. The order is what makes a request run once: who is answered Held
// by a started run finds its request begun.
func (s *Scheduler) startAll(ctx context.Context, granted []*wanted) int {
	if len(granted) == 0 {
		return 0
	}
	ctx = context.WithoutCancel(ctx)
	begins := make([]Begin, len(granted))
	for i, w := range granted {
		begins[i] = Begin{ID: w.ID, Token: w.lease.Token()}
	}
	asking, cancel := context.WithTimeout(ctx, pollTry)
	defer cancel()
	answers, err := s.cfg.Journal.Begin(asking, begins)
	started := 0
	for i, w := range granted {
		switch {
		case err == nil && answers[i] == Begun && s.startOne(asking, w):
			started++
		default:
			s.undo(ctx, w, begins[i])
		}
	}
	return started
}

// startOne starts the lease of w and runs it; false if it may not.
func (s *Scheduler) startOne(ctx context.Context, w *wanted) bool {
	restored, err := s.restored(ctx, w.Request)
	if err != nil {
		return false
	}
	for tries := 1; ; tries++ {
		err := s.elector.Start(ctx, []*election.Lease{w.lease})[0].Err
		if err == nil {
			break
		}
		if tries == startTries || isFinal(err) {
			return false
		}
	}
	x := s.execution(w.entry, w.lease, tickOf(w.Request))
	x.request, x.seat = &w.Request, w.seat
	x.run.Attempt, x.run.Restored = w.Attempt, restored
	// They were checked by whoever asked, perhaps against another definition:
	// what does not fit any more has its default.
	x.run.Params, _ = w.entry.job.ResolveParams(w.Params)
	w.begun = true
	s.crew.begin(x)
	return true
}

// undo gives back a request that was not started, and its lease.
func (s *Scheduler) undo(ctx context.Context, w *wanted, b Begin) {
	ctx, cancel := context.WithTimeout(ctx, giveBackTime)
	defer cancel()
	_, err := w.lease.Release(ctx, election.OutcomeUndone)
	// A request that this token has begun becomes due again; what is not heard
	// here is found by the janitor.
	err = errors.Join(err, s.cfg.Journal.PutBack(ctx, []Begin{b}, time.Duration(rand.Float64()*float64(waitBehind))))
	if err != nil {
		s.observe(Event{Phase: Waiting, Tick: tickOf(w.Request), Err: err, Note: "a request could not be given back; it is found later"})
	}
}
