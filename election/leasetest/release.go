package leasetest

import (
	"errors"
	"time"

	"github.com/solocron/solocron/election"
)

func releaseChecks() []Check {
	return []Check{
		{"AReleaseCanBeRepeated", repeatedRelease},
		{"AnUndoneClaimLeavesItsTickClaimable", undo},
		{"ALateCompletionIsRecordedIfNobodyTookOver", lateCompletion},
		{"ATooLateReleaseIsCounted", tooLate},
		{"TheRingKeepsTheLast32Outcomes", ring},
	}
}

func repeatedRelease(w *World) error {
	h, err := w.runningTick("job", w.Unit)
	if err != nil {
		return err
	}
	if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
		return err
	}
	a := w.release(end(h, election.OutcomeFailed))
	if err := first(stands("repeated release", a, election.AlreadyReleased),
		equal("outcome", a.Outcome, election.OutcomeSucceeded)); err != nil {
		return err
	}
	r, err := w.read("job")
	return first(err, equal("completed", r.Completed, h.Tick), equal("state", r.State, election.StateDone),
		equal("remaining", r.Remaining, 0), equal("late", r.Late, 0), equal("holder", r.Holder, h.Holder))
}

func undo(w *World) error {
	c, err := w.tick("job", 0)
	if err != nil {
		return err
	}
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	if err := stands("undo", w.release(end(h, election.OutcomeUndone)), election.Good); err != nil {
		return err
	}
	a := w.release(end(h, election.OutcomeUndone))
	if err := first(stands("repeated undo", a, election.AlreadyReleased),
		equal("outcome", a.Outcome, election.OutcomeUndone)); err != nil {
		return err
	}
	r, err := w.read("job")
	if err := first(err, equal("state", r.State, election.StateFree), equal("completed", r.Completed, time.Time{})); err != nil {
		return err
	}
	again, err := w.granted(w.tickAt("job", c.Tick))
	if err == nil && again.Token <= h.Token {
		return errors.New("the token did not grow over an undo")
	}
	return err
}

func lateCompletion(w *World) error {
	h, err := w.runningTick("job", w.Unit)
	if err != nil {
		return err
	}
	w.sleep(h.TTL)
	if err := stands("late release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
		return err
	}
	a := w.claim(w.tickAt("job", h.Tick.Add(w.Unit)))
	if err := w.want("next tick, at once", a, election.Granted); err != nil {
		return err
	}
	if a.Prev != nil {
		return errors.New("a completed run counts as abandoned")
	}
	r, err := w.read("job")
	return first(err, equal("completed", r.Completed, h.Tick), equal("crashes", r.Crashes, 0))
}

func tooLate(w *World) error {
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	w.sleep(w.ttl() + w.delay())
	next, err := w.granted(w.request("job"))
	if err != nil {
		return err
	}
	a := w.release(end(h, election.OutcomeSucceeded))
	if err := first(stands("release after takeover", a, election.AlreadyReleased),
		equal("outcome", a.Outcome, election.OutcomeAbandoned)); err != nil {
		return err
	}
	unknown := h
	unknown.Token++
	a = w.release(end(unknown, election.OutcomeSucceeded))
	if err := first(stands("release of no token", a, election.Lost), equal("by", a.By, next.Holder)); err != nil {
		return err
	}
	r, err := w.read("job")
	if err := first(err, equal("late", r.Late, 1)); err != nil {
		return err
	}
	unknown.Key = "nobody's"
	if err := stands("release of nothing", w.release(end(unknown, election.OutcomeFailed)), election.Lost); err != nil {
		return err
	}
	r, err = w.read("nobody's")
	return first(err, equal("record made by a late release", r.Key, ""))
}

func ring(w *World) error {
	var want []election.Past
	for i := range 40 {
		h, err := w.running(w.request("job"))
		if err != nil {
			return err
		}
		o := []election.Outcome{election.OutcomeFailed, election.OutcomeTimedOut, election.OutcomeCancelled, election.OutcomeInterrupt}[i%4]
		if err := stands("release", w.release(end(h, o)), election.Good); err != nil {
			return err
		}
		want = append([]election.Past{{Token: h.Token, Outcome: o}}, want...)
	}
	r, err := w.read("job")
	if err != nil {
		return err
	}
	if err := equal("length of the ring", len(r.Ring), 32); err != nil {
		return err
	}
	for i, p := range r.Ring {
		if err := equal("entry of the ring", p, want[i]); err != nil {
			return err
		}
	}
	return nil
}
