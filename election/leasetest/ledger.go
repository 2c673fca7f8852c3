package leasetest

import (
	"time"

	"github.com/solocron/solocron/election"
)

func ledgerChecks() []Check {
	return []Check{
		{"AStartedTickIsSpentEvenAfterItsRun", spentTick},
		{"ATickAheadOfTheStoresClockIsEarly", earlyTick},
		{"AnOlderRunSkipsATickExactlyOnce", skippedTick},
		{"ARefusalIsRepeatedAfterLaterTicksWereDecided", oldRefusal},
		{"AQueuedTickStaysClaimable", queuedTick},
		{"AForfeitedTickIsMissedExactlyOnce", forfeit},
		{"AForfeitNeverTakesATickFromItsClaimant", forfeitClaimed},
		{"ALowerEpochIsSupersededAndDecidesNothing", superseded},
	}
}

func spentTick(w *World) error {
	h, err := w.runningTick("job", w.Unit)
	if err != nil {
		return err
	}
	if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
		return err
	}
	for _, at := range []time.Time{h.Tick, h.Tick.Add(-w.Unit)} {
		for _, mode := range []election.Mode{election.ForTick, election.Forfeit} {
			c := w.tickAt("job", at)
			c.Mode = mode
			a := w.claim(c)
			if err := first(w.want("started tick", a, election.Spent), equal("by", a.By, h.Holder),
				equal("tick", a.Tick, h.Tick), equal("decided", a.Decided, h.Tick)); err != nil {
				return err
			}
		}
	}
	next, err := w.granted(w.tickAt("job", h.Tick.Add(time.Millisecond)))
	if err != nil {
		return err
	}
	a := w.start(next)
	return first(stands("start of the next tick", a, election.Good), equal("decided before it", a.Decided, h.Tick))
}

func earlyTick(w *World) error {
	c, err := w.tick("job", -2*w.Unit)
	if err != nil {
		return err
	}
	forfeit := c
	forfeit.Mode = election.Forfeit
	a := w.claim(c)
	if err := first(w.want("early tick", a, election.Early), w.about("ahead", a.Remaining, 2*w.Unit),
		w.want("early forfeit", w.claim(forfeit), election.Early)); err != nil {
		return err
	}
	w.sleep(2 * w.Unit)
	_, err = w.granted(c)
	return err
}

func skippedTick(w *World) error {
	h, err := w.runningTick("job", 2*w.Unit)
	if err != nil {
		return err
	}
	c := w.tickAt("job", h.Tick.Add(w.Unit))
	for _, what := range []string{"first", "repeated by its owner"} {
		a := w.claim(c)
		if err := first(w.want(what, a, election.Skipped), equal("by", a.By, h.Holder), equal("tick", a.Tick, h.Tick),
			equal("decided", a.Decided, h.Tick), w.about("remaining", a.Remaining, h.TTL)); err != nil {
			return err
		}
	}
	a := w.claim(w.tickAt("job", c.Tick))
	if err := first(w.want("second replica", a, election.Spent), equal("decided", a.Decided, c.Tick)); err != nil {
		return err
	}
	if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
		return err
	}
	return w.want("slow replica, after the run", w.claim(w.tickAt("job", c.Tick)), election.Spent)
}

// oldRefusal: a replica whose answer was lost asks again when others have long
// decided later ticks; only it can give the verdict on its own.
func oldRefusal(w *World) error {
	h, err := w.runningTick("job", 2*w.Unit)
	if err != nil {
		return err
	}
	c := w.tickAt("job", h.Tick.Add(10*time.Millisecond))
	if err := w.want("refused", w.claim(c), election.Skipped); err != nil {
		return err
	}
	for i := range 7 {
		later := w.tickAt("job", c.Tick.Add(time.Duration(i+1)*10*time.Millisecond))
		if err := w.want("refused later", w.claim(later), election.Skipped); err != nil {
			return err
		}
	}
	a := w.claim(c)
	if err := first(w.want("asked again", a, election.Skipped), equal("decided", a.Decided, h.Tick)); err != nil {
		return err
	}
	return w.want("another's question", w.claim(w.tickAt("job", c.Tick)), election.Spent)
}

func queuedTick(w *World) error {
	h, err := w.runningTick("job", 2*w.Unit)
	if err != nil {
		return err
	}
	c := w.tickAt("job", h.Tick.Add(w.Unit))
	c.Overlap = election.QueueOverlap
	for range 2 {
		a := w.claim(c)
		if err := first(w.want("queued tick", a, election.Held), equal("started", a.Started, true)); err != nil {
			return err
		}
	}
	if err := stands("release", w.release(end(h, election.OutcomeFailed)), election.Good); err != nil {
		return err
	}
	_, err = w.granted(c)
	return err
}

func forfeit(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	c.Mode = election.Forfeit
	for _, what := range []string{"first", "repeated by its owner"} {
		a := w.claim(c)
		if err := first(w.want(what, a, election.Missed), equal("decided", a.Decided, time.Time{})); err != nil {
			return err
		}
	}
	if err := w.want("tick after its forfeit", w.claim(w.tickAt("job", c.Tick)), election.Spent); err != nil {
		return err
	}
	if _, err := w.running(w.tickAt("job", c.Tick.Add(w.Unit/4))); err != nil {
		return err
	}
	later := w.tickAt("job", c.Tick.Add(w.Unit/2))
	later.Mode = election.Forfeit
	a := w.claim(later)
	return first(w.want("forfeit during an older run", a, election.Missed),
		equal("decided", a.Decided, c.Tick.Add(w.Unit/4)))
}

func forfeitClaimed(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	h, err := w.granted(c)
	if err != nil {
		return err
	}
	own, other := c, w.tickAt("job", c.Tick)
	own.Mode, other.Mode = election.Forfeit, election.Forfeit
	return first(
		w.want("forfeit by another", w.claim(other), election.Held),
		w.want("forfeit by the claimant", w.claim(own), election.Held),
		stands("start", w.start(h), election.Good),
		w.want("forfeit after the start", w.claim(other), election.Spent),
	)
}

func superseded(w *World) error {
	c, err := w.tick("job", w.Unit)
	if err != nil {
		return err
	}
	c.Epoch = 7
	h, err := w.running(c)
	if err != nil {
		return err
	}
	if err := stands("release", w.release(end(h, election.OutcomeSucceeded)), election.Good); err != nil {
		return err
	}
	for _, mode := range []election.Mode{election.ForTick, election.Forfeit} {
		old := w.tickAt("job", c.Tick.Add(w.Unit/2))
		old.Epoch, old.Mode = 6, mode
		if err := w.want("older epoch", w.claim(old), election.Superseded); err != nil {
			return err
		}
	}
	request := w.request("job")
	request.Epoch = 6
	if err := w.want("request of an older epoch", w.claim(request), election.Superseded); err != nil {
		return err
	}
	next := w.tickAt("job", c.Tick.Add(w.Unit/2))
	next.Epoch = 8
	if _, err = w.granted(next); err != nil {
		return err
	}
	r, err := w.read("job")
	return first(err, equal("epoch", r.Epoch, 8))
}
