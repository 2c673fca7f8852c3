package scheduler

import "time"

// Moment is what the schedule of a job says about one instant, for people.
type Moment struct {
	IsTick   bool
	Note     string     // what is special about it, as a change of the clocks; "" if nothing is
	Excluded string     // the calendar that excludes it; "" if none does
	Release  time.Time  // when it may start: later than the tick with jitter or a deferral
	Prev     *time.Time // the tick before; nil: there is none
	Next     *time.Time // the tick after; nil: there is none
	Known    time.Time  // up to here this replica knows the ticks to be decided
	TimeZone string
}

// Moment explains an instant by the schedule of job. Times are in the job's zone.
// The error matches ErrUnknownJob.
func (s *Scheduler) Moment(job string, at time.Time) (Moment, error) {
	e, err := s.book.Load().find(job)
	if err != nil {
		return Moment{}, err
	}
	times, zone := e.group.times, e.schedule.zone
	m := Moment{
		IsTick: times.Next(at.Add(-time.Nanosecond)).Equal(at), TimeZone: zone.String(),
		Prev: instant(times.Prev(at), zone), Next: instant(times.Next(at), zone), Known: time.UnixMilli(e.reached.Load()).In(zone),
	}
	if !m.IsTick {
		return m, nil
	}
	m.Release = times.Release(at).In(zone)
	m.Excluded, _ = times.Excluded(at)
	if noted, ok := times.(interface{ Note(time.Time) string }); ok {
		m.Note = noted.Note(at)
	}
	return m, nil
}

func instant(at time.Time, zone *time.Location) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.In(zone)
	return &at
}
