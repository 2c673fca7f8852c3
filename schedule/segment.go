package schedule

import "time"

// forever stands for the missing bounds of the first and the last segment of
// a zone, with room to add offsets.
const forever = 1 << 62

// segment is a stretch of time, from start up to end, in which a zone keeps
// one offset. All in Unix seconds. Two neighbours may have the same offset.
type segment struct {
	start, end int64
	offset     int64 // what the wall shows ahead of UTC
}

// segmentAt returns the segment of zone that t lies in.
func segmentAt(zone *time.Location, t int64) segment {
	s := segment{start: -forever, end: forever}
	if zone == time.UTC {
		return s
	}
	at := time.Unix(t, 0).In(zone)
	_, offset := at.Zone()
	s.offset = int64(offset)
	start, end := at.ZoneBounds()
	if !start.IsZero() {
		s.start = start.Unix()
	}
	if !end.IsZero() {
		s.end = end.Unix()
	}
	if s.end <= t {
		// Past the table of a zone, the time package ends a segment with the
		// year and takes each to have 365 days.
		day, _ := floorDiv(t, daySeconds)
		s.end = (day + 1) * daySeconds
	}
	return s
}

// reach is more than any two offsets of a zone differ; farWall is more than any offset.
const (
	reach   = 32 * 60 * 60
	farWall = 16 * 60 * 60
)

// rival returns the segment that shows the wall time w as well and comes before or
// after s, in which t shows it: the one that takes w from s under rule.
func (c *calendar) rival(s segment, t, w int64) (segment, bool) {
	switch c.clock.overlap {
	case OverlapFirst:
		for start := s.start; start > t-reach; {
			p := segmentAt(c.zone, start-1)
			if at := w - p.offset; at >= p.start && at < start {
				return p, true
			}
			start = p.start
		}
	case OverlapSecond:
		for end := s.end; end <= t+reach; {
			q := segmentAt(c.zone, end)
			if at := w - q.offset; at >= end && at < q.end {
				return q, true
			}
			end = q.end
		}
	}
	return segment{}, false
}

// maxGap is the longest jump of the clock that is taken for a change of the
// clock and not of the calendar, in seconds.
const maxGap = 3 * 60 * 60

// gapMoment returns the moment that stands for what the clock jumped over
// where s begins.
func (c *calendar) gapMoment(s segment) (int64, bool) {
	if !c.clock.gap || s.start == -forever {
		return 0, false
	}
	before := segmentAt(c.zone, s.start-1)
	jump := s.offset - before.offset
	if jump <= 0 || jump > maxGap {
		return 0, false
	}
	w, ok := c.nextWall(s.start + before.offset)
	if !ok || w >= s.start+s.offset {
		return 0, false
	}
	_, past := floorDiv(s.start+s.offset, 60)
	return s.start + int64((60-past)%60), true
}
