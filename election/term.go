package election

import "time"

// A term is how long a lease may be believed, on the holder's own clock.
type term struct {
	renewed  time.Duration // read before the request was sent that was last answered
	deadline time.Duration // by then the work has ended
}

// drift is what a lease is believed for less than it lasts: 1 % because clocks
// run at different rates, 2 ms because the store counts in whole milliseconds.
func drift(remaining time.Duration) time.Duration {
	return remaining/100 + 2*time.Millisecond
}

// extend is the deadline rule: a request sent at sent was answered with
// remaining. An answer never shortens a term: answers may arrive out of order.
func (t term) extend(sent, remaining time.Duration) term {
	return term{
		renewed:  max(t.renewed, sent),
		deadline: max(t.deadline, sent+remaining-drift(remaining)),
	}
}

// stopAt is when the work must be told to stop, so that it has ended by the deadline.
func (t term) stopAt(c *Config) time.Duration { return t.deadline - c.StopGrace - c.Slack }

// A belief is what a holder may think of its lease.
type belief uint8

const (
	held     belief = iota
	stopping        // too late to renew in peace: tell the work to stop
	over            // another may hold it
)

// belief compares the clock with the term.
func (t term) belief(now time.Duration, c *Config) belief {
	switch {
	case now >= t.deadline:
		return over
	case now >= t.stopAt(c):
		return stopping
	}
	return held
}

// renewAt is when the next renewal is due: counted from the last one that was
// answered, so that delays do not add up, and up to a tenth earlier, by jitter in
// [0,1), so that leases taken together drift apart.
func (t term) renewAt(c *Config, jitter float64) time.Duration {
	return t.renewed + c.RenewEvery - time.Duration(jitter*float64(c.RenewEvery/10))
}
