package election

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A watchdog renews one lease and ends its context when that fails. What it
// holds belongs to the kennel.
type watchdog struct {
	lease  *Lease
	cancel context.CancelCauseFunc // nil before the lease is kept
	place  int                     // in kennel.dogs, from 1; 0: not there
	due    time.Duration           // of the next renewal
	failed int                     // tries to renew since the last success
	round  chan struct{}           // closed when the renewal under way was answered; nil: none is

	late  error         // what the context ends with at limit; nil: there is no limit
	limit time.Duration // on the clock
	alarm *time.Timer   // set once limit is near
}

// A kennel looks after all watchdogs of an elector. While there is one it walks
// past all of them every period and, for each, first compares the clock with
// the deadline and then sees whether a renewal is due: a process that was
// frozen, or a machine that slept, must not renew what it has to treat as lost.
// The walk never waits for the store: what is due together is renewed in one
// request by a goroutine of its own. A limit gets a timer only when the walk finds
// it near: most work ends long before.
type kennel struct {
	cfg   Config
	renew func([]*watchdog) ([]HoldAnswer, time.Duration) // with the clock before it asked

	mu    sync.Mutex
	dogs  []*watchdog
	timer *time.Timer // nil while there is no dog
}

// period is the time between two walks. A run is told to stop by so much too
// early rather than too late.
func (k *kennel) period() time.Duration {
	return min(max(k.cfg.RenewEvery/40, 5*time.Millisecond), 250*time.Millisecond)
}

// add takes a dog in that barks with cancel and has its first renewal due then.
// After limit, if that is not 0, it barks with late, though its lease is kept.
func (k *kennel) add(d *watchdog, cancel context.CancelCauseFunc, due, limit time.Duration, late error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if d.place != 0 {
		panic("election: Keep of a lease that is kept")
	}
	k.dogs = append(k.dogs, d)
	d.cancel, d.due, d.failed, d.place = cancel, due, 0, len(k.dogs)
	if k.timer == nil {
		k.timer = time.AfterFunc(k.period(), k.walk)
	}
	if limit > 0 {
		now := k.cfg.Clock()
		d.late, d.limit = late, now+limit
		k.near(d, now)
	}
}

// near arms the alarm of d if its limit comes before the walk after the next. The
// caller holds k.mu.
func (k *kennel) near(d *watchdog, now time.Duration) {
	if d.late != nil && d.alarm == nil && d.limit-now <= 2*k.period() {
		cancel, late := d.cancel, d.late
		d.alarm = time.AfterFunc(d.limit-now, func() { cancel(late) })
	}
}

// leash is what ends the context of a dog; nil before it was taken in.
func (k *kennel) leash(d *watchdog) context.CancelCauseFunc {
	k.mu.Lock()
	defer k.mu.Unlock()
	return d.cancel
}

// remove lets a dog go and waits for its renewal under way, if there is one. It
// returns what ends the dog's context.
func (k *kennel) remove(d *watchdog) context.CancelCauseFunc {
	cancel, round := k.part(d)
	if round != nil {
		<-round
	}
	return cancel
}

// part lets a dog go, and returns what ends its context; round, if it is anything,
// is closed when its renewal under way has been answered.
func (k *kennel) part(d *watchdog) (cancel context.CancelCauseFunc, round <-chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(d)
	if d.alarm != nil {
		d.alarm.Stop()
	}
	d.late, d.alarm = nil, nil
	return d.cancel, d.round
}

// drop takes d off the list. The caller holds k.mu.
func (k *kennel) drop(d *watchdog) {
	if d.place == 0 {
		return
	}
	last := len(k.dogs) - 1
	k.dogs[d.place-1] = k.dogs[last]
	k.dogs[d.place-1].place = d.place
	k.dogs[last] = nil
	k.dogs = k.dogs[:last]
	d.place = 0
}

// walk looks at every dog once.
func (k *kennel) walk() {
	tooLate, due, round := k.look()
	for _, cancel := range tooLate {
		cancel(ErrLeaseUncertain)
	}
	if len(due) > 0 {
		go k.ask(due, round) // remove waits for it, through round
	}
}

// look sorts out the dogs whose term is over, or will be before the next walk,
// and those whose renewal is due, and arms the next walk.
func (k *kennel) look() (tooLate []context.CancelCauseFunc, due []*watchdog, round chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.cfg.Clock()
	round = make(chan struct{})
	for _, d := range slices.Backward(k.dogs) { // drop moves the last into the gap
		k.near(d, now)
		switch {
		case d.lease.beliefAt(now+k.period()) != held:
			k.drop(d)
			tooLate = append(tooLate, d.cancel)
		case d.round == nil && now >= d.due:
			d.round = round
			due = append(due, d)
		}
	}
	if len(k.dogs) == 0 {
		k.timer = nil
	} else {
		k.timer.Reset(k.period())
	}
	return tooLate, due, round
}

// ask renews the leases of dogs in one request.
func (k *kennel) ask(dogs []*watchdog, round chan struct{}) {
	answers, sent := k.renew(dogs)
	for _, cancel := range k.take(dogs, answers, sent) {
		cancel(ErrLeaseLost)
	}
	close(round)
}

// take applies the answers to a renewal. It returns what ends the contexts of
// the leases that are lost.
func (k *kennel) take(dogs []*watchdog, answers []HoldAnswer, sent time.Duration) (lost []context.CancelCauseFunc) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.cfg.Clock()
	for i, d := range dogs {
		d.round = nil
		switch answers[i].Standing {
		case Good, Reinstated:
			d.failed = 0
			d.lease.extend(sent, answers[i].Remaining)
			d.due = d.lease.renewAt()
		case Lapsed, Lost, AlreadyReleased:
			k.drop(d)
			lost = append(lost, d.cancel)
		default:
			d.failed++
			pause := Backoff{First: k.cfg.maxPause() / 10, Max: k.cfg.maxPause()}
			d.due = now + pause.Pause(d.failed, jitter())
		}
	}
	return lost
}
