package breaker

import "time"

// State is where a circuit breaker stands.
type State int

// The states.
const (
	Closed   State = iota // claims pass
	HalfOpen              // one claim is under way to see whether the store answers; others fail at once
	Open                  // claims fail at once
)

// String returns closed, half-open or open.
func (s State) String() string {
	switch s {
	case HalfOpen:
		return "half-open"
	case Open:
		return "open"
	}
	return "closed"
}

// A finding is what a call says about the store.
type finding int

const (
	nothing finding = iota // the caller was at fault, or went away first
	silence                // no item was answered
	answer                 // at least one was
)

// A circuit is what a breaker remembers.
type circuit struct {
	state  State
	silent int       // calls without an answer in a row
	until  time.Time // Open: when one claim may try
}

// admit decides whether a claim may pass at now; probe says that it is the one
// that tries.
func (c circuit) admit(now time.Time) (next circuit, pass, probe bool) {
	switch {
	case c.state == Closed:
		return c, true, false
	case c.state == Open && !now.Before(c.until):
		c.state = HalfOpen
		return c, true, true
	}
	return c, false, false
}

// learn takes what a call found out. An answer closes the circuit, whoever got
// it. Silence opens it after so many calls in a row, or at once if it was the
// probe's. A probe that found nothing lets another one try.
func (c circuit) learn(f finding, probe bool, now time.Time, cfg Config) circuit {
	switch f {
	case answer:
		return circuit{}
	case silence:
		c.silent++
		if probe || c.state == Closed && c.silent >= cfg.Silent {
			c.state, c.until = Open, now.Add(cfg.Pause)
		}
	case nothing:
		if probe && c.state == HalfOpen {
			c.state, c.until = Open, now
		}
	}
	return c
}
