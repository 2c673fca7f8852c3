package schedule

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Note says what is unusual about tick, a moment of s: that it stands for a time the
// clock jumps over, that the clock shows its time twice, or that a rule excludes,
// defers or delays it. It returns nothing for all other moments.
func (s *Schedule) Note(tick time.Time) string {
	if s.rules == nil {
		return s.clockNote(tick)
	}
	notes := s.ruleNotes(tick)
	if text := s.clockNote(tick); text != "" {
		notes = slices.Insert(notes, 0, text)
	}
	return strings.Join(notes, "; ")
}

// clockNote is the note on a change of the clock.
func (s *Schedule) clockNote(tick time.Time) string {
	for _, p := range s.parts {
		c, ok := p.(*calendar)
		if !ok {
			continue
		}
		t := tick.Unix()
		if first, found := c.next(t); !found || first != t {
			continue // a moment of another part
		}
		if text := c.gapNote(t); text != "" {
			return text
		}
		if text := c.overlapNote(t); text != "" {
			return text
		}
	}
	return ""
}

// gapNote is the note on t as the moment after a gap.
func (c *calendar) gapNote(t int64) string {
	s := segmentAt(c.zone, t)
	if g, ok := c.gapMoment(s); !ok || g != t {
		return ""
	}
	first, _ := c.nextWall(s.start + segmentAt(c.zone, s.start-1).offset)
	last, _ := c.prevWall(s.start + s.offset - 1)
	skipped := wallClock(first) + " does"
	if last > first {
		skipped = wallClock(first) + " to " + wallClock(last) + " do"
	}
	return fmt.Sprintf("%s not exist on %s; runs %s", skipped, wallDate(first), wallClock(t+s.offset))
}

// overlapNote is the note on t as one of two passes.
func (c *calendar) overlapNote(t int64) string {
	s := segmentAt(c.zone, t)
	w := t + s.offset
	earlier, later := *c, *c
	earlier.clock.overlap, later.clock.overlap = OverlapFirst, OverlapSecond
	_, isSecond := earlier.rival(s, t, w)
	_, isFirst := later.rival(s, t, w)
	switch both := c.clock.overlap == OverlapBoth; {
	case isSecond && both:
		return fmt.Sprintf("%s comes twice on %s; this is the second", wallClock(w), wallDate(w))
	case isFirst && both:
		return fmt.Sprintf("%s comes twice on %s; this is the first", wallClock(w), wallDate(w))
	case isSecond:
		return fmt.Sprintf("%s comes twice on %s; first %[1]s not run", wallClock(w), wallDate(w))
	case isFirst:
		return fmt.Sprintf("%s comes twice on %s; second %[1]s not run", wallClock(w), wallDate(w))
	}
	return ""
}

// wallClock writes the time of day of a time on the wall, with seconds if it has any.
func wallClock(w int64) string {
	t := time.Unix(w, 0).UTC()
	if t.Second() != 0 {
		return t.Format(time.TimeOnly)
	}
	return t.Format("15:04")
}

func wallDate(w int64) string { return time.Unix(w, 0).UTC().Format(time.DateOnly) }
