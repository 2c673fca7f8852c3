package leasetest

import "github.com/solocron/solocron/election"

func reinstateChecks() []Check {
	return []Check{
		{"AHolderWhoseRecordIsLostIsReinstated", reinstated},
		{"AReleasedLeaseNeverComesBack", releasedStaysAway},
		{"AHolderIsNotReinstatedOverANewerGrant", newerGrant},
	}
}

func reinstated(w *World) error {
	h, err := w.runningTick("job", w.Unit)
	if err != nil {
		return err
	}
	if err := w.Wipe(); err != nil {
		return err
	}
	a := w.renew(h)
	if err := first(stands("renewal after the loss", a, election.Reinstated), equal("token", a.Token, h.Token),
		w.about("remaining", a.Remaining, h.TTL)); err != nil {
		return err
	}
	r, err := w.read("job")
	return first(err, equal("state", r.State, election.StateRunning), equal("holder", r.Holder, h.Holder),
		equal("decided", r.Decided, h.Tick), equal("tick", r.Tick, h.Tick), equal("attempt", r.Attempt, 1),
		w.want("same tick", w.claim(w.tickAt("job", h.Tick)), election.Spent),
		w.want("another", w.claim(w.request("job")), election.Held),
		stands("renewal", w.renew(h), election.Good),
		stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good))
}

func releasedStaysAway(w *World) error {
	for _, outcome := range []election.Outcome{election.OutcomeSucceeded, election.OutcomeUndone} {
		h, err := w.granted(w.request("job"))
		if err != nil {
			return err
		}
		if outcome != election.OutcomeUndone {
			if err := stands("start", w.start(h), election.Good); err != nil {
				return err
			}
		}
		if err := first(stands("release", w.release(end(h, outcome)), election.Good),
			stands("renewal", w.renew(h), election.Lost), stands("start", w.start(h), election.Lost)); err != nil {
			return err
		}
	}
	return nil
}

func newerGrant(w *World) error {
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	if err := w.Wipe(); err != nil {
		return err
	}
	newer, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	if err := stands("renewal beside a newer run", w.renew(h), election.Lost); err != nil {
		return err
	}
	return first(stands("release", w.release(end(newer, election.OutcomeFailed)), election.Good),
		stands("renewal after a newer run", w.renew(h), election.Lost))
}
