package schedule

import "time"

// Release returns when tick, a moment of s, may run: tick itself unless a rule
// says otherwise; the end of the excluded window if it is deferred; and then
// as much later as the jitter adds. It is the same on every replica, never before
// tick, does not decrease from one moment to the next, and costs nothing
// without rules. It does not look at EndAt: what was deferred may run after it.
func (s *Schedule) Release(tick time.Time) time.Time {
	r := s.rules
	if r == nil || r.jitter == 0 && !r.deferring {
		return tick
	}
	base := tick.Unix()
	if r.deferring {
		base = stretchEnd(r.exclude, base)
	}
	late := s.lateness(base)
	if late == 0 && base == tick.Unix() {
		return tick
	}
	return time.Unix(base, 0).UTC().Add(late)
}

// Excluded returns the name of a calendar that excludes tick, a moment of s,
// and true if it is therefore to be skipped. With Defer nothing is.
func (s *Schedule) Excluded(tick time.Time) (calendar string, ok bool) {
	r := s.rules
	if r == nil || r.deferring {
		return "", false
	}
	if c, ok := covering(r.exclude, tick.Unix()); ok {
		return c.name, true
	}
	return "", false
}

// lateness returns the jitter of what is due at base, in whole milliseconds.
// It depends on base and not on the tick, so that ticks deferred to the
// same moment are released together and in front of the next one.
func (s *Schedule) lateness(base int64) time.Duration {
	r := s.rules
	if r.jitter == 0 {
		return 0
	}
	most := int64(r.jitter / time.Millisecond)
	if next := s.Next(time.Unix(base, 0)); !next.IsZero() {
		most = min(most, (next.Unix()-base)*1000-1)
	}
	h := mix(r.seed ^ mix(uint64(base)))
	return time.Duration(h%uint64(most+1)) * time.Millisecond
}
