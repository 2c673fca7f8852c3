package schedule

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// timeWords says at which times of day c is due.
func (c *calendar) timeWords() string {
	if n := bits.OnesCount64(c.hour) * bits.OnesCount64(c.minute) * bits.OnesCount64(c.second); n <= 6 {
		return "at " + c.clockList()
	}
	text := ""
	if c.second != 1 {
		text = pace(c.second, "second")
		if c.minute == fullClock {
			return text + c.hourWords(true)
		}
		text += " of each minute, "
	}
	if c.minute == 1 && c.hour == fullHour {
		return text + "every hour on the hour"
	}
	minutes := pace(c.minute, "minute")
	if c.hour == fullHour && !strings.HasPrefix(minutes, "every") {
		return text + minutes + " of every hour"
	}
	return text + minutes + c.hourWords(bits.OnesCount64(c.minute) > 1)
}

// clockList lists the times of day of c.
func (c *calendar) clockList() string {
	var times []string
	for h := range each(c.hour) {
		for m := range each(c.minute) {
			for s := range each(c.second) {
				text := fmt.Sprintf("%02d:%02d", h, m)
				if c.second != 1 {
					text += fmt.Sprintf(":%02d", s)
				}
				times = append(times, text)
			}
		}
	}
	return sentenceList(times)
}

// pace says which seconds or minutes set holds: every 15 minutes, at minutes 3 and 7.
func pace(set uint64, unit string) string {
	if set == fullClock {
		return "every " + unit
	}
	first := bits.TrailingZeros64(set)
	rest := set &^ (1 << first)
	if rest == 0 {
		return "at " + unit + " " + strconv.Itoa(first)
	}
	step := bits.TrailingZeros64(rest) - first
	if step > 1 && 60%step == 0 && first < step && set == stepped(first, 59, step) {
		text := "every " + plural(int64(step), unit)
		if first > 0 {
			text += fmt.Sprintf(" from %s %d", unit, first)
		}
		return text
	}
	return "at " + unit + "s " + nameList(set, strconv.Itoa)
}

// hourWords says in which hours c is due; through tells that more than one minute of
// each is meant.
func (c *calendar) hourWords(through bool) string {
	first, last := bits.TrailingZeros64(c.hour), bits.Len64(c.hour)-1
	contiguous := bits.OnesCount64(c.hour) == last-first+1
	switch {
	case c.hour == fullHour:
		return ""
	case contiguous && through:
		return fmt.Sprintf(" from %02d:00 to %02d:59", first, last)
	case through:
		return " during the hours " + nameList(c.hour, strconv.Itoa)
	case first == last:
		return " of the hour " + strconv.Itoa(first)
	}
	return " of the hours " + nameList(c.hour, strconv.Itoa)
}

// dayWords says on which days c is due, or nothing if on all.
func (c *calendar) dayWords() string {
	dates, weekdays := c.dateWords(), c.weekdayWords()
	freeDates, freeWeekdays := c.stars[dom] && c.dom == fullDom, c.stars[dow] && c.dow == fullDow
	switch {
	case freeDates && freeWeekdays:
		return ""
	case freeDates:
		return weekdays
	case freeWeekdays:
		return dates
	case c.bothDays():
		return dates + " if that is " + strings.TrimPrefix(weekdays, "on ") + " (both day fields must match)"
	}
	return dates + " and also " + weekdays + " (either day field is enough)"
}

// dateWords says what the day-of-month field means.
func (c *calendar) dateWords() string {
	var parts []string
	if c.dom != 0 {
		word := "day "
		if c.dom&(c.dom-1) != 0 {
			word = "days "
		}
		parts = append(parts, word+nameList(uint64(c.dom), strconv.Itoa))
	}
	if c.days.last {
		parts = append(parts, "the last day")
	}
	if c.days.lastWeekday {
		parts = append(parts, "the last working day (Monday to Friday)")
	}
	for d := range each(uint64(c.days.nearest)) {
		parts = append(parts, fmt.Sprintf("the working day (Monday to Friday) nearest to day %d", d))
	}
	return "on " + sentenceList(parts) + " of the month"
}

// weekdayWords says what the day-of-week field means.
func (c *calendar) weekdayWords() string {
	var parts []string
	if c.dow != 0 {
		parts = append(parts, nameList(uint64(c.dow), dayName))
	}
	for n, set := range c.days.nth {
		for d := range each(uint64(set)) {
			count := [...]string{"", "first", "second", "third", "fourth", "fifth"}[n]
			parts = append(parts, fmt.Sprintf("the %s %s of the month", count, dayName(d)))
		}
	}
	for d := range each(uint64(c.days.lastDow)) {
		parts = append(parts, fmt.Sprintf("the last %s of the month", dayName(d)))
	}
	return "on " + sentenceList(parts)
}

func monthName(m int) string { return time.Month(m).String() }
func dayName(d int) string   { return time.Weekday(d).String() }

// nameList lists the members of set by name, three and more in a row as a range.
func nameList(set uint64, name func(int) string) string {
	var words []string
	for set != 0 {
		lo := bits.TrailingZeros64(set)
		n := bits.TrailingZeros64(^(set >> lo))
		set &^= (1<<n - 1) << lo
		switch {
		case n > 2:
			words = append(words, name(lo)+" to "+name(lo+n-1))
		case n == 2:
			words = append(words, name(lo), name(lo+1))
		default:
			words = append(words, name(lo))
		}
	}
	return sentenceList(words)
}

// sentenceList joins words as one does in a sentence: a, b and c.
func sentenceList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
