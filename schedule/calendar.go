package schedule

import "time"

// calendar is a cron expression: the wall clock times it matches, and how they
// become moments in its zone. Bit v of a set stands for the value v.
type calendar struct {
	second, minute, hour uint64
	dom                  uint32
	month                uint16
	dow                  uint8
	days                 dayWords
	stars                [whole]bool
	zone                 *time.Location
	clock                clockRule
}

// clockRule is what the options say about clock changes, resolved for one
// schedule.
type clockRule struct {
	gap     bool    // a gap with something in it makes one moment
	overlap Overlap // first, second or both
}

// settle resolves the options that depend on whether c is fixed or a wildcard.
func (c *calendar) settle(o Options) {
	wild := c.wildcard()
	c.clock.gap = !wild && o.Gap == GapRun
	c.clock.overlap = o.Overlap
	switch {
	case o.Overlap != OverlapAuto:
	case wild:
		c.clock.overlap = OverlapBoth
	default:
		c.clock.overlap = OverlapFirst
	}
}

// wildcard says whether c follows real time rather than fixed times of day.
func (c *calendar) wildcard() bool {
	return c.stars[second] || c.stars[minute] || c.stars[hour]
}

// bothDays says whether a day must match both day fields, not just one.
func (c *calendar) bothDays() bool { return c.stars[dom] || c.stars[dow] }

// daySeconds is the length of a day on the wall.
const daySeconds = 24 * 60 * 60

// Times on the wall are counted in seconds from 1970-01-01T00:00:00 on that
// wall, as if every day had 24 hours; days are counted from the same one.

// nextWall returns the first time on the wall at or after from that c matches.
func (c *calendar) nextWall(from int64) (int64, bool) {
	day, clock := floorDiv(from, daySeconds)
	d, ok := c.nextDay(day)
	if ok && d == day {
		if t := c.clockFrom(clock); t >= 0 {
			return d*daySeconds + int64(t), true
		}
		d, ok = c.nextDay(day + 1)
	}
	return d*daySeconds + int64(c.clockFrom(0)), ok
}

// prevWall returns the last time on the wall at or before to that c matches.
func (c *calendar) prevWall(to int64) (int64, bool) {
	day, clock := floorDiv(to, daySeconds)
	d, ok := c.prevDay(day)
	if ok && d == day {
		if t := c.clockTo(clock); t >= 0 {
			return d*daySeconds + int64(t), true
		}
		d, ok = c.prevDay(day - 1)
	}
	return d*daySeconds + int64(c.clockTo(daySeconds-1)), ok
}

// floorDiv divides a by b > 0, rounding down, with the remainder.
func floorDiv(a, b int64) (int64, int) {
	q, r := a/b, a%b
	if r < 0 {
		q, r = q-1, r+b
	}
	return q, int(r)
}
