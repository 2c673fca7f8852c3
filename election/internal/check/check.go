package check

import (
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
)

// Claim reports what is wrong with c, wrapping election.ErrBadClaim.
func Claim(c *election.Claim) error {
	switch tick := Millis(c.Tick); {
	case c.Mode > election.Forfeit:
		return bad("mode %d is unknown", c.Mode)
	case c.Overlap > election.QueueOverlap:
		return bad("overlap %d is unknown", c.Overlap)
	case c.Mode == election.ForRequest && tick != 0:
		return bad("a request has no tick, got %s", c.Tick)
	case c.Mode != election.ForRequest && (tick < MinTick || tick >= EndTick):
		return bad("tick %s is not between 2000 and 2255", c.Tick)
	case c.Tick.Nanosecond()%int(time.Millisecond) != 0:
		return bad("tick %s is not a whole millisecond", c.Tick)
	case c.LockDelay < 0 || c.LockDelay > MaxDelay:
		return bad("lock delay %s is not between 0 and %s", c.LockDelay, MaxDelay)
	case c.Epoch < 0 || c.Epoch > MaxInt:
		return bad("epoch %d is not between 0 and 2^53", c.Epoch)
	case len(c.Def) > MaxDef:
		return bad("definition of %d bytes, at most %d", len(c.Def), MaxDef)
	}
	if err := floor(c.Floor); err != nil {
		return err
	}
	return lease(c.Key, c.Owner, c.TTL, c.Retention, c.Holder)
}

// Hold reports what is wrong with h, wrapping election.ErrBadClaim.
func Hold(h *election.Hold) error {
	if err := token(h.Token); err != nil {
		return err
	}
	if tick := Millis(h.Tick); tick != 0 && (tick < MinTick || tick >= EndTick) {
		return bad("tick %s is not between 2000 and 2255", h.Tick)
	}
	return lease(h.Key, h.Owner, h.TTL, h.Retention, h.Holder)
}

// End reports what is wrong with e, wrapping election.ErrBadClaim.
func End(e *election.End) error {
	if err := token(e.Token); err != nil {
		return err
	}
	if !outcome(e.Outcome) {
		return bad("outcome %q is unknown", byte(e.Outcome))
	}
	return lease(e.Key, e.Owner, MinTTL, e.Retention, "")
}

func lease(key string, owner election.Owner, ttl, keep time.Duration, holder string) error {
	switch {
	case key == "" || len(key) > MaxKey:
		return bad("key of %d bytes, 1 to %d are allowed", len(key), MaxKey)
	case !hex(string(owner)):
		return bad("owner is not %d hexadecimal digits", OwnerLen)
	case ttl < MinTTL || ttl > MaxTTL || ttl%time.Millisecond != 0:
		return bad("ttl %s is not whole milliseconds between %s and %s", ttl, MinTTL, MaxTTL)
	case keep < 0 || keep > MaxKeep:
		return bad("retention %s is not between 0 and ten years", keep)
	case len(holder) > MaxHolder:
		return bad("holder of %d bytes, at most %d", len(holder), MaxHolder)
	}
	return nil
}

func floor(f election.Floor) error {
	if f.Token < 0 || f.Token > MaxInt {
		return bad("floor token %d is not between 0 and 2^53", f.Token)
	}
	if tick := Millis(f.Tick); tick < 0 || tick >= EndTick {
		return bad("floor tick %s is not between 1970 and 2255", f.Tick)
	}
	return nil
}

func token(n int64) error {
	if n < 1 || n > MaxInt {
		return bad("token %d is not between 1 and 2^53", n)
	}
	return nil
}

func outcome(o election.Outcome) bool {
	switch o {
	case election.OutcomeSucceeded, election.OutcomeFailed, election.OutcomeTimedOut, election.OutcomeCancelled,
		election.OutcomeInterrupt, election.OutcomeLost, election.OutcomeUndone:
		return true
	}
	return false
}

func hex(s string) bool {
	if len(s) != OwnerLen {
		return false
	}
	// A bit for each character. Comparisons would take four times as long: the
	// digits are random, so the processor guesses every other one wrong.
	sets := [4]uint64{0x3ff << '0', 0x7e<<('a'-65) | 0x7e<<('A'-65), 0, 0}
	good := uint64(1)
	for i := range OwnerLen {
		good &= sets[s[i]>>6] >> (s[i] & 63)
	}
	return good == 1
}

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{election.ErrBadClaim}, args...)...)
}
