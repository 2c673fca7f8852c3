package schedule

// horizon is how far a search looks, in seconds: 150 years.
const horizon = 150 * 366 * daySeconds

// next returns the first moment at or after from. Each step of the search
// either ends it, passes a change of the clock, or leaps to the next match on the wall.
func (c *calendar) next(from int64) (int64, bool) {
	limit := min(from+horizon, maxUnix)
	for u := from; u <= limit; {
		s := segmentAt(c.zone, u)
		w, ok := c.nextWall(u + s.offset)
		t := w - s.offset
		if s.start > u-60 {
			if g, found := c.gapMoment(s); found && g >= u && (!ok || g <= t) {
				return g, true
			}
		}
		switch {
		case !ok:
			return 0, false
		case t < s.end:
			other, taken := c.rival(s, t, w)
			if !taken {
				return t, t <= limit
			}
			u = min(s.end, other.end+other.offset-s.offset)
		case s.end > u+reach:
			u = max(s.end, w-farWall)
		default:
			u = s.end
		}
	}
	return 0, false
}

// prev returns the last moment at or before to, searching as next does.
func (c *calendar) prev(to int64) (int64, bool) {
	limit := max(to-horizon, minUnix)
	for u := to; u >= limit; {
		s := segmentAt(c.zone, u)
		w, ok := c.prevWall(u + s.offset)
		t := w - s.offset
		back := s.start - 1 // where to go on if this segment holds nothing more
		taken := false
		if ok && t >= s.start {
			var other segment
			if other, taken = c.rival(s, t, w); taken {
				back = max(back, other.start+other.offset-s.offset-1)
			}
		}
		here := ok && t >= s.start && !taken
		if !here || t < s.start+60 {
			if g, found := c.gapMoment(s); found && g <= u && g > back && (!here || g > t) {
				return g, true
			}
		}
		switch {
		case !ok:
			return 0, false
		case here:
			return t, t >= limit
		case !taken && s.start < u-reach:
			u = min(back, w+farWall+60)
		default:
			u = back
		}
	}
	return 0, false
}
