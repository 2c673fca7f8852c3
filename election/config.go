package election

import (
	"fmt"
	"time"
)

// Config is how an Elector holds its leases. The zero Config is a good one:
// what is zero is derived from the TTL.
type Config struct {
	TTL        time.Duration // how long a lease lasts unless it is renewed; 0: 30s
	RenewEvery time.Duration // from one successful renewal to the next; 0: TTL/3
	Try        time.Duration // how long one request to the store may take; 0: TTL/15, at most 1s
	StopGrace  time.Duration // what a run gets between being told to stop and being killed; 0: TTL/6, at most 5s
	Slack      time.Duration // scheduling delay allowed for on top; 0: TTL/30, at most 1s
	LockDelay  time.Duration // how long an expired lease stays closed to others; 0: TTL/6, at most 5s
	Retention  time.Duration // how long a record outlives its lease; 0: 7 days; see NoRetention
	Clock      Clock         // what deadlines are read off; nil: BootClock
}

// NoRetention as the Retention of a Config lets a record vanish with its lease,
// as a key set by SET NX PX does. Such a record keeps no ledger and no outcome,
// and its next token is above the last only by the store's clock; so it is for
// plain locks, not for ticks.
const NoRetention time.Duration = -1

const (
	minTTL = 100 * time.Millisecond
	maxTTL = 24 * time.Hour

	// minTries is how many renewals must fit between the moment one is due and
	// the moment the run is told to stop: one lost packet must not end a run.
	minTries = 3
)

// WithDefaults returns c with every zero field derived from the TTL.
func (c Config) WithDefaults() Config {
	c.TTL = or(c.TTL, 30*time.Second)
	c.RenewEvery = or(c.RenewEvery, c.TTL/3)
	c.Try = or(c.Try, min(time.Second, c.TTL/15))
	c.StopGrace = or(c.StopGrace, min(5*time.Second, c.TTL/6))
	c.Slack = or(c.Slack, min(time.Second, c.TTL/30))
	c.LockDelay = or(c.LockDelay, min(5*time.Second, c.TTL/6))
	c.Retention = or(c.Retention, 7*24*time.Hour)
	if c.Clock == nil {
		c.Clock = BootClock()
	}
	return c
}

func or(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// Validate reports whether the durations work together. The error shows the
// arithmetic, so that the reader sees which one to change.
func (c Config) Validate() error {
	c = c.WithDefaults()
	for _, f := range []struct {
		name string
		d    time.Duration
	}{
		{"renewEvery", c.RenewEvery},
		{"tryTimeout", c.Try},
		{"stopGrace", c.StopGrace},
		{"slack", c.Slack},
		{"lockDelay", c.LockDelay},
		{"retention", c.Retention},
	} {
		if f.d < 0 && (f.name != "retention" || f.d != NoRetention) {
			return fmt.Errorf("%s %s is negative", f.name, f.d)
		}
	}
	if c.TTL < minTTL || c.TTL > maxTTL {
		return fmt.Errorf("ttl %s is not between %s and %s", c.TTL, minTTL, maxTTL)
	}
	if c.RenewEvery > c.TTL/3 {
		return fmt.Errorf("renewEvery %s is more than a third of the ttl %s (%s)", c.RenewEvery, c.TTL, c.TTL/3)
	}
	if c.Try > c.TTL/10 {
		return fmt.Errorf("tryTimeout %s is more than a tenth of the ttl %s (%s)", c.Try, c.TTL, c.TTL/10)
	}
	left := c.TTL - drift(c.TTL) - c.StopGrace - c.Slack
	need := c.RenewEvery + minTries*(c.Try+c.maxPause())
	if left < need {
		return fmt.Errorf("a term leaves room for fewer than %d renewals: "+
			"ttl %s - drift %s - stopGrace %s - slack %s = %s, but renewEvery %s + %d x (tryTimeout %s + pause %s) = %s; "+
			"raise the ttl or lower the others",
			minTries, c.TTL, drift(c.TTL), c.StopGrace, c.Slack, left,
			c.RenewEvery, minTries, c.Try, c.maxPause(), need)
	}
	return nil
}

// maxPause is the longest pause between two tries to renew.
func (c Config) maxPause() time.Duration { return min(c.Try, time.Second) }

// keeps is how long a record outlives its lease, as a store takes it.
func (c *Config) keeps() time.Duration { return max(c.Retention, 0) }

// claimTTL is how long a claim is held before its start. It is short, so that a
// claim whose answer was lost keeps others out for no longer than it must.
func (c Config) claimTTL() time.Duration { return min(c.TTL, max(c.TTL/6, 5*time.Second)) }
