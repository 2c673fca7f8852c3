package plan

import (
	"cmp"
	"slices"
	"time"
)

// minutesOfDay is how many minutes a day has.
const minutesOfDay = 24 * 60

// Load is how many starts there are in each minute of a window.
type Load struct {
	from    time.Time
	minutes []int32
	AtLeast bool // there were more ticks than were looked at
}

// NewLoad counts the starts of jobs in w, from the full minute it begins in.
func NewLoad(jobs []Job, w Window) *Load {
	w.From = w.From.UTC().Truncate(time.Minute)
	l := &Load{from: w.From, minutes: make([]int32, max(0, int((w.To.Sub(w.From)+time.Minute-1)/time.Minute)))}
	left := maxWork
	for _, g := range groups(jobs) {
		walk := w.walk(g.job.Schedule, left)
		for {
			one, ok, spent := walk.next()
			if !ok {
				l.AtLeast = l.AtLeast || spent
				break
			}
			if i := int(one.at.Sub(l.from) / time.Minute); i < len(l.minutes) {
				l.minutes[i] += g.n
			}
		}
		left = walk.left
	}
	return l
}

// group is n jobs with the same moments.
type group struct {
	job Job
	n   int32
}

// groups puts jobs with equal schedules together, in the order they come in.
func groups(jobs []Job) []group {
	var all []group
	at := map[string]int{}
	for _, j := range jobs {
		if j.Schedule == nil {
			continue
		}
		key := j.Schedule.String()
		i, ok := at[key]
		if !ok {
			i = len(all)
			at[key] = i
			all = append(all, group{job: j})
		}
		all[i].n++
	}
	return all
}

// Minute is a minute of the day, by UTC, as one of the busiest.
type Minute struct {
	OfDay int       // from 0 to 1439
	Peak  int       // the most starts it has on any day
	First time.Time // the first day it has so many, at that minute
	Days  int       // the days it has so many
}

// Busiest returns the n minutes of the day with the highest peaks, the busiest
// first and equal ones by the clock. Minutes without any start are left out.
func (l *Load) Busiest(n int) []Minute {
	best := make([]Minute, minutesOfDay)
	for i, count := range l.minutes {
		at := l.from.Add(time.Duration(i) * time.Minute)
		m := &best[at.Hour()*60+at.Minute()]
		switch {
		case count == 0 || int(count) < m.Peak:
		case int(count) == m.Peak:
			m.Days++
		default:
			*m = Minute{OfDay: at.Hour()*60 + at.Minute(), Peak: int(count), First: at, Days: 1}
		}
	}
	best = slices.DeleteFunc(best, func(m Minute) bool { return m.Peak == 0 })
	slices.SortStableFunc(best, func(a, b Minute) int { return cmp.Compare(b.Peak, a.Peak) })
	return best[:min(n, len(best))]
}

// At returns the most starts in the minute of the day, by UTC, on any day.
func (l *Load) At(ofDay int) int {
	peak := int32(0)
	first := ((ofDay-l.from.Hour()*60-l.from.Minute())%minutesOfDay + minutesOfDay) % minutesOfDay
	for i := first; i < len(l.minutes); i += minutesOfDay {
		peak = max(peak, l.minutes[i])
	}
	return int(peak)
}
