package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Phase is a schedule for one more job, and what it would share its minutes with.
type Phase struct {
	Spec  string        // five fields
	Peak  int           // the most starts of others in one of its minutes
	Total int           // the starts of others in all its minutes
	Room  time.Duration // to the nearest minute with more starts than its own; 0: there is none
}

// Quietest returns the n best phases of a job that is due every period, read in
// zone: those with the lowest peak, then the fewest starts of others, then the
// most room to a busier minute, then the earliest. It refuses a period that
// cron fields cannot say: it must divide an hour, or a day in whole hours.
func Quietest(l *Load, period time.Duration, zone *time.Location, n int) ([]Phase, error) {
	if !sayable(period) {
		return nil, fmt.Errorf("a period of %s: write a number of minutes that divides an hour, such as 15m, or of hours that divides a day, such as 6h", period)
	}
	phases := l.fold(int(period/time.Minute), zone)
	room(phases)
	for i := range phases {
		phases[i].Spec = spec(i, int(period/time.Minute))
	}
	slices.SortStableFunc(phases, func(a, b Phase) int {
		return cmp.Or(cmp.Compare(a.Peak, b.Peak), cmp.Compare(a.Total, b.Total), cmp.Compare(b.Room, a.Room))
	})
	return phases[:min(n, len(phases))], nil
}

// sayable reports whether five cron fields can say period at any phase.
func sayable(period time.Duration) bool {
	const day = 24 * time.Hour
	switch {
	case period < time.Minute || period > day || period%time.Minute != 0:
		return false
	case period < time.Hour:
		return time.Hour%period == 0
	}
	return period%time.Hour == 0 && day%period == 0
}

// fold lays the load over itself every period minutes, by the clock of zone.
func (l *Load) fold(period int, zone *time.Location) []Phase {
	phases := make([]Phase, period)
	for i, count := range l.minutes {
		at := l.from.Add(time.Duration(i) * time.Minute).In(zone)
		p := &phases[(at.Hour()*60+at.Minute())%period]
		p.Peak = max(p.Peak, int(count))
		p.Total += int(count)
	}
	return phases
}

// room fills in how far each phase is from a busier one, going round in both
// directions until the distance no longer shrinks.
func room(phases []Phase) {
	n := len(phases)
	for i := range phases {
		for d := 1; d <= n/2; d++ {
			if phases[(i+d)%n].Total > phases[i].Total || phases[(i-d+n)%n].Total > phases[i].Total {
				phases[i].Room = time.Duration(d) * time.Minute
				break
			}
		}
	}
}

// spec writes the schedule of every period minutes beginning at phase. Hours
// are written as first/step, so that all phases are treated alike when the
// clock changes.
func spec(phase, period int) string {
	minute, hour := phase%60, phase/60
	switch {
	case period == 1:
		return "* * * * *"
	case period < 60 && minute == 0:
		return fmt.Sprintf("*/%d * * * *", period)
	case period < 60:
		return fmt.Sprintf("%d/%d * * * *", minute, period)
	case period == 60:
		return fmt.Sprintf("%d * * * *", minute)
	case period == minutesOfDay:
		return fmt.Sprintf("%d %d * * *", minute, hour)
	}
	return fmt.Sprintf("%d %d/%d * * *", minute, hour, period/60)
}
