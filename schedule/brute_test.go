package schedule_test

import (
	"strconv"
	"strings"
	"time"

	"github.com/solocron/solocron/schedule"
)

// brute is the schedule language told a second time, as slowly and plainly as
// can be: it looks at every minute, and at every element of every field. It
// shares no code with the package.
type brute struct {
	minute, hour, dom, month, dow string
	zone                          *time.Location
	gap                           schedule.Gap
	overlap                       schedule.Overlap
	lastDay                       wall // the day day was asked about last, and its answer
	lastHit                       bool
}

func newBrute(spec string, o schedule.Options) *brute {
	f := strings.Fields(spec)
	return &brute{f[0], f[1], f[2], f[3], f[4], o.Zone, o.Gap, o.Overlap, -1, false}
}

// matches says whether the fields match a wall clock that shows w.
func (b *brute) matches(w wall) bool {
	if day := w / 1440; day != b.lastDay {
		b.lastDay, b.lastHit = day, b.day(time.Unix(int64(w)*60, 0).UTC())
	}
	return b.lastHit && inList(b.minute, int(w%60), 0, 59) && inList(b.hour, int(w/60%24), 0, 23)
}

func (b *brute) day(w time.Time) bool {
	if !inList(b.month, int(w.Month()), 1, 12) {
		return false
	}
	byDate, byWeekday := b.date(w), b.weekday(w)
	if strings.ContainsAny(b.dom[:1]+b.dow[:1], "*?") {
		return byDate && byWeekday
	}
	return byDate || byWeekday
}

func (b *brute) date(w time.Time) bool {
	for e := range strings.SplitSeq(b.dom, ",") {
		var hit bool
		switch {
		case e == "L":
			hit = w.AddDate(0, 0, 1).Day() == 1
		case e == "LW":
			hit = workday(w) && !laterWorkday(w)
		case strings.HasSuffix(e, "W"):
			n, _ := strconv.Atoi(e[:len(e)-1])
			hit = isNearest(w, n)
		default:
			hit = inList(e, w.Day(), 1, 31)
		}
		if hit {
			return true
		}
	}
	return false
}

func (b *brute) weekday(w time.Time) bool {
	for e := range strings.SplitSeq(b.dow, ",") {
		day, count, isNth := strings.Cut(e, "#")
		var hit bool
		switch {
		case isNth:
			hit = day == strconv.Itoa(int(w.Weekday())) && count == strconv.Itoa((w.Day()-1)/7+1)
		case strings.HasSuffix(e, "L"):
			hit = e == strconv.Itoa(int(w.Weekday()))+"L" && w.AddDate(0, 0, 7).Month() != w.Month()
		default:
			hit = inList(e, int(w.Weekday()), 0, 6) || w.Weekday() == time.Sunday && e != "*" && e[0] != '*' && inList(e, 7, 0, 6)
		}
		if hit {
			return true
		}
	}
	return false
}

func workday(w time.Time) bool { return w.Weekday() != time.Saturday && w.Weekday() != time.Sunday }

func laterWorkday(w time.Time) bool {
	for d := w.AddDate(0, 0, 1); d.Month() == w.Month(); d = d.AddDate(0, 0, 1) {
		if workday(d) {
			return true
		}
	}
	return false
}

// isNearest looks for the workday nearest to day n by going ever further from it.
func isNearest(w time.Time, n int) bool {
	target := time.Date(w.Year(), w.Month(), n, 0, 0, 0, 0, time.UTC)
	if target.Month() != w.Month() {
		return false
	}
	for _, away := range []int{0, -1, 1, -2, 2} {
		if d := target.AddDate(0, 0, away); d.Month() == w.Month() && workday(d) {
			return d.Day() == w.Day()
		}
	}
	return false
}

// inList says whether v is in a list of values, ranges and steps.
func inList(list string, v, lo, hi int) bool {
	for e := range strings.SplitSeq(list, ",") {
		base, stepText, stepped := strings.Cut(e, "/")
		step := 1
		if stepped {
			step, _ = strconv.Atoi(stepText)
		}
		from, to := lo, hi
		if first, last, isRange := strings.Cut(base, "-"); isRange {
			from, _ = strconv.Atoi(first)
			to, _ = strconv.Atoi(last)
		} else if base != "*" && base != "?" {
			from, _ = strconv.Atoi(base)
			if !stepped {
				to = from
			}
			to = max(to, from)
		}
		if v >= from && v <= to && (v-from)%step == 0 {
			return true
		}
	}
	return false
}

// wall is what a wall clock shows, in minutes since it showed the beginning of 1970.
type wall int64

// minuteOf is one minute of real time with what the wall shows.
type minuteOf struct {
	at   int64 // Unix seconds
	wall wall
}

// walkMinutes lists the minutes from one instant to another.
func walkMinutes(zone *time.Location, from, to time.Time) []minuteOf {
	var all []minuteOf
	for at := from.Unix(); at < to.Unix(); at += 60 {
		_, offset := time.Unix(at, 0).In(zone).Zone()
		all = append(all, minuteOf{at, wall((at + int64(offset)) / 60)})
	}
	return all
}

// moments lists the moments among the minutes.
func (b *brute) moments(minutes []minuteOf) []time.Time {
	wild := strings.ContainsAny(b.minute[:1]+b.hour[:1], "*?")
	var found []time.Time
	total, passed := map[wall]int{}, map[wall]int{}
	for _, m := range minutes {
		if b.matches(m.wall) {
			total[m.wall]++
		}
	}
	for i, m := range minutes {
		due := false
		if b.matches(m.wall) {
			passed[m.wall]++
			switch {
			case b.overlap == schedule.OverlapBoth || b.overlap == schedule.OverlapAuto && wild:
				due = true
			case b.overlap == schedule.OverlapSecond:
				due = passed[m.wall] == total[m.wall]
			default:
				due = passed[m.wall] == 1
			}
		}
		if i > 0 && !wild && b.gap == schedule.GapRun && m.wall-minutes[i-1].wall <= 181 {
			for w := minutes[i-1].wall + 1; w < m.wall; w++ {
				due = due || b.matches(w)
			}
		}
		if due {
			found = append(found, time.Unix(m.at, 0).UTC())
		}
	}
	return found
}
