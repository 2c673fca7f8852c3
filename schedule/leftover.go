package schedule

import (
	"fmt"
	"time"
)

// maxTried bounds the excluded windows that are looked at for a moment between
// them.
const maxTried = 2000

// nothingLeft is the error if the rules of s leave it without a moment to fire.
func (s *Schedule) nothingLeft(r Rules) error {
	first := s.first()
	if first.IsZero() {
		field, bounds := "endAt", ""
		switch {
		case r.EndAt.IsZero():
			field, bounds = "startAt", "from "+rfc(r.StartAt, s.zone)+" on"
		case r.StartAt.IsZero():
			bounds = "before " + rfc(r.EndAt, s.zone)
		default:
			bounds = fmt.Sprintf("from %s until %s", rfc(r.StartAt, s.zone), rfc(r.EndAt, s.zone))
		}
		return s.ruled(field, "nothing is left: there is no moment "+bounds, "widen it, or suspend the job")
	}
	if len(r.Exclude) == 0 || s.survives(first) {
		return nil
	}
	name := "one of its calendars"
	if c, ok := covering(r.Exclude, first.Unix()); ok && len(r.Exclude) == 1 {
		name = c.name
	}
	if r.Defer {
		return s.ruled("exclude", "nothing is left: all time is excluded by "+name, "leave some time free")
	}
	return s.ruled("exclude", "nothing is left: every moment is excluded by "+name, "write action: defer, or another schedule")
}

// first returns the first moment of s that matters: from today's zones on, if
// StartAt says nothing else, or else the last before.
func (s *Schedule) first() time.Time {
	if t := s.Next(time.Unix(max(s.rules.start, someday)-1, 0)); !t.IsZero() {
		return t
	}
	return s.Prev(time.Unix(maxUnix, 0))
}

// survives says whether some moment of s at or after t fires some day.
func (s *Schedule) survives(t time.Time) bool {
	r := s.rules
	for range maxTried {
		at := t.Unix()
		end := stretchEnd(r.exclude, at)
		switch {
		case end == at, r.deferring && end < min(at+maxStretch, maxUnix):
			return true
		case r.deferring, end >= maxUnix:
			return false
		}
		if t = s.Next(time.Unix(end-1, 0)); t.IsZero() {
			return false
		}
	}
	return false
}
