package plan

import (
	"time"

	"github.com/solocron/solocron/schedule"
)

// Job is one job of a file.
type Job struct {
	Name     string
	Schedule *schedule.Schedule // nil: it never starts, such as a suspended job
}

// Window is a stretch of time: the ticks from From up to, but without, To.
type Window struct{ From, To time.Time }

// Days returns the window of n days of 24 hours that begins at from.
func Days(from time.Time, n int) Window {
	return Window{from, from.Add(time.Duration(n) * 24 * time.Hour)}
}

// start is one start of a job: its tick, and when it may run.
type start struct {
	tick, at time.Time
	outside  bool // it is beside the window, for those within to have come from or gone to
}

// beside is how far from the window such a start may be.
const beside = 24 * time.Hour

// before returns the start of s right before w.
func (w Window) before(s *schedule.Schedule) (start, bool) {
	if s == nil {
		return start{}, false
	}
	return aside(s, s.Prev(w.From), w.From.Add(-beside), w.From)
}

// after returns the start of s right after w.
func (w Window) after(s *schedule.Schedule) (start, bool) {
	if s == nil {
		return start{}, false
	}
	return aside(s, s.Next(w.To.Add(-time.Nanosecond)), w.To, w.To.Add(beside))
}

// aside returns tick as a start, if it is released between from and to.
func aside(s *schedule.Schedule, tick, from, to time.Time) (start, bool) {
	if tick.IsZero() {
		return start{}, false
	}
	at := s.Release(tick)
	_, skipped := s.Excluded(tick)
	return start{tick, at, true}, !skipped && !at.Before(from) && at.Before(to)
}

// starts walks over the starts of a schedule in a window, oldest first.
type starts struct {
	sched *schedule.Schedule
	to    time.Time
	tick  time.Time // the last one looked at
	last  time.Time // when the last start was
	left  int       // ticks that may still be looked at
}

// walk begins at the start of w and looks at no more than limit ticks.
func (w Window) walk(s *schedule.Schedule, limit int) *starts {
	return &starts{sched: s, to: w.To, tick: w.From.Add(-time.Nanosecond), left: limit}
}

// next returns the next start. With ok false there are no more, or the limit
// was reached: then spent is true.
func (s *starts) next() (one start, ok, spent bool) {
	for s.sched != nil {
		tick := s.sched.Next(s.tick)
		if tick.IsZero() || !tick.Before(s.to) {
			break
		}
		if s.left == 0 {
			return start{}, false, true
		}
		s.left--
		s.tick = tick
		if _, skipped := s.sched.Excluded(tick); skipped {
			continue
		}
		at := s.sched.Release(tick)
		if at.Equal(s.last) {
			continue
		}
		s.last = at
		return start{tick: tick, at: at}, true, false
	}
	return start{}, false, false
}

// text is what tells two schedules apart; nil has none.
func text(s *schedule.Schedule) string {
	if s == nil {
		return ""
	}
	return s.String()
}

// zone is where s is read; nil has none.
func zone(s *schedule.Schedule) string {
	if s == nil {
		return ""
	}
	return s.Location().String()
}
